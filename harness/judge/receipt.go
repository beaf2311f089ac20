package judge

import (
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// receipt checks that a fault fired as it was planned: after it was armed, once
// at each of its calls, at no other call, and at its moment. One that did not is
// the harness's error, whatever came of it. Only of a history that tells the
// steps of its anchors all this is known.
func (p *replay) receipt(f *planned, r *history.Record) {
	if f.plan.Fault.Steps == 0 {
		return
	}
	wrong := func(format string, args ...any) {
		args = append([]any{r.Fault.ID, f.plan.Fault.Anchor, r.N}, args...)
		p.note("fault %s (%s) fired in record %d "+format, args...)
	}
	if !f.armed {
		wrong("without having been armed")
	}
	at := lastStep(f.plan.Fault.Anchor, r.Task)
	switch {
	case f.fired > 0 && at.single():
		wrong("once more")
	case r.Call != "" && f.calls[r.Call]:
		wrong("once more at the same call")
	}
	f.calls[r.Call] = true
	c := p.index.calls[r.Call]
	if c == nil || !at.ofCall {
		return
	}
	if w := c.sent.Wire; !at.names(w) {
		wrong("at another call, %s.%s#%d", w.Service, w.Operation, w.Ordinal)
		return
	}
	if f.plan.Fault.Delay > 0 {
		return
	}
	passing := c.passing != nil && c.passing.N < r.N
	switch at.phase {
	case "sent":
		if c.forwarded != nil && c.forwarded.N < r.N {
			wrong("late: the request had gone on to the service")
		}
	case "replied":
		if passing {
			wrong("late: the reply had gone on to the client")
		}
	case "delivered":
		if !passing {
			wrong("early: the client had no reply")
		}
	}
}

// step is the last one of an anchor.
type step struct {
	ofCall   bool
	name     string // service.operation
	ordinals string // 2, 2..4, every; "" is the first
	phase    string
}

// lastStep reads an anchor of a task as records write it.
func lastStep(anchor, task string) step {
	if i := strings.LastIndex(anchor, " and then "); i >= 0 {
		anchor = anchor[i+len(" and then "):]
	}
	anchor = strings.TrimPrefix(anchor, task+"/")
	of, phase := anchor, ""
	if i := strings.LastIndexByte(anchor, ' '); i >= 0 {
		of, phase = anchor[:i], anchor[i+1:]
	}
	s := step{phase: phase}
	if i := strings.LastIndexByte(anchor, '#'); i >= 0 {
		s.ordinals, _, _ = strings.Cut(anchor[i+1:], " ")
	}
	s.name, _, s.ofCall = strings.Cut(of, "#")
	s.ofCall = s.ofCall && !strings.Contains(s.name, " ") && s.name != "control.confirmation"
	return s
}

// single tells whether it names one ordinal.
func (s step) single() bool { return s.ordinals != "every" && !strings.Contains(s.ordinals, "..") }

// names tells whether a call is the step's.
func (s step) names(w *history.Wire) bool {
	if s.name != w.Service+"."+w.Operation {
		return false
	}
	if s.ordinals == "every" {
		return true
	}
	first, last, several := strings.Cut(s.ordinals, "..")
	from, _ := strconv.Atoi(first)
	to := from
	if several {
		to, _ = strconv.Atoi(last)
	}
	return from <= w.Ordinal && w.Ordinal <= to
}
