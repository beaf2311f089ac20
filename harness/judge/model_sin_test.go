package judge_test

import (
	"flag"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// sin is one unlawful thing that an otherwise lawful agent does once.
type sin struct {
	name string
	want []string // one of these rules and no other must be found
	// may tells whether it would be one now, whatever the evidence is thought to be; quick leaves no time for
	// a last look before it is done.
	may   func(c *crew, m *matter, e *evidence, r rights) bool
	quick bool
	blind bool // without a look even then
	fresh bool // no connection is used twice: a library might send again by itself
	do    func(c *crew, t *thread, m *matter)
	// end lets the run end as it does, so that the rules that look at the whole have their say.
	end bool
}

// calm tells whether nothing but the submission's own standing decides.
func calm(c *crew, m *matter) bool {
	return !c.cancelled && !c.stopped && !c.revised() && !c.denied(m) && c.w.disk.handed == nil
}

func doubt(c *crew, m *matter, e *evidence) bool {
	return calm(c, m) && e.standing == contract.InDoubt && !e.forbidden && !c.w.hinted
}

// again sends the submission once more, with what change makes of it.
func again(change func(c *crew, f *history.Facts)) func(*crew, *thread, *matter) {
	return func(c *crew, t *thread, m *matter) {
		f := c.facts(m)
		change(c, &f)
		c.call(t, operationOf(m), f)
	}
}

func same(*crew, *history.Facts) {}

func ended(status string) func(*crew, *thread, *matter) {
	return func(c *crew, t *thread, _ *matter) { c.end(t, status) }
}

func claimed(state string, ref func(*crew, *matter) string) func(*crew, *thread, *matter) {
	return func(c *crew, t *thread, m *matter) { c.claim(t, state, ref(c, m)) }
}

func none(*crew, *matter) string { return "" }

// told hands the matter over, with what change makes of a true account.
func told(key string, change func(*history.Brief)) func(*crew, *thread, *matter) {
	return func(c *crew, t *thread, m *matter) {
		b := c.brief(m)
		change(&b)
		c.call(t, "desk.escalate", history.Facts{Key: key, Escalation: &b})
	}
}

func truly(*history.Brief) {}

// TestOneUnlawfulActIsFoundAsWhatItIs is property B: the histories of property A,
// with one unlawful action inserted where the evidence leaves no doubt, are a
// violation of that rule and of no other.
func TestOneUnlawfulActIsFoundAsWhatItIs(t *testing.T) {
	contractTable := table(t)
	for _, s := range slices.Concat(sins, silences) {
		t.Run(s.name, func(t *testing.T) {
			done := 0
			property := func(t *rapid.T) {
				w := newWorld(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 3000).Draw(t, "choices"))
				w.plain(s)
				records := w.play(nil)
				v := judgedTwice(t, contractTable, records)
				var rules []string
				for _, f := range v.Findings {
					if f.Rule == "duplicate-consequence" {
						continue // what came of it
					}
					if f.Party == judge.Agent && !slices.Contains(rules, f.Rule) {
						rules = append(rules, f.Rule)
					}
				}
				switch {
				case !w.sinned && len(rules) > 0:
					t.Fatalf("nothing unlawful was done, and %v was found\n%s", rules, drawn(records))
				case w.sinned && (len(rules) != 1 || !slices.Contains(s.want, rules[0])):
					t.Fatalf("found %v, want one of %v\n%s", rules, s.want, drawn(records))
				case w.sinned:
					done++
				}
			}
			// An occasion for some of them is rare: more runs are drawn until there was one.
			for round := 0; round < 200 && done == 0; round++ {
				if round > 0 {
					gomega.NewWithT(t).Expect(flag.Set("rapid.seed", strconv.Itoa(round))).To(gomega.Succeed())
				}
				rapid.Check(t, property)
			}
			if done == 0 {
				t.Errorf("no run gave an occasion for it")
			}
		})
	}
}

// plain makes a world in which the evidence leaves no doubt: one worker whose
// replies are delivered or are not, and who is told of changes when it asks.
func (w *world) plain(s sin) {
	w.sin = &s
	w.noise = 2 * time.Millisecond
	w.design.inbox, w.design.lazy, w.design.blind, w.design.deaf = false, false, false, true
	w.design.impulse = 0
	w.gate.clear, w.gate.fresh = true, s.fresh
	if q := w.promises["approval.submit"]; !q.Query.ByRef {
		q.Query.ByRef = true // nothing else would tell what was decided
		w.promises["approval.submit"] = q
	}
}

// tempted does the unlawful thing if this is the moment.
func (c *crew) tempted(t *thread) bool {
	s := c.w.sin
	if s == nil || c.w.sinned || c.w.disk.result != "" {
		return false
	}
	may := func() bool {
		m, w := c.sub(), c.w
		told := c.cancelled == w.cancelled && c.stopped == w.stopped && c.known.Version == w.current().Version
		return told && s.may(c, m, c.mind(m), c.rights(m))
	}
	if !may() {
		return false
	}
	if !s.quick {
		t.sleep(max(120*time.Millisecond, c.sub().next-c.w.now)) // whatever was told is in force by now
	}
	if !s.blind {
		c.check(t)
	}
	if !may() {
		return false
	}
	c.w.sinned = true
	s.do(c, t, c.sub())
	if !s.end {
		c.w.after(10*time.Millisecond, func() { c.w.broken = true })
	}
	t.sleep(longest)
	return true
}
