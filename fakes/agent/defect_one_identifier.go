package agent

import "fmt"

func oneIdentifier() defect {
	return defect{
		Info: Info{
			Name:      "one-identifier",
			Summary:   "Every action has an identifier of its own.",
			Rule:      "identifier-reused",
			Scenarios: []string{"no-fault", "narrow-scope", "acceptance-unannounced"},
			Covers:    []string{"B09", "B32"},
		},
		apply: func(p *policies) {
			p.key = func(in *intent) string { return fmt.Sprintf("%s-%d", in.Confirmation.ID, in.Confirmation.Version) }
		},
	}
}
