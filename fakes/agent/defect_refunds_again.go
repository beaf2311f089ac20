package agent

func refundsAgain() defect {
	return defect{
		Info: Info{
			Name:      "refunds-again",
			Summary:   "A tool call whose every repetition has a consequence of its own carries one identifier in every attempt.",
			Rule:      "resubmit-without-basis",
			Scenarios: []string{"refund-receipt-lost", "kill-during-a-refund", "refund-asked-for-again"},
			Covers:    []string{"B21", "B37"},
		},
		apply: func(p *policies) {
			p.loop.key = func(*loop, toolCall) string { return "" }
		},
	}
}
