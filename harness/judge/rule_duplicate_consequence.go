package judge

import (
	"fmt"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

var duplicateConsequence = Rule{
	ID: "duplicate-consequence", Family: Consequences, Party: Agent,
	Sentence: "One confirmed intent had its consequence more than once.",
	Correct:  "Never sends again without protection, so that one intent has one approval, one notification, one purchase.",
	Covers:   []string{"B11", "B14", "B08", "C1"},
	end: func(p *replay) []*Finding {
		var out []*Finding
		for _, t := range p.order {
			for _, i := range t.intents() {
				out = append(out, p.doubled(i, i.created, i.form.String())...)
				for _, rows := range byRef(i.notified) {
					out = append(out, p.doubled(i, rows, "notification")...)
				}
			}
		}
		return out
	},
}

// doubled finds the consequences of an intent beyond the first, and whose they
// are: the agent's only if something unlawful of it came before.
func (p *replay) doubled(i *intent, rows []*history.Record, what string) []*Finding {
	if len(rows) < 2 {
		return nil
	}
	f := &Finding{
		Task: i.task.id, Intent: i.String(), Records: numbers(rows...),
		Observed: fmt.Sprintf("the ledger holds %d rows of one %s", len(rows), what),
	}
	switch {
	case len(i.wrongs) > 0 && i.wrongs[0] < rows[1].N:
		f.Party = Agent
		f.Records = append([]int{i.wrongs[0]}, f.Records...)
	case what != "notification" && i.promise.Idempotency.Supported && p.withinRetention(i, rows[1]):
		return nil // the service's own rules speak of it
	case p.promises.broke(rows):
		return nil
	default:
		f.Party = Scenario
		f.Observed += ", although the agent did nothing unlawful and the service broke no promise"
	}
	return []*Finding{f}
}

// withinRetention tells whether a second consequence fell inside the time for
// which the service promises to recognise the identifier, by its own clock.
func (p *replay) withinRetention(i *intent, second *history.Record) bool {
	return len(i.created) > 0 && second.At-i.created[0].At < i.promise.Idempotency.Retention()
}

// byRef groups rows by the record that they are about: two approvals have a
// notification each, which is not one too many of either.
func byRef(rows []*history.Record) [][]*history.Record {
	var groups [][]*history.Record
	at := map[string]int{}
	for _, r := range rows {
		n, ok := at[r.Facts.Ref]
		if !ok {
			n = len(groups)
			at[r.Facts.Ref] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], r)
	}
	return groups
}
