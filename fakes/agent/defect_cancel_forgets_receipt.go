package agent

func cancelForgetsReceipt() defect {
	return defect{
		Info: Info{
			Name:      "cancel-forgets-receipt",
			Summary:   "After a cancel, verification of what was already sent goes on, and a late success is kept as real.",
			Rule:      "receipt-dropped",
			Scenarios: []string{"cancel-late-receipt", "cancel-held-request"},
			Covers:    []string{"B30", "B31", "C5"},
		},
		apply: func(p *policies) {
			p.cancel = func(v *view, _ *bid) (move, bool) {
				return move{do: doConclude, status: "cancelled", silent: true}, true
			}
		},
	}
}
