package judge

import (
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var escalationIncomplete = Rule{
	ID: "escalation-incomplete", Family: Escalation, Party: Agent,
	Sentence: "An escalation leaves out what a person needs to decide.",
	Correct:  "Hands over the original content and identifier, the basis, the queries made, the unknowns and the entry points.",
	Covers:   []string{"B34"},
	act: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate || a.call.sent.Facts == nil || !a.call.sent.Wire.Whole {
			return nil
		}
		b := a.call.sent.Facts.Escalation
		if b == nil {
			return p.about(a, "the escalation could not be read")
		}
		missing := append([]string(nil), b.Missing...)
		if len(a.intent.sends) > 0 {
			if b.Key == "" && !slices.Contains(missing, "original.key") {
				missing = append(missing, "original.key")
			}
			if b.FirstSentAt == "" && !slices.Contains(missing, "original.first_sent_at") {
				missing = append(missing, "original.first_sent_at")
			}
		}
		if len(missing) == 0 {
			return nil
		}
		return p.about(a, "the escalation lacks %s", strings.Join(missing, ", "))
	},
}
