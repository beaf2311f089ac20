package judge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// quiz is one run of one question: its processes, and everything around them.
type quiz struct {
	*sim
	gate    *gate
	limits  contract.Limits
	minds   *minds
	design  loopDesign
	disk    notes
	askers  []*asker
	items   []history.Record
	changed signal
	stopped bool
	stops   bool // for certain
	void    bool // the slip does not show, or lies too near to what is lawful
	kills   int
	ended   bool

	sin      *slip
	sinned   bool
	breaking bool // after the next call
	broken   bool
}

// loopDesign is how the agent under test is built.
type loopDesign struct {
	walks     bool          // the loop walks the chain by itself
	parallel  bool          // the calls of one answer are made at once
	streams   bool          //
	keep      bool          // connections are used again
	timeout   time.Duration // of one attempt
	returns   bool          // each turn begins with the first model
	strict    bool          // without a chain, nothing stands in for a failed tool
	notes     bool          // it writes notes of its own into the conversation
	hasty     bool          // it takes an answer that breaks off
	remembers bool          // of a call that failed, it tells the failure again and does not try
}

// notes are what survives a kill.
type notes struct {
	talk     []history.Message
	turns    int
	model    int
	tries    map[string]int           // by errand
	next     map[string]time.Duration // by errand: before it no attempt
	answered map[string]bool          // calls that have a tool message
	failures map[string]int           // by tool and arguments
	gaps     []hole
	served   []string                   // tools that delivered
	failed   []string                   // tools that failed with nothing in their place yet
	results  map[string]history.Message // of calls under way that are finished
	brokenBy string
	lastErr  string
	waits    map[string]time.Duration // that were asked for last, by errand
	result   string
}

// hole is a failed tool and what of its chain has failed too.
type hole struct {
	tool string
	turn int
	gone []string
}

var chains = map[string][]string{"search_kb": {"kb_cache", "search_web"}}

var declaredModels = []string{"primary", "backup", "spare"}

func newQuiz(seed uint64, choices int) *quiz {
	s := &sim{dice: newDice(seed, choices)}
	d := s.dice
	s.noise = []time.Duration{2, 2, 2, 5, 20}[d.pick(5)] * time.Millisecond
	w := &quiz{sim: s, limits: contract.Defaults().Scale(contract.DefaultScale)}
	w.limits.MaxSteps = []int{20, 20, 6}[d.pick(3)]
	w.design = loopDesign{
		walks: d.chance(40), parallel: d.chance(40), streams: d.chance(50), keep: d.chance(70), timeout: d.span(150*time.Millisecond, 395*time.Millisecond),
		returns: d.chance(50), strict: d.chance(50), notes: d.chance(30), hasty: d.chance(30), remembers: d.chance(20),
	}
	w.minds = &minds{s: s, faults: d.pick(60), steps: d.pick(6), odd: d.pick(50)}
	w.gate = &gate{
		s: s, ordinals: map[string]int{}, calm: map[string]bool{}, faults: d.pick(50),
		services: map[string]func(*request) *answer{"knowledge": w.minds.tools, "model": w.minds.speak, "desk": w.minds.desk},
	}
	w.disk = notes{
		talk:  []history.Message{said("system", "You answer."), said("user", "What is the refund window?")},
		tries: map[string]int{}, next: map[string]time.Duration{}, answered: map[string]bool{}, failures: map[string]int{}, results: map[string]history.Message{},
	}
	return w
}

// start hands the question to a new process.
func (w *quiz) start() {
	n := len(w.askers) + 1
	a := &asker{w: w, id: fmt.Sprint("w-", n), host: &host{s: w.sim, id: fmt.Sprint("p-", n), conns: map[string]*link{}}}
	w.askers = append(w.askers, a)
	w.record(history.Record{Kind: history.ProcessStarted, Task: "t-1", Process: &history.Process{ID: a.host.id}})
	kind := "task.start"
	if n > 1 {
		kind = "task.resume"
	}
	w.after(w.dice.span(time.Millisecond, 20*time.Millisecond), func() {
		if a.host.dead || w.ended {
			return
		}
		w.record(history.Record{
			Kind: history.WorkGiven, Task: "t-1", Work: a.id,
			Given: &history.Given{Kind: kind, Type: "question", Process: a.host.id, Input: json.RawMessage(offer)},
		})
		w.spawn(a.host, a.listen)
		w.spawn(a.host, a.run)
	})
}

