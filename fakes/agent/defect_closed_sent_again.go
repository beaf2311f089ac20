package agent

func closedSentAgain() defect {
	return defect{
		Info: Info{
			Name:      "closed-sent-again",
			Summary:   "What a person has closed is not sent again.",
			Rule:      "closed-matter-continued",
			Scenarios: []string{"decided-close"},
			Covers:    []string{"B35", "B25"},
		},
		apply: func(p *policies) {
			p.handedOver = func(v *view, b *bid, h *handover) move {
				again := *h
				if h.Choice == "close" && !h.ChosenAt.IsZero() {
					if later := h.ChosenAt.Add(v.task.Limits.attemptTimeout()); v.now.Before(later) {
						return v.wait(later)
					}
					again.Choice = "resubmit"
				}
				return v.afterHandover(b, &again)
			}
		},
	}
}
