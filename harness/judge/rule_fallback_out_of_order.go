package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var fallbackOutOfOrder = Rule{
	ID: "fallback-out-of-order", Family: Loop, Party: Agent,
	Sentence: "A fallback was used before what stands before it had failed.",
	Correct:  "Goes along the declared chain from its first element.",
	Covers:   []string{"A14", "A15"},
	Duties:   []string{contract.DeclaredFallback},
	attempt: func(p *replay, a *attempt) *Finding {
		if a.side || a.q.crowded || a.q.task.refused {
			return nil
		}
		before := ""
		switch e := a.of; {
		case e.turn != nil:
			before = a.q.modelBefore(e)
		case e.by != nil:
			before = a.q.toolBefore(e)
		case len(e.walked) > 0:
			before = p.walkedBefore(a)
		}
		if before == "" {
			return nil
		}
		f := p.tries(a, "%s was tried before %s had failed", a.of, before)
		f.Uncertain = p.starvedAt(a.instants()...) // the gate may have heard of them in another order
		return f
	},
}

// modelBefore is the model that should have been asked first, or "". What was
// given up in an earlier turn need not be tried again.
func (q *question) modelBefore(e *errand) string {
	place := slices.Index(q.models, e.tool)
	if place <= q.reached {
		return ""
	}
	last := q.models[place-1]
	if before := e.turn.of(last); before != nil && before.last != succeeded {
		return ""
	}
	return last
}

// walkedBefore is the tool that should have been tried before one in its chain
// that nobody asked for, or "".
func (p *replay) walkedBefore(a *attempt) string {
	before := ""
	for _, of := range a.of.walked {
		if before = p.inFront(a, of); before == "" {
			return ""
		}
	}
	return before
}

// inFront is what should have been tried before an attempt that takes the place
// of one errand, or "".
func (p *replay) inFront(a *attempt, of *errand) string {
	q := a.q
	switch {
	case len(of.sends) == 0 && of.misfit == "" && q.failed[of.wish] == 0 && of.elder == nil:
		return of.tool
	case len(of.served) >= of.times() && p.earlier(of.served[of.times()-1], a.call) == yes:
		return of.tool
	}
	chain := q.chains[of.tool]
	for _, tool := range chain[:max(0, slices.Index(chain, a.of.tool))] {
		if !q.tried[tool] {
			return tool
		}
	}
	return ""
}

// toolBefore is the tool of a chain that should have been tried before one that
// an answer to the failure asks for, or "".
func (q *question) toolBefore(e *errand) string {
	found := ""
	for tool, g := range q.gaps {
		place := slices.Index(q.chains[tool], e.tool)
		switch {
		case tool == e.tool:
			return ""
		case place < 0 || g.filled || e.by.call.sent.N < g.since:
			continue
		}
		n := slices.IndexFunc(q.chains[tool][:place], func(name string) bool { return !q.tried[name] })
		if n < 0 {
			return "" // in the place of this one it is right
		}
		if name := q.chains[tool][n]; found == "" || name < found {
			found = name
		}
	}
	return found
}