func (w *quiz) around() {
	d := w.dice
	at := func(percent int, do func()) {
		if d.chance(percent) {
			w.after(d.span(0, []time.Duration{50 * time.Millisecond, 600 * time.Millisecond, 3500 * time.Millisecond}[d.pick(3)]), func() {
				if !w.ended && !w.sinned {
					do()
				}
			})
		}
	}
	often := 10
	if w.stops {
		often = 90
	}
	at(often, func() {
		if w.stopped {
			return
		}
		w.stopped = true
		w.items = append(w.items, w.record(history.Record{Kind: history.ControlPlaced, Task: "t-1", Control: &history.Control{Item: 1, Change: history.Stop}}))
		w.changed.fire()
	})
	if w.sin != nil && !w.sin.kills {
		return // what a process forgets leaves doubt
	}
	for range 3 {
		at(25, w.restart)
	}
	if w.sin == nil {
		at(10, w.freeze)
	}
}

func (w *quiz) restart() {
	a := w.askers[len(w.askers)-1]
	if a.host.dead {
		return
	}
	w.record(history.Record{Kind: history.ProcessKilled, Task: "t-1", Work: a.id, Process: &history.Process{ID: a.host.id}})
	w.after(w.travel(), func() {
		a.host.kill()
		w.kills++
		for _, k := range a.host.links {
			w.gate.end(k)
		}
		w.after(w.dice.span(5*time.Millisecond, 1500*time.Millisecond), w.start)
	})
}

func (w *quiz) freeze() {
	a := w.askers[len(w.askers)-1]
	if a.host.dead || a.host.stopped {
		return
	}
	a.host.pause()
	w.record(history.Record{Kind: history.ProcessPaused, Task: "t-1", Process: &history.Process{ID: a.host.id}})
	w.after(w.dice.span(10*time.Millisecond, 2000*time.Millisecond), func() {
		if !a.host.dead {
			w.record(history.Record{Kind: history.ProcessResumed, Task: "t-1", Process: &history.Process{ID: a.host.id}})
			a.host.resume()
		}
	})
}

// play lets the run happen and returns its history.
func (w *quiz) play() []history.Record {
	setup, err := json.Marshal(judge.Setup{Scenario: "quiz", Limits: w.limits, Scale: contract.DefaultScale})
	if err != nil {
		panic(err)
	}
	w.record(history.Record{Kind: history.RunStarted, Run: &history.Run{Setup: setup}})
	w.start()
	w.around()
	w.run(longest, func() bool { return w.broken })
	reason := "settled"
	switch {
	case w.broken:
		reason = "interrupted"
	case !w.ended:
		reason = "deadline"
	}
	for _, a := range w.askers {
		a.host.kill()
	}
	w.record(history.Record{Kind: history.RunNoise, Run: &history.Run{Noise: w.noise}})
	w.record(history.Record{Kind: history.RunEnded, Run: &history.Run{Reason: reason}})
	return w.log
}

// TestLawfulLoopsAreClean is property A of questions: whatever faults, kills, late
// and ambiguous deliveries a lawful loop meets, nothing is held against it.
func TestLawfulLoopsAreClean(t *testing.T) {
	contractTable := table(t)
	rapid.Check(t, func(t *rapid.T) {
		seed, choices := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 4000).Draw(t, "choices")
		records := newQuiz(seed, choices).play()
		v := judgedTwice(t, contractTable, records)
		for _, f := range v.Findings {
			if f.Party == judge.Agent {
				t.Fatalf("%s: %s %v\n%s", f.Rule, f.Observed, f.Records, drawn(records))
			}
		}
		judgedTwice(t, contractTable, records[:rapid.IntRange(1, len(records)).Draw(t, "prefix")])
	})
}

