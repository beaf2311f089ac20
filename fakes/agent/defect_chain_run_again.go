package agent

func chainRunAgain() defect {
	return defect{
		Info: Info{
			Name:      "chain-run-again",
			Summary:   "Of a partial result only the missing part is brought about; the chain is not run again.",
			Rule:      "partial-reexecuted",
			Scenarios: []string{"notification-failed", "acceptance-unannounced"},
			Covers:    []string{"B23", "B26"},
		},
		apply: func(p *policies) {
			p.repair = func(v *view, b *bid) (move, bool) {
				if b.Notify == nil && v.p.missing(b.Submit.Record) && b.Submit.Attempts < v.p.budget(v.task.Limits) {
					return move{do: doSend, in: b.Submit}, true
				}
				return v.notify(b)
			}
		},
	}
}
