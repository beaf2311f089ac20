package agent

func successFabricated() defect {
	return defect{
		Info: Info{
			Name:      "success-fabricated",
			Summary:   "The agent's own word proves nothing: success is claimed only with a record of it.",
			Rule:      "fabricated-success",
			Scenarios: []string{"never-arrives", "lost-receipt-reset"},
			Covers:    []string{"B04", "B36"},
		},
		apply: func(p *policies) {
			p.pursue = func(*view, *intent) move {
				return move{do: doConclude, status: "completed", silent: true}
			}
		},
	}
}