// minds are the services behind the wire: the tools, the model and the desk.
type minds struct {
	s        *sim
	faults   int // percent of the requests that a service refuses or botches
	steps    int // how many turns with calls the model likes to make
	odd      int // percent: how often it asks for something that it should not
	ids      int
	stubborn bool // it asks for one refused call again and again
}

// bad is a reply of a service that has a bad moment, or nil.
func (m *minds) bad() *answer {
	d := m.s.dice
	if !d.chance(m.faults) {
		return nil
	}
	switch d.pick(5) {
	case 0:
		return &answer{status: []int{429, 503}[d.pick(2)], wait: d.span(time.Millisecond, 300*time.Millisecond)}
	case 1:
		return &answer{status: 429, wait: d.span(450*time.Millisecond, 20*time.Second)}
	case 2:
		return &answer{status: []int{400, 401, 403, 404, 405, 409, 410, 422}[d.pick(8)]}
	case 3:
		return &answer{abort: true}
	}
	return &answer{status: []int{500, 502, 503, 504}[d.pick(4)]}
}

func (m *minds) tools(*request) *answer {
	if a := m.bad(); a != nil {
		return a
	}
	d := m.s.dice
	if m.stubborn {
		return &answer{status: 403}
	}
	return &answer{status: 200, facts: history.Facts{Listed: true, Status: "found"}, after: d.span(0, []time.Duration{5, 5, 380}[d.pick(3)]*time.Millisecond)}
}

func (m *minds) desk(*request) *answer { return &answer{status: 201} }

// speak is the model: it asks for tools for a while, now and then for what it
// should not, and then it answers.
func (m *minds) speak(r *request) *answer {
	if a := m.bad(); a != nil {
		return a
	}
	d := m.s.dice
	chat := r.facts.Chat
	turns := 0
	var before []history.ToolCall
	for n := range chat.Messages {
		if len(chat.Messages[n].Calls) > 0 {
			turns++
			before = append(before, chat.Messages[n].Calls...)
		}
	}
	say := history.Message{Role: "assistant", Empty: true}
	switch {
	case d.chance(m.faults / 4): // nothing
	case turns > m.steps && !d.chance(20), turns > 25:
		m.ids++
		say = said("assistant", fmt.Sprint("30 days ", m.ids))
	default:
		for range []int{1, 1, 2, 3}[d.pick(4)] {
			say.Calls = append(say.Calls, m.call(before))
		}
		say.Digest = fmt.Sprint("assistant:", say.Calls)
	}
	f := answered(say)
	if chat.Stream && d.chance(m.faults/4) {
		f.Chat.Finish = ""
	}
	return &answer{status: 200, facts: f, after: d.span(0, 5*time.Millisecond)}
}

func (m *minds) call(before []history.ToolCall) history.ToolCall {
	d := m.s.dice
	m.ids++
	if m.stubborn {
		return history.ToolCall{ID: fmt.Sprint("call-", m.ids), Name: "search_kb", Arguments: "q0"}
	}
	c := history.ToolCall{ID: fmt.Sprint("call-", m.ids), Name: []string{"search_kb", "search_kb", "kb_cache", "search_web", "kb_archive", "delete_record"}[d.pick(6)]}
	c.Arguments = fmt.Sprint("q", d.pick(3))
	if !d.chance(m.odd) {
		return c
	}
	switch d.pick(4) {
	case 0:
		c.Arguments, c.Misfit = "!", "at /q: missing"
	case 1:
		c.Name = "unheard_of"
	case 2:
		c.Name = "issue_refund"
	case 3:
		if n := len(before); n > 0 {
			old := before[n-1]
			c.Name, c.Arguments, c.Misfit = old.Name, old.Arguments, old.Misfit
		}
	}
	return c
}

func offered(tool string) bool {
	return slices.Contains([]string{"search_kb", "kb_cache", "search_web", "kb_archive", "delete_record", "issue_refund"}, tool)
}
