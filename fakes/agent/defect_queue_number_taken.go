package agent

import "net/http"

func queueNumberTaken() defect {
	return defect{
		Info: Info{
			Name:      "queue-number-taken",
			Summary:   "A gateway's queue number is not acceptance.",
			Rule:      "acceptance-assumed",
			Scenarios: []string{"gateway-queue"},
			Covers:    []string{"B05"},
		},
		apply: func(p *policies) {
			p.assured = func(r reply) bool { return r.status == http.StatusAccepted }
		},
	}
}
