package agent

func givesUpAsFailed() defect {
	return defect{
		Info: Info{
			Name:      "gives-up-as-failed",
			Summary:   "A client-side exception is not a business failure; unverified stays unverified.",
			Rule:      "fabricated-failure",
			Scenarios: []string{"lost-receipt-reset", "bad-gateway-after-commit"},
			Covers:    []string{"B01", "B29", "B39"},
		},
		apply: func(p *policies) {
			p.pursue = func(*view, *intent) move {
				return move{do: doConclude, status: "refused", claim: "failed", silent: true}
			}
		},
	}
}
