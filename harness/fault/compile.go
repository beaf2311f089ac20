package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// What an effect may tell the compiler beside the methods of [Effect].
type (
	// skipping: these later phases of the same call never come.
	skipping interface{ skips(at Phase) []Phase }
	// ending: a hold or a window, with its end and the path to it below the effect's place in the list.
	ending interface {
		ends() End
		within() []string
	}
	// deferring: the consequence comes after the reply, at the end of [ending].
	deferring interface{ defers() }
	// fitting: whether this effect, with its arguments, may stand at the anchor.
	fitting interface{ fits(Anchor) error }
)

// after are the phases that come after one.
func after(at Phase) []Phase {
	return Phases()[slices.Index(Phases(), at)+1:]
}

type compiler struct {
	subject  Subject
	faults   []Fault
	problems []*Misuse
}

// complain adds a problem of fault i.
func (c *compiler) complain(i int, path []string, suggestion, format string, args ...any) {
	m := &Misuse{Message: fmt.Sprintf(format, args...), Suggestion: suggestion}
	c.problems = append(c.problems, m.under(append([]string{strconv.Itoa(i)}, path...)...))
}

func (c *compiler) checkFault(i int, f Fault) {
	if f.At.IsZero() || len(f.Do) == 0 {
		return // the reader has said what is missing
	}
	c.checkTasks(i, []string{"at"}, f.At)
	last := f.At.Last()
	if f.Connection != "" && !last.Call() {
		c.complain(i, []string{"connection"}, "", "connection: belongs to a call, and %q is none", last)
	}
	if f.Connection == Reused && last.Call() && last.Single() && last.First == 1 && opensService(last) {
		c.complain(i, []string{"connection"}, "", "the first call of %s.%s is never on a reused connection: use #2 after a 429, say", last.Service, last.Operation)
	}
	place, final := Before, ""
	for j, e := range f.Do {
		path := []string{"do", strconv.Itoa(j)}
		kind, _ := FindKind(e.Name())
		if err := kind.Stand(f.At); err != nil {
			c.complain(i, path, "", "%s", err)
		} else if fit, ok := e.(fitting); ok {
			if err := fit.fits(f.At); err != nil {
				c.complain(i, path, "", "%s", err)
			}
		}
		switch {
		case final != "" && kind.Place == Final:
			c.complain(i, path, "", "%s and %s both decide what becomes of the message: keep one", final, e.Name())
		case kind.Place < place:
			c.complain(i, path, "", "%s is carried out before %s acts on the message: put it before it", e.Name(), f.Do[j-1].Name())
		}
		place = max(place, kind.Place)
		if kind.Place == Final && final == "" {
			final = e.Name()
		}
		if _, held := e.(hold); !f.Delay.IsZero() && (held || kind.Place != Before) {
			c.complain(i, path, "", "%s acts on the message, which is gone after a delay: hold it instead, as in do: [{hold: {for: %s}}, ...]", e.Name(), f.Delay)
		}
		if confirmed := []string{"revise", "revoke", "decide"}; slices.Contains(confirmed, e.Name()) && c.unconfirmed(last) {
			c.complain(i, path, "", "%s concerns what a person confirmed, and a question has no confirmation", e.Name())
		}
		if en, ok := e.(ending); ok {
			c.checkEnd(i, append(path, en.within()...), f, e, en.ends())
		}
	}
}

// unconfirmed tells whether a step is of a task without a confirmation.
func (c *compiler) unconfirmed(s Step) bool {
	if s.Task != "" {
		return slices.Contains(c.subject.Questions, s.Task)
	}
	return len(c.subject.Questions) == len(c.subject.Tasks) && len(c.subject.Tasks) > 0
}

// checkTasks checks the tasks that an anchor names, or should name.
func (c *compiler) checkTasks(i int, path []string, a Anchor) {
	for _, s := range a.Steps {
		switch {
		case s.Task != "" && !slices.Contains(c.subject.Tasks, s.Task):
			near := Nearest(s.Task, c.subject.Tasks)
			if near == "" && len(c.subject.Tasks) == 1 {
				near = c.subject.Tasks[0]
			}
			if near != "" {
				near = strings.Replace(a.String(), s.Task+"/", near+"/", 1)
			}
			c.complain(i, path, near, "there is no task %q: the tasks are %s", s.Task, strings.Join(c.subject.Tasks, ", "))
		case s.Task == "" && len(c.subject.Tasks) > 1:
			named := s
			named.Task = c.subject.Tasks[0]
			c.complain(i, path, strings.Replace(a.String(), s.String(), named.String(), 1), "there are several tasks (%s): say which one %q is about", strings.Join(c.subject.Tasks, ", "), s)
		}
	}
}

// checkEnd checks the end of a hold or a window.
func (c *compiler) checkEnd(i int, path []string, f Fault, e Effect, end End) {
	held := f.At.Last()
	_, holds := e.(hold)
	for k, a := range end.Until {
		at := append(slices.Clone(path), "until", strconv.Itoa(k))
		c.checkTasks(i, at, a)
		for _, s := range a.Steps {
			if holds && held.Single() && sameOperation(held, s) {
				switch {
				case s.First == held.First && slices.Contains(after(held.Phase), s.Phase):
					c.complain(i, at, "", "%q is never reached while that call is held at %s", s, held.Phase)
				case s.First == held.First && len(a.Steps) == 1, s.First < held.First && s.Phase == Sent && len(a.Steps) == 1:
					c.complain(i, at, "", "%q has passed when the hold begins, so it would end at once", s)
				}
			}
		}
	}
	_, defers := e.(deferring)
	before := held.Call() && slices.Contains([]Phase{Sent, Received, Validated}, held.Phase)
	if !before || !holds && !defers {
		return
	}
	promise, ok := c.subject.Guarantees[held.Service+"."+held.Operation]
	if !ok || !promise.Idempotency.Supported {
		return
	}
	// A request that arrives when its deduplication record is gone is carried out a second time, and nobody has
	// done anything wrong: such a scenario proves nothing. The first send may be held as long as a record made by
	// a replay right behind it lives. A later one may in addition have left late: by then the record of the
	// first is as old as the attempts before it take.
	l := c.subject.Limits
	longest := time.Duration(CapTimes * float64(l.VerificationPeriod))
	if !end.For.IsZero() {
		longest = min(longest, end.For.Of(l))
	}
	gone := time.Duration(held.First-1) * (l.AttemptTimeout + l.BackoffMax)
	if retention := promise.Idempotency.Retention(); retention > 0 && gone+longest >= retention {
		c.complain(i, path, "", "this can carry %s past the retention of its identifier (%s, of which %s may be gone), and then a second consequence is nobody's fault: add a shorter for:, such as for: 1 attempt_timeout", held, times(retention, l), times(gone, l))
	}
}

// times is a duration told as a multiple of the retention, independent of the time scale.
func times(d time.Duration, l contract.Limits) string {
	if l.AttemptTimeout <= 0 {
		return d.String()
	}
	return strconv.FormatFloat(float64(d*100/l.AttemptTimeout)/100, 'f', -1, 64) + " attempt_timeout"
}

// opensService tells whether an operation is the first that a task makes of
// its service.
func opensService(s Step) bool {
	return s.Operation == "submit" || s.Operation == "buy" || s.Operation == "escalate"
}

// sameOperation tells whether two steps can concern calls of one operation of one task.
func sameOperation(a, b Step) bool {
	return a.Call() && b.Call() && a.Service == b.Service && a.Operation == b.Operation && a.Task == b.Task
}
