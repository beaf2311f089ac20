package agent

func stopIgnored() defect {
	return defect{
		Info: Info{
			Name:      "stop-ignored",
			Summary:   "A stop by the run's own guard ends all calls.",
			Rule:      "own-stop-ignored",
			Scenarios: []string{"stopped", "stopped-during-a-call"},
			Covers:    []string{"A05", "B27"},
		},
		apply: func(p *policies) {
			p.stopped = func(bool) bool { return false }
		},
	}
}
