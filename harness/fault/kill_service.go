package fault

// killService ends the process of the service that has the request.
type killService struct{ downFor Span }

func killServiceKind() Kind {
	return Kind{
		Name: string(Killed), Family: Service, Place: Final, Needs: []string{Processes},
		Summary: "ends the service's process with SIGKILL and starts another with the same ledger, at once or after down_for; the request and every timer that was in memory only are gone, and where the service is not atomic its deduplication record is",
		Usage:   "kill-service, or kill-service: {down_for: <duration>}",
		Where:   "received and validated (nothing has happened), committed (between the consequence and the reply); with --stack containers",
		Stand:   standOutage(Killed),
		Decode: func(r *Reader) Effect {
			if !r.Fields("down_for") {
				return killService{}
			}
			return killService{r.Field("down_for").Span()}
		},
	}
}

func (killService) Name() string { return string(Killed) }

func (k killService) String() string {
	if k.downFor.IsZero() {
		return string(Killed)
	}
	return string(Killed) + ": {down_for: " + k.downFor.String() + "}"
}

func (k killService) Words() string {
	if k.downFor.IsZero() {
		return "the service's process is killed and another takes up its ledger"
	}
	return "the service's process is killed and another takes up its ledger after " + k.downFor.String()
}

func (k killService) Apply(f *Firing) { f.outage(Killed, k.downFor) }

func (killService) skips(at Phase) []Phase { return after(at) }

func (k killService) ends() End      { return End{For: k.downFor} }
func (killService) within() []string { return []string{string(Killed)} }
