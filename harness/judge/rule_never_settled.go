package judge

import (
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var neverSettled = Rule{
	ID: "never-settled", Family: Bounds, Party: Agent, Hears: true, Owes: true,
	Sentence: "The task was never brought to a result.",
	Correct:  "Ends every task: with a result that the evidence carries, or by handing over.",
	Covers:   []string{"A07", "B25"},
	Duties:   []string{contract.Result},
	end: func(p *replay) []*Finding {
		if p.interrupted() {
			return nil
		}
		var out []*Finding
		for _, t := range p.order {
			w := t.lastWork()
			if len(t.results) > 0 || w == nil || t.crashed() != nil {
				continue
			}
			f := &Finding{Task: t.id, Observed: "no result was posted while the run watched", Records: []int{p.index.end.N}}
			if i := t.newest(); i != nil {
				f.Intent = i.String()
				f.Row = p.rowName(i, w, p.index.end.At)
				if p.owesNotice(i, w) {
					f.Observed += "; its notification has failed and was owed, whether or not the request is decided"
					f.Allowed = []string{string(contract.Notify)}
				}
			}
			out = append(out, f)
		}
		if len(p.order) == 0 {
			out = append(out, &Finding{Observed: "the agent never asked for work", Records: []int{p.index.end.N}})
		}
		for _, f := range out {
			f.Uncertain = p.starved() || p.unproven() // there may have been no time, or nothing yet to end it for
		}
		return out
	},
}

// unproven tells whether the scenario waited for a reply to be taken that was
// passed to the client, and of which its connection never showed that it was: what
// was to come then, a cancellation, say, has not come.
func (p *replay) unproven() bool {
	for _, f := range p.coverage.inPlan() {
		call, waits := strings.CutSuffix(f.plan.Fault.Anchor, " delivered")
		if !waits || f.fired > 0 || f.plan.Fault.Optional {
			continue
		}
		name, _, _ := strings.Cut(call[strings.LastIndexAny(call, " /")+1:], "#")
		for _, c := range p.index.inOrder {
			if c.op.String() == name && p.index.classify(c) == ambiguous {
				return true
			}
		}
	}
	return false
}

// owesNotice tells whether a worker knew to the end that a notification is
// missing, and sent none although it may.
func (p *replay) owesNotice(i *intent, w *work) bool {
	all := p.situations(i, w, p.index.end.At)
	return surely(all, contract.NotificationMissing) && allows(all, contract.Notify) && i.depends[notification].begun(w) == no
}
