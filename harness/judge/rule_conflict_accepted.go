package judge

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

var conflictAccepted = Rule{
	ID: "conflict-accepted", Family: Services, Party: Service,
	Sentence: "A service executed a request under an identifier that carried other content.",
	Correct:  "Rejects other content under the same identifier, explicitly and as a conflict.",
	Covers:   []string{"B10", "C2"},
	end: func(p *replay) []*Finding {
		var out []*Finding
		for _, t := range p.order {
			for _, i := range t.intents() {
				promise := i.promise.Idempotency
				if !promise.Supported || promise.Conflict != "reject" || i.form == withdrawal {
					continue
				}
				for _, r := range i.created[:min(len(i.created), maxRecords)] {
					before := p.holder(i, r)
					if before == nil {
						continue
					}
					out = append(out, &Finding{
						Task: t.id, Intent: i.String(), Records: numbers(before, r),
						Observed: fmt.Sprintf("the %s was executed under identifier %q, which carried other content", i.form, r.Facts.Key),
					})
				}
			}
		}
		return out
	},
}

// executed is where an identifier was executed.
type executed struct{ effect, key string }

// maxHolders bounds the executions of one identifier that are kept apart.
const maxHolders = 8

// executes notes under which identifier a consequence came about, whoever asked for it.
func (p *replay) executes(r *history.Record) {
	at := executed{r.Ledger.Effect, r.Facts.Key}
	if r.Facts.Key != "" && len(p.holders[at]) < maxHolders {
		p.holders[at] = append(p.holders[at], r)
	}
}

// holder is the execution of other content that held the identifier of r when r
// came about, inside its scope and its retention, or nil.
func (p *replay) holder(i *intent, r *history.Record) *history.Record {
	promise, f := i.promise.Idempotency, r.Facts
	for _, old := range p.holders[executed{r.Ledger.Effect, f.Key}] {
		switch {
		case old.N >= r.N, old.Facts.Content == f.Content, r.At-old.At >= promise.Retention():
		case old.Facts.Tenant != f.Tenant && slices.Contains(promise.Scope, "tenant"):
		case old.Facts.Object != f.Object && slices.Contains(promise.Scope, "object"):
		default:
			return old
		}
	}
	return nil
}
