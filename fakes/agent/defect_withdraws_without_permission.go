package agent

func withdrawsWithoutPermission() defect {
	return defect{
		Info: Info{
			Name:      "withdraws-without-permission",
			Summary:   "A withdrawal needs a permission of its own.",
			Rule:      "compensation-unauthorized",
			Scenarios: []string{"withdrawal-not-permitted"},
			Covers:    []string{"B22", "B32"},
		},
		apply: func(p *policies) {
			p.denied = func(action string, is bool) bool { return is && action != withdrawAction }
		},
	}
}
