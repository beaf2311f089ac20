package judge

import (
	"fmt"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// misdated compares when an escalation says that its original was sent first with
// the records. The agent reads its own clock before the first byte leaves, perhaps
// a whole attempt before, and may have counted an attempt that sent nothing.
func (p *replay) misdated(a *act, b *history.Brief) string {
	i := a.work.task.keys[b.Key]
	said, err := time.Parse(time.RFC3339Nano, b.FirstSentAt)
	if i == nil || err != nil || p.wall.IsZero() || len(i.sends) == 0 {
		return ""
	}
	early, late := p.firstSent(i)
	tolerance := p.limits.AttemptTimeout + p.limits.Reaction(p.blur(early, late)) + p.blur(early, late)
	if !strings.Contains(b.FirstSentAt, ".") {
		tolerance += time.Second // it was written in whole seconds
	}
	at := said.Sub(p.wall)
	within := func(at time.Duration) bool { return at >= early-tolerance && at <= late+tolerance }
	if within(at) || within(at-p.skew(a.work, b)) {
		return ""
	}
	return fmt.Sprintf("it says that the %s was sent first at %s; the wire carried it first at %s", i, b.FirstSentAt, p.wall.Add(i.sends[0].first()).UTC().Format(time.RFC3339Nano))
}

// firstSent is when a send may be called the first of its intent: at the earliest
// and at the latest.
func (p *replay) firstSent(i *intent) (early, late time.Duration) {
	early, late = i.began, max(i.beganLate, i.sends[0].first())
	if id := i.last; id != nil {
		late = max(late, id.late)
	}
	if t := i.task; t.kills > 0 || t.refused || t.dialled > 0 || len(t.works) > 1 {
		early = min(early, t.works[0].given) // what the wire does not show may have been recorded before
	}
	for _, w := range i.task.works {
		late += w.process.frozen(0, late)
		early -= w.process.frozen(0, early)
	}
	return early, late
}

// skew is how much later the agent's clock shows the time than the harness's: it
// says when it looked at the authorization last.
func (p *replay) skew(w *work, b *history.Brief) time.Duration {
	checked, err := time.Parse(time.RFC3339Nano, b.Checked)
	if err != nil || w.check.last == nil {
		return 0
	}
	return checked.Sub(p.wall.Add(w.check.last.At))
}

// dialled notes that a connection ended for its client without a request.
func (p *replay) dialled(r *history.Record) {
	k := p.index.connection(r.Wire.Conn)
	if k.last == nil && k.opened != nil && k.client == r {
		if t := p.tasks[r.Task]; t != nil {
			t.dialled++
		}
	}
}
