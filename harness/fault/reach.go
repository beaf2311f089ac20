package fault

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// checkReach refuses anchors that no correct agent can ever reach.
func (c *compiler) checkReach() {
	for i, f := range c.faults {
		c.checkSteps(i, []string{"at"}, f.At)
		for j, e := range f.Do {
			if en, ok := e.(ending); ok {
				for k, a := range en.ends().Until {
					path := append([]string{"do", strconv.Itoa(j)}, en.within()...)
					c.checkSteps(i, append(path, "until", strconv.Itoa(k)), a)
				}
			}
		}
		c.checkRival(i, f)
		c.checkLate(i, f)
	}
}

func (c *compiler) checkSteps(i int, path []string, a Anchor) {
	for k, s := range a.Steps {
		switch {
		case s.Event == TaskCancelled && c.count("cancel") == 0:
			c.complain(i, path, "", "%q is never reached: no fault of this scenario does cancel", s)
		case s.Event == AgentStarted && s.First > 1 && s.Last != NoEnd && c.count("kill")+c.count("redispatch") == 0:
			c.complain(i, path, "", "%q is never reached: no fault of this scenario does kill or redispatch", s)
		case s.Call() && c.subject.Services != nil && !slices.Contains(c.subject.Services, s.Service):
			c.complain(i, path, "", "%q is never reached: no task here is given the service %s", s, s.Service)
		case s.Call() && s.First > c.budget(s):
			c.complain(i, path, "", "%q is never reached: a correct agent sends %s.%s at most %d times here", s, s.Service, s.Operation, c.budget(s))
		case k > 0 && comesBefore(s, a.Steps[k-1]) && c.deferred(s) < 0:
			c.complain(i, path, "", "%q is never reached after %q: it comes before it", s, a.Steps[k-1])
		}
		if j, by, ok := c.skipped(s); ok {
			c.complain(i, path, "", "%q is never reached: fault %d does %s at %q, and the call gets no further", s, j+1, by, c.faults[j].At)
		}
	}
}

// count is how many effects of this name the scenario has. One that fires at
// several points counts as many times as it may fire.
func (c *compiler) count(name string) int {
	n := 0
	for _, f := range c.faults {
		for _, e := range f.Do {
			if e.Name() != name {
				continue
			}
			if s := f.At.Last(); s.Last == NoEnd {
				n += maxOrdinal
			} else {
				n += s.Last - s.First + 1
			}
		}
	}
	return n
}

// budget is the highest ordinal that a write of a correct agent can have: the
// attempts of every intent, and one more a kill and a second worker. Reads are
// not bounded.
func (c *compiler) budget(s Step) int {
	op, ok := contract.FindOperation(s.Service + "." + s.Operation)
	if !ok || !op.Write || op.Service == "knowledge" || c.subject.Limits.MaxAttempts <= 0 {
		return NoEnd
	}
	intents := max(1, c.subject.Intents) + c.count("revise") + c.count("decide")
	return c.subject.Limits.MaxAttempts*intents*(1+c.count("redispatch")) + c.count("kill")
}

// comesBefore tells whether one step of a call always precedes another of it,
// or is the same.
func comesBefore(s, other Step) bool {
	if !sameOperation(s, other) || !s.Single() || !other.Single() {
		return false
	}
	if s.Phase == Sent && s.First <= other.First {
		return true
	}
	return s.First == other.First && !slices.Contains(after(other.Phase), s.Phase)
}

// skipped looks for another fault that certainly keeps a call from a step.
func (c *compiler) skipped(s Step) (fault int, effect string, ok bool) {
	if !s.Call() || !s.Single() {
		return 0, "", false
	}
	for j, f := range c.faults {
		at := f.At.Last()
		if f.Optional || f.Connection != "" || len(f.At.Steps) != 1 || !sameOperation(at, s) || !at.Covers(s.First) {
			continue
		}
		for _, e := range f.Do {
			if sk, is := e.(skipping); is && slices.Contains(sk.skips(at.Phase), s.Phase) && !f.delayed() && !f.defers() {
				return j, e.Name(), true
			}
		}
	}
	return 0, "", false
}

