package judge

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

var claimMissing = Rule{
	ID: "claim-missing", Family: Truth, Party: Agent, Hears: true, Owes: true,
	Sentence: "A state that people must know of was never claimed.",
	Correct:  "Claims an unknown outcome as pending verification, an accepted request as tracked, with its reference, and a preview as ready.",
	Covers:   []string{"B03", "B04", "B31", "B38"},
	Duties:   []string{contract.ClaimPending, contract.ClaimTracking, contract.ClaimRef, contract.ClaimPreview},
	state: func(p *replay, s *statement) *Finding {
		if !s.result {
			return nil
		}
		for _, i := range s.about() {
			if demands(p.situations(i, s.work, s.rec.At), contract.ClaimPreview) && !i.previewed() {
				return p.says(s, i, "ended as %s, and no claim said that a preview is ready", s.state())
			}
		}
		return nil
	},
}

// previewed tells whether a preview of a submission, or of a version before it that
// the worker may still have taken for the newest, was claimed.
func (i *intent) previewed() bool {
	for v := i.confirm.version; v > 0 && v > i.confirm.version-maxOlder; v-- {
		if old := i.task.submission(i.confirm.id, v); old != nil && old.claimed[contract.ClaimPreview] {
			return true
		}
	}
	return false
}

// unclaimed is the finding about a debt that was over at a record.
func (p *replay) unclaimed(w *work, d *debt, r *history.Record, late time.Duration) *Finding {
	owed := map[string]string{
		contract.ClaimPending: "pending_verification", contract.ClaimTracking: "tracking", contract.ClaimRef: "anything with the reference of its record",
	}[d.duty]
	f := &Finding{
		Task: w.task.id, Intent: d.intent.String(), Action: "claim", Records: append(numbers(d.since), d.intent.sent()...),
		Observed: fmt.Sprintf("%s was owed a claim of %s for %s, and nobody made it", d.intent, owed, millis(r.At-d.since.At)),
	}
	for n := range p.table.Rows {
		if row := &p.table.Rows[n]; row.Demands(d.duty) {
			f.Row = row.ID
		}
	}
	return p.timed(f, late, d.since.At, r.At)
}
