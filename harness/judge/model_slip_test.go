package judge_test

import (
	"flag"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// slip is one unlawful thing that an otherwise lawful loop does once.
type slip struct {
	name string
	want []string // one of these rules and no other must be found

	prepare func(w *quiz)
	kills   bool // processes are killed
	end     bool // the run ends as it does, so that the rules that look at the whole have their say
	hangs   bool // an attempt has no time-out
	late    bool // it shows in the next request to the model

	// Of these, each is asked where it can be done, and says whether it was: ignore where a rule of the loop
	// would decide, spoil where the conversation is sent, spoilt where a tool message enters it, step between
	// two steps, embellish where the result is posted, brief where the question is handed over.
	ignore    func(a *asker, what, errand string) bool
	spoil     func(a *asker, talk []history.Message) []history.Message
	spoilt    func(a *asker, m history.Message) []history.Message
	step      func(a *asker, t *thread) bool
	embellish func(a *asker, c *history.Control) bool
	brief     func(a *asker, t *thread, b *history.Brief) bool
}

// plain makes a world in which the evidence leaves no doubt.
func (w *quiz) plain(s *slip) {
	w.sin = s
	w.noise = 2 * time.Millisecond
	w.gate.clear, w.gate.fresh = true, true
	w.design.hasty, w.design.remembers, w.design.strict, w.design.walks, w.design.parallel = false, false, false, false, false
	w.gate.faults, w.minds.faults = 20, 40
	if s.prepare != nil {
		s.prepare(w)
	}
}

// breaks lets the run end just after the next thing that is seen, if the slip was made.
func (w *quiz) breaks() {
	if w.breaking {
		w.breaking = false
		w.after(10*time.Millisecond, func() { w.broken = true })
	}
}

// slipped notes that the slip is made with the next thing that is seen.
func (a *asker) slipped(did bool) bool {
	if did {
		a.w.sinned = true
		a.w.breaking = !a.w.sin.end
	}
	return did
}

func (a *asker) tempting() bool {
	return a.w.sin != nil && !a.w.sinned && a.w.disk.result == ""
}

func (a *asker) ignores(what, errand string) bool {
	return a.tempting() && a.w.sin.ignore != nil && a.slipped(a.w.sin.ignore(a, what, errand))
}

func (a *asker) spoil(talk []history.Message) []history.Message {
	if !a.tempting() || a.w.sin.spoil == nil {
		return talk
	}
	if other := a.w.sin.spoil(a, talk); a.slipped(len(other) < len(talk)) {
		return other
	}
	return talk
}

func (a *asker) spoilt(m history.Message) []history.Message {
	if !a.tempting() || a.w.sin.spoilt == nil || !a.only(m.CallID) {
		return []history.Message{m}
	}
	if other := a.w.sin.spoilt(a, m); a.slipped(other != nil) {
		return slices.DeleteFunc(other, func(m history.Message) bool { return m.Role == "" })
	}
	return []history.Message{m}
}

func (a *asker) tempted(t *thread) bool {
	return a.tempting() && a.w.sin.step != nil && a.w.sin.step(a, t)
}

func (a *asker) embellish(c *history.Control) {
	if a.tempting() && a.w.sin.embellish != nil {
		a.slipped(a.w.sin.embellish(a, c))
	}
}

func (a *asker) brief(t *thread, b *history.Brief) string {
	if a.tempting() && a.w.sin.brief != nil {
		a.slipped(a.w.sin.brief(a, t, b))
		if a.w.sinned && a.w.sin.name == "handed over twice" {
			return "e-2"
		}
	}
	return "e-1"
}

// heard notes what failed last in an errand.
func (a *asker) heard(errand string, f *fault) {
	if a.w.disk.waits == nil {
		a.w.disk.waits = map[string]time.Duration{}
	}
	a.w.disk.waits[errand] = f.wait
}

// wish is the call of this id in the conversation, with how often its answer
// asks for the same, or for what may stand in its place.
func (a *asker) wish(id string) (history.ToolCall, int) {
	for _, m := range a.w.disk.talk {
		for _, c := range m.Calls {
			if c.ID != id {
				continue
			}
			n := 0
			for _, other := range m.Calls {
				beside := slices.Contains(chains[c.Name], other.Name) || slices.Contains(chains[other.Name], c.Name)
				if beside || other.Name == c.Name && other.Arguments == c.Arguments {
					n++
				}
			}
			return c, n
		}
	}
	return history.ToolCall{}, 0
}

// only tells whether the call of this id, or this turn of a model, is wanted once
// at a time.
func (a *asker) only(errand string) bool {
	_, n := a.wish(errand)
	return n == 1 || strings.HasPrefix(errand, "turn ")
}

// ends tells whether the model has given its last word, and so was told everything.
func (a *asker) ends() bool {
	last := a.w.disk.talk[len(a.w.disk.talk)-1]
	return last.Role == "assistant" && len(last.Calls) == 0 && !a.stopped
}

// again is the first call whose tool message is, or is not, a failure that came of trying.
func (a *asker) again(failed bool) (history.ToolCall, bool) {
	for _, m := range a.w.disk.talk {
		if m.Role != "tool" {
			continue
		}
		c, n := a.wish(m.CallID)
		tried := m.Failed == nil || *m.Failed.Attempts > 0
		if n == 1 && tried && (m.Failed != nil) == failed && c.Misfit == "" && a.last(c) == m.CallID {
			return c, true
		}
	}
	return history.ToolCall{}, false
}

// last is the id of the last call that is the same as this one.
func (a *asker) last(c history.ToolCall) string {
	id := ""
	for _, m := range a.w.disk.talk {
		for _, other := range m.Calls {
			if other.Name == c.Name && other.Arguments == c.Arguments {
				id = other.ID
			}
		}
	}
	return id
}

// first tells whether a process has just begun.
func (a *asker) first() bool {
	a.steps++
	return a.steps == 1
}

// does calls a tool after a while, and lets the run end.
func (a *asker) does(t *thread, c history.ToolCall) bool {
	a.slipped(true)
	t.sleep(40 * time.Millisecond)
	a.call(t, "knowledge."+c.Name, history.Facts{Key: c.Name + c.Arguments, Tool: &history.Tool{Name: c.Name, Arguments: c.Arguments, Misfit: c.Misfit}})
	t.sleep(longest)
	return true
}

// TestOneSlipOfALoopIsFoundAsWhatItIs is property B of questions.
func TestOneSlipOfALoopIsFoundAsWhatItIs(t *testing.T) {
	contractTable := table(t)
	for _, s := range slips {
		t.Run(s.name, func(t *testing.T) {
			done := 0
			property := func(t *rapid.T) {
				w := newQuiz(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 3000).Draw(t, "choices"))
				w.plain(&s)
				records := w.play()
				var rules []string
				for _, f := range judgedTwice(t, contractTable, records).Findings {
					if f.Party == judge.Agent && !slices.Contains(rules, f.Rule) {
						rules = append(rules, f.Rule)
					}
				}
				switch {
				case w.void:
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
