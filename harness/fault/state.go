package fault

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// tracker follows an anchor through the points of a run.
type tracker struct {
	steps []Step
	next  int // the step that is awaited
}

// advance tells whether the anchor's last step is at this point, all others
// having been passed before it.
func (t *tracker) advance(p Point) bool {
	if !t.steps[t.next].Matches(p) {
		return false
	}
	if t.next < len(t.steps)-1 {
		t.next++
		return false
	}
	return true
}

// lift is the end of a hold or a window as far as anchors bring it.
type lift struct {
	trackers []*tracker
	seen     chan struct{} // closed when the first anchor has been passed
	by       string        // that anchor; set before seen is closed
}

func newLift(e End) *lift {
	l := &lift{seen: make(chan struct{})}
	for _, a := range e.Until {
		l.trackers = append(l.trackers, &tracker{steps: a.Steps})
	}
	return l
}

func (l *lift) pass(p Point) {
	for _, t := range l.trackers {
		if t.advance(p) && l.by == "" {
			l.by = Anchor{Steps: t.steps}.String()
			close(l.seen)
		}
	}
}

// state is one fault while it runs. The injector's mutex guards it.
type state struct {
	fault Planned
	final bool // it decides what becomes of the message
	at    *tracker
	armed bool            // it was told that only the last step of the anchor is awaited
	lifts []*lift         // an entry an effect; nil for those without an end
	fired map[string]bool // by task and ordinal
	came  []Point         // of a range: the calls of it whose request came
	other bool            // its call came on the other kind of connection
	wrong map[string]bool // those calls, by task and ordinal
	late  bool            // it was met, and the run ended before its delay was over
}

func newState(f Planned) *state {
	st := &state{fault: f, final: f.final() != "", at: &tracker{steps: f.At.Steps}, fired: map[string]bool{}, wrong: map[string]bool{}}
	for _, e := range f.Do {
		var l *lift
		if en, ok := e.(ending); ok {
			l = newLift(en.ends())
		}
		st.lifts = append(st.lifts, l)
	}
	return st
}

// pass tells the ends of the fault's holds about a point.
func (st *state) pass(p Point) {
	for _, l := range st.lifts {
		if l != nil {
			l.pass(p)
		}
	}
}

// note remembers a call of a range.
func (st *state) note(p Point) {
	s := st.fault.At.Last()
	if p.Event != "" || p.Phase != Sent || s.Single() || !s.Call() {
		return
	}
	if s.Phase = Sent; s.Matches(p) {
		st.came = append(st.came, p)
	}
}

// holes are the calls of a range that the fault passed over: they came, it never
// met them at its phase, and it did meet a later one.
func (st *state) holes() []Point {
	var holes []Point
	for _, p := range st.came {
		later := slices.ContainsFunc(st.came, func(q Point) bool { return q.Task == p.Task && q.Ordinal > p.Ordinal && st.fired[key(q)] })
		if later && !st.fired[key(p)] && !st.wrong[key(p)] {
			holes = append(holes, p)
		}
	}
	return holes
}

func key(p Point) string { return fmt.Sprintf("%s/%d", p.Task, p.Ordinal) }

// due tells whether the fault fires at this point, and notes that it does.
func (st *state) due(p Point) bool {
	if !st.at.advance(p) {
		return false
	}
	if (st.fault.Connection == Fresh && p.Reused) || (st.fault.Connection == Reused && !p.Reused) {
		st.other, st.wrong[key(p)] = true, true
		return false
	}
	if st.fired[key(p)] {
		return false
	}
	st.fired[key(p)] = true
	return true
}

// arms tells, once, that only the last step of the anchor is awaited, and which
// one was passed before it.
func (st *state) arms() (by string, now bool) {
	last := len(st.at.steps) - 1
	if st.armed || st.at.next < last {
		return "", false
	}
	st.armed = true
	if last > 0 {
		by = st.at.steps[last-1].String()
	}
	return by, true
}

// apply applies the effects in order, ties each hold to its end, and what the
// gate is to do to its receipt.
func (st *state) apply(f *Firing) {
	for i, e := range st.fault.Do {
		steps, weather, action, speech := len(f.steps), len(f.Order.Weather), f.Order.Action, f.Order.Speech
		e.Apply(f)
		for k := steps; k < len(f.steps); k++ {
			f.steps[k].fault, f.steps[k].lift = st.fault, st.lifts[i]
		}
		receipt := &history.Fault{ID: st.fault.ID, Anchor: st.fault.At.String(), Effect: e.String(), Optional: st.fault.Optional}
		for k := weather; k < len(f.Order.Weather); k++ {
			f.Order.Weather[k].Receipt = receipt
		}
		if f.Order.Action != action {
			f.Order.Receipt = receipt
		}
		if f.Order.Speech != speech {
			said := *f.Order.Speech // an effect says the same at every point
			said.Receipt = receipt
			f.Order.Speech = &said
		}
	}
}

// concerns tells whether a point is one of the fault's anchor, or of the end of
// what it holds.
func (st *state) concerns(p Point) bool {
	is := func(s Step) bool { return s.Matches(p) }
	if slices.ContainsFunc(st.fault.At.Steps, is) {
		return true
	}
	for _, l := range st.lifts {
		if l != nil && slices.ContainsFunc(l.trackers, func(t *tracker) bool { return slices.ContainsFunc(t.steps, is) }) {
			return true
		}
	}
	return false
}

// why says why the fault never fired.
func (st *state) why() string {
	switch {
	case st.late:
		return "the run ended before its delay was over"
	case st.other:
		return history.NotReused
	case st.at.next > 0:
		return fmt.Sprintf("its anchor was passed up to %q; %q did not come after it", st.at.steps[st.at.next-1], st.at.steps[st.at.next])
	}
	return fmt.Sprintf("%q was not reached", st.at.steps[0])
}
