package fault

// pauseService makes the process of the service that has the request stand still.
type pauseService struct{ d Span }

func pauseServiceKind() Kind {
	return Kind{
		Name: string(Frozen), Family: Service, Place: Before, Needs: []string{Processes},
		Summary: "makes the service's process stand still for a while, with all that it has under way; then it goes on as if nothing had been",
		Usage:   "pause-service: <duration>",
		Where:   "received, validated, committed; with --stack containers",
		Stand:   standOutage(Frozen),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("for how long? Write pause-service: 2 attempt_timeout")
			}
			return pauseService{r.Span()}
		},
	}
}

func (pauseService) Name() string      { return string(Frozen) }
func (p pauseService) String() string  { return string(Frozen) + ": " + p.d.String() }
func (p pauseService) Words() string   { return "the service's process stands still for " + p.d.String() }
func (p pauseService) Apply(f *Firing) { f.outage(Frozen, p.d) }

func (p pauseService) ends() End      { return End{For: p.d} }
func (pauseService) within() []string { return []string{string(Frozen)} }
