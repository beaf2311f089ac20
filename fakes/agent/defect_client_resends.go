package agent

func clientResends() defect {
	return defect{
		Info: Info{
			Name:      "client-resends",
			Summary:   "The attempts of all layers stay within the contract: the HTTP client does not send again behind the program's back.",
			Rule:      "resubmit-without-basis",
			Scenarios: []string{"lost-receipt-reused-unprotected"},
			Covers:    []string{"B21", "B27"},
		},
		apply: func(p *policies) {
			p.door = func() caller {
				d := newDoor()
				d.resend = true
				return d
			}
		},
	}
}
