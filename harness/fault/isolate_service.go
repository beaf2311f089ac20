package fault

// isolateService cuts the service that has the request off the network.
type isolateService struct{ d Span }

func isolateServiceKind() Kind {
	return Kind{
		Name: string(Isolated), Family: Service, Place: Before, Needs: []string{Processes},
		Summary: "cuts the service off the network for a while: it runs on, nothing reaches it or leaves it, and connections take up again what was under way, as after a partition",
		Usage:   "isolate-service: <duration>",
		Where:   "received, validated, committed; with --stack containers",
		Stand:   standOutage(Isolated),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("for how long? Write isolate-service: 2 attempt_timeout")
			}
			return isolateService{r.Span()}
		},
	}
}

func (isolateService) Name() string     { return string(Isolated) }
func (i isolateService) String() string { return string(Isolated) + ": " + i.d.String() }
func (i isolateService) Words() string {
	return "the service is cut off the network for " + i.d.String()
}
func (i isolateService) Apply(f *Firing) { f.outage(Isolated, i.d) }

func (i isolateService) ends() End      { return End{For: i.d} }
func (isolateService) within() []string { return []string{string(Isolated)} }
