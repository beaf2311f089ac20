package agent

import "net/http"

func serverErrorBelieved() defect {
	return defect{
		Info: Info{
			Name:      "server-error-believed",
			Summary:   "A 502 or a 504 may follow a commit: it refuses nothing.",
			Rule:      "fabricated-failure",
			Scenarios: []string{"bad-gateway-after-commit", "gateway-timeout-after-commit"},
			Covers:    []string{"B01", "B39"},
		},
		apply: func(p *policies) {
			p.refuses = func(r reply, p promise) bool {
				return refuses(r, p) || r.status >= http.StatusInternalServerError
			}
		},
	}
}
