package judge

import "fmt"

var dedupNotAtomic = Rule{
	ID: "dedup-not-atomic", Family: Services, Party: Service,
	Sentence: "A service saved a consequence and its deduplication record apart, and lost the record.",
	Correct:  "Links deduplication and execution in one transaction, or by a unique constraint.",
	Covers:   []string{"B13"},
	end: func(p *replay) []*Finding {
		var out []*Finding
		for _, t := range p.order {
			for _, i := range t.intents() {
				if len(i.created) == 0 || i.created[0].Facts.Key == "" || !i.promise.Idempotency.Supported || i.form == withdrawal {
					continue
				}
				// The record must stand by the time the consequence could come a second time, or at the end.
				by := p.index.end.N
				if len(i.created) > 1 {
					by = i.created[1].N
				}
				if i.storedBefore(by) || len(i.created) > 1 && p.overlapped(i) {
					continue
				}
				out = append(out, &Finding{
					Task: t.id, Intent: i.String(), Records: numbers(i.created...),
					Observed: fmt.Sprintf("the %s was executed, and its deduplication record was not saved with it", i.form),
				})
			}
		}
		return out
	},
}

// storedBefore tells whether the deduplication record of the intent stood in the ledger by then.
func (i *intent) storedBefore(n int) bool { return i.storedN != 0 && i.storedN < n }