// deferred is the fault that lets the consequence of a step's call come after
// its reply, -1 when there is none.
func (c *compiler) deferred(s Step) int {
	return slices.IndexFunc(c.faults, func(f Fault) bool {
		at := f.At.Last()
		return f.defers() && sameOperation(at, s) && s.Single() && at.Covers(s.First)
	})
}

// checkLate refuses another reply at a moment at which the reply has been
// written.
func (c *compiler) checkLate(i int, f Fault) {
	s := f.At.Last()
	if !s.Call() || s.Phase != Committed {
		return
	}
	for k, e := range f.Do {
		if j := c.deferred(s); j >= 0 && (e.Name() == "status" || e.Name() == "reply") {
			c.complain(i, []string{"do", strconv.Itoa(k)}, "", "%s comes too late: fault %d lets %s.%s#%d be committed after its reply; put it at validated, behind create", e.Name(), j+1, s.Service, s.Operation, s.First)
		}
	}
}

// defers tells whether the consequence comes after the reply, whatever that is.
func (f Fault) defers() bool {
	return slices.ContainsFunc(f.Do, func(e Effect) bool {
		_, is := e.(deferring)
		return is
	})
}

func (f Fault) delayed() bool { return !f.Delay.IsZero() }

// checkRival refuses a fault that would decide about a message that an earlier
// fault of the list certainly decides about.
func (c *compiler) checkRival(i int, f Fault) {
	for j, g := range c.faults[:i] {
		a, b := f.At.Last(), g.At.Last()
		if len(f.At.Steps) != 1 || len(g.At.Steps) != 1 || !sameOperation(a, b) || a.Phase != b.Phase || a.First > b.Last || b.First > a.Last {
			continue
		}
		if f.Connection != "" && g.Connection != "" && f.Connection != g.Connection {
			continue
		}
		if mine, his := f.final(), g.final(); mine != "" && his != "" {
			c.complain(i, []string{"at"}, "", "fault %d already does %s to this message: one fault decides what becomes of it", j+1, his)
		}
	}
}

// final names the effect that decides what becomes of the message, or "".
func (f Fault) final() string {
	for _, e := range f.Do {
		if k, _ := FindKind(e.Name()); k.Place == Final {
			return e.Name()
		}
	}
	return ""
}

// checkReceipt demands a fault that every correct agent meets: without one the
// scenario could pass by accident.
func (c *compiler) checkReceipt() {
	if len(c.faults) == 0 || slices.ContainsFunc(c.faults, func(f Fault) bool { return !f.Optional && c.certain(f) }) {
		return
	}
	for _, f := range c.faults {
		if f.At.IsZero() {
			return // its anchor could not be read, so nothing is known
		}
	}
	m := &Misuse{Message: "no fault is sure to be met: at least one must not be optional and must hit the first send of a write, such as approval.submit#1, or a moment that every agent passes (agent started, control.confirmation#1 delivered, an event that is emitted)"}
	if opens := c.subject.Opens; len(opens) > 0 {
		var calls []string
		for _, op := range slices.Sorted(maps.Keys(opens)) {
			calls = append(calls, op+"#1")
			if n := opens[op]; n > 1 {
				calls[len(calls)-1] += " to #" + strconv.Itoa(n)
			}
		}
		m.Message += ", or a call that every agent makes here (" + strings.Join(calls, ", ") + ")"
	}
	c.problems = append(c.problems, m)
}

// certain tells whether every correct agent meets the fault. The documented
// exceptions to "it hits the first send" are moments that no choice of the
// agent can avoid.
func (c *compiler) certain(f Fault) bool {
	if f.Connection == Reused {
		return false
	}
	for _, s := range f.At.Steps {
		switch {
		case s.Event == AgentStarted, s.Event == TaskCancelled, s.Event == EventEmitted, s.Event == ConfirmationDelivered && s.First == 1:
		case s.Call() && s.First <= c.subject.Opens[s.Service+"."+s.Operation]:
		case s.Call() && s.First == 1:
			op, _ := contract.FindOperation(s.Service + "." + s.Operation)
			if !op.Write || op.Name == "void" || op.Service == "knowledge" {
				return false
			}
		default:
			return false
		}
	}
	return true
}
