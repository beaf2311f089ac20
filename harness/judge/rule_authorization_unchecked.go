package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var authorizationUnchecked = Rule{
	ID: "authorization-unchecked", Family: Authorization, Party: Agent, Hears: true,
	Sentence: "A write was repeated without asking whether it is still authorized.",
	Correct:  "Asks for the confirmation again before every re-write: permission, version, validity.",
	Covers:   []string{"B22"},
	Duties:   []string{contract.CheckAuthorization},
	act: func(p *replay, a *act) *Finding {
		if !a.resends() || !a.lawful || a.call.resend || !a.mustCheck() {
			return nil
		}
		looked := p.looked(a)
		if looked == yes {
			return nil
		}
		f := p.about(a, "%s without a look at the confirmation since the send before it", a.action)
		f.Records = append([]int{a.prev.sent.N}, f.Records...)
		f.Uncertain = looked == maybe || p.starvedAt(a.prev.first(), a.at)
		return f
	},
}

// mustCheck tells whether every row that allows the act demands a look at the
// authorization first.
func (a *act) mustCheck() bool {
	for _, s := range a.situations {
		if s.allows(a.action) && !s.row.Demands(contract.CheckAuthorization) {
			return false
		}
	}
	return true
}

// looked tells whether the worker has asked for the authorization since its own
// last send. The gate and the control plane are scheduled apart: on a machine
// whose noise is longer than the least wait between two sends, a look may be
// recorded before the send that it followed, if the client gave that one up
// before the gate did anything about it. One that the gate read together with its
// client's end may have left as soon as its connection was open.
func (p *replay) looked(a *act) tri {
	ch, first := a.work.checks[a.intent.confirm.id], a.intent.sends[0]
	switch {
	case a.own == nil && first.sent.N > a.work.givenN && a.at <= first.first()+p.reaction(first.first()):
		return yes // two workers sent it for the first time at once, and the wire does not show who recorded it first
	case ch == nil:
		return no
	case a.own == nil, ch.last.N > a.own.sent.N, ch.last.At >= a.own.first():
		return yes
	}
	least := time.Duration(p.limits.BackoffJitter * float64(p.limits.Step(1)))
	noise := p.blur(a.own.first(), ch.last.At)
	since := a.own.first() - max(0, noise-least)
	if p.index.readLate(a.own) {
		since = min(since, a.own.conn.opened.At)
	}
	switch {
	case ch.last.At < since || noise < least || !p.index.givenUp(a.own):
		return no
	case ch.before != nil && ch.before.At >= since-least: // one look before that send, and one after
		return yes
	}
	return maybe
}
