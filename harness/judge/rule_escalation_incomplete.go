package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var escalationIncomplete = Rule{
	ID: "escalation-incomplete", Family: Escalation, Party: Agent, Hears: true,
	Sentence: "An escalation leaves out what a person needs to decide.",
	Correct:  "Hands over the original content and identifier, the basis, the queries made, the unknowns and the entry points.",
	Covers:   []string{"B34", "A18"},
	act: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate || a.call.sent.Facts == nil || !a.call.sent.Wire.Whole {
			return nil
		}
		b := a.call.sent.Facts.Escalation
		if b == nil {
			return p.about(a, "the escalation could not be read")
		}
		missing := slices.Clone(b.Missing)
		lacks := func(field string, holds bool) {
			if holds && !slices.Contains(missing, field) {
				missing = append(missing, field)
			}
		}
		lacks("original.key", b.Key == "" && len(a.intent.sends) > 0)
		lacks("original.first_sent_at", b.FirstSentAt == "" && a.work.task.keys[b.Key] != nil)
		told := len(missing)
		for _, c := range queriesOf(a, b) {
			lacks(fmt.Sprintf("queries (it reports %d calls of %s; the wire carried %d)", c.said, c.name, c.sent), !a.again && c.said < c.least)
		}
		if len(missing) == 0 {
			return nil
		}
		f := p.about(a, "the escalation lacks %s", strings.Join(missing, ", "))
		f.Uncertain = told == 0 && p.starvedAt(a.at) // the gate may have heard of a query that its client had given up
		return f
	},
	referral: func(p *replay, r *referral) *Finding {
		if r.call.sent.Facts == nil || !r.call.sent.Wire.Whole {
			return nil
		}
		b := r.call.sent.Facts.Escalation
		if b == nil {
			return p.escalating(r, "the escalation could not be read")
		}
		var missing []string
		for field, said := range map[string]bool{"task": b.Task != "", "last_error": b.LastError != "" || !r.q.failing, "trace": !slices.Contains(b.Missing, "trace")} {
			if !said {
				missing = append(missing, field)
			}
		}
		if len(missing) == 0 {
			return nil
		}
		slices.Sort(missing)
		return p.escalating(r, "the escalation lacks %s", strings.Join(missing, ", "))
	},
}
