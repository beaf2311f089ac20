package judge

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// questionFacts are what holds of a question for one worker at one instant.
func (p *replay) questionFacts(w *work, at time.Duration) contract.Facts {
	return contract.Facts(contract.ReadOnly).With(contract.Stopped, p.inForce(history.Stop, w, at) == yes)
}

// questionRow is the row that a call of a question stands in, "" where the table has none.
func (p *replay) questionRow(w *work, at time.Duration) string {
	if row, ok := p.table.Match(contract.Unsent, p.questionFacts(w, at)); ok {
		return row.ID
	}
	return ""
}

// inQuestion starts a finding on what a question's worker did.
func (p *replay) inQuestion(w *work, at time.Duration, format string, args ...any) *Finding {
	f := &Finding{Task: w.task.id, Observed: fmt.Sprintf(format, args...)}
	facts := p.questionFacts(w, at)
	if row, ok := p.table.Match(contract.Unsent, facts); ok {
		f.Row, f.Allowed = row.ID, row.Allowed(contract.Unsent, facts)
	}
	return f
}

// tries starts a finding on an attempt.
func (p *replay) tries(a *attempt, format string, args ...any) *Finding {
	f := p.inQuestion(a.call.by, a.call.first(), format, args...)
	f.Action, f.Intent, f.Records = a.call.op.String(), a.of.String(), []int{a.call.sent.N}
	if a.prev != nil {
		f.Records = append([]int{a.prev.sent.N}, f.Records...)
	}
	if a.call.resend {
		f.Cause = resentByLibrary
	}
	return f
}

// tells starts a finding on what the model was told about a call.
func (p *replay) tells(r *result, format string, args ...any) *Finding {
	f := p.inQuestion(r.request.by, r.request.first(), format, args...)
	f.Action, f.Intent = r.request.op.String(), r.of.String()
	for _, c := range r.of.sends[:min(len(r.of.sends), maxRecords-1)] {
		f.Records = append(f.Records, c.sent.N)
	}
	f.Records = append(f.Records, r.request.sent.N)
	return f
}

// escalating starts a finding on an escalation.
func (p *replay) escalating(r *referral, format string, args ...any) *Finding {
	f := p.inQuestion(r.call.by, r.call.first(), format, args...)
	f.Action, f.Records = string(contract.Escalate), []int{r.call.sent.N}
	return f
}
