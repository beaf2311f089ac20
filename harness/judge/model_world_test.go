package judge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// world is one run: one task, its processes, and everything around them.
type world struct {
	*sim
	gate     *gate
	desks    *desks
	limits   contract.Limits
	promises contract.Guarantees
	onCancel string

	versions    []history.Facts // of the confirmation, the newest last
	permissions []string
	invalid     bool
	cancelled   bool
	stopped     bool
	items       []history.Record
	offered     int
	changed     signal

	disk     *disk
	design   design
	crews    []*crew // one a work item
	finished bool    // a result was posted
	kills    int
	opened   bool // an escalation reached the desk

	sin    *sin
	sinned bool
	broken bool // the run ends here
	hinted bool // a reply has said more than it may be taken for
}

// design is how the agent under test is built.
type design struct {
	inbox    bool          // a thread of its own listens to the inbox
	deaf     bool          // it never looks into the inbox
	lazy     bool          // what it learns is stored just before the next act
	blind    bool          // workers do not share what they learn
	keep     bool          // connections are used again
	timeout  time.Duration // of one attempt
	replays  int           // percent: how it likes to replay, to fence, to ask
	fences   int
	asks     int
	chatty   int // percent of the moves after which it does something that changes nothing
	impulse  int // percent: how it likes to hand over or give up where it may
	precheck int // percent: looks at the authorization before a first send
}

func newWorld(seed uint64, choices int) *world {
	s := &sim{dice: newDice(seed, choices)}
	d := s.dice
	s.noise = []time.Duration{2, 2, 2, 5, 20}[d.pick(5)] * time.Millisecond
	w := &world{sim: s, limits: contract.Defaults().Scale(contract.DefaultScale)}
	w.onCancel = []string{"withdraw", "keep", "ask"}[d.pick(3)]
	w.promises = promises(d)
	w.permissions = []string{"submit", "withdraw", "purchase", "notify"}
	first := confirmedV1
	w.versions = []history.Facts{first}
	w.design = design{
		inbox: d.chance(50), lazy: d.chance(40), keep: d.chance(70), timeout: d.span(380*time.Millisecond, 150*time.Millisecond),
		replays: []int{80, 20, 50, 0}[d.pick(4)], fences: []int{0, 20, 60}[d.pick(3)], asks: []int{60, 30, 90}[d.pick(3)],
		chatty: d.pick(30), impulse: d.pick(30), precheck: []int{100, 50, 0}[d.pick(3)],
	}
	w.design.timeout = d.span(150*time.Millisecond, 395*time.Millisecond)
	w.desks = &desks{
		s: s, promises: w.promises, faults: d.pick(50), kept: map[string]*kept{}, fenced: map[string]bool{}, opened: map[string]string{},
		decides: []string{"approved", "approved", "approved", "declined"}[d.pick(4)], after: d.span(750*time.Millisecond, 0),
		tell: w.event, failing: []int{0, 0, 1, 2}[d.pick(4)], rivalry: []int{0, 0, 0, 30}[d.pick(4)],
	}
	w.desks.after = d.span(0, 1500*time.Millisecond)
	if d.chance(40) {
		w.desks.lag = d.span(0, 600*time.Millisecond)
	}
	w.desks.queue, w.desks.early = d.chance(15), d.chance(25)
	w.gate = &gate{
		s: s, ordinals: map[string]int{}, calm: map[string]bool{}, faults: d.pick(60),
		services: map[string]func(*request) *answer{"approval": w.desks.approvals, "purchase": w.desks.purchases, "desk": w.desks.escalations},
	}
	w.disk = &disk{claimed: map[string]bool{}}
	return w
}

func promises(d *dice) contract.Guarantees {
	one := func() contract.Promise {
		p := contract.Promise{
			Idempotency: contract.Idempotency{Supported: !d.chance(30), Conflict: "reject"},
			Query:       contract.Query{ByRef: !d.chance(15), ByKey: !d.chance(20)}, NoEffectStatuses: []int{403, 409, 422, 429},
		}
		if p.Idempotency.Supported {
			p.Idempotency.RetentionMS = []float64{2000, 1000, 4000, 600}[d.pick(4)]
		}
		return p
	}
	submit := one()
	submit.Void = d.chance(50)
	submit.WithdrawStates = []string{"pending"}
	if d.chance(20) {
		submit.WithdrawStates = []string{"pending", "approved"}
	}
	all := contract.Guarantees{"approval.submit": submit, "purchase.buy": one()}
	if !d.chance(20) {
		all["approval.withdraw"] = one()
	}
	if !d.chance(30) {
		all["approval.notify"] = one()
	}
	return all
}

func (w *world) current() history.Facts { return w.versions[len(w.versions)-1] }

// place puts an item into the inbox.
func (w *world) place(c history.Control, f *history.Facts) {
	c.Item = len(w.items) + 1
	w.items = append(w.items, w.record(history.Record{Kind: history.ControlPlaced, Task: "t-1", Control: &c, Facts: f}))
	w.changed.fire()
}

func (w *world) event(f history.Facts) { w.place(history.Control{Change: history.Event}, &f) }

// people is what people and the harness do to the task while it runs.
func (w *world) people() {
	d := w.dice
	at := func(percent int, do func()) {
		if d.chance(percent) {
			when := d.span(0, []time.Duration{50 * time.Millisecond, 600 * time.Millisecond, 3500 * time.Millisecond}[d.pick(3)])
			w.after(when, func() {
				if !w.finished && !w.sinned {
					do()
				}
			})
		}
	}
	at(20, func() {
		w.place(history.Control{Change: history.Cancel}, nil)
		w.cancelled = true
	})
	at(6, func() {
		w.place(history.Control{Change: history.Stop}, nil)
		w.stopped = true
	})
	for range 2 {
		at(12, func() {
			f := version(w.current().Version + 1)
			w.place(history.Control{Change: history.Revise, Confirmation: "c-1", Version: f.Version}, &f)
			w.versions = append(w.versions, f)
			w.invalid = false
		})
	}
	at(8, func() { w.revoke(history.RevokeConfirmation, func() { w.invalid = true }) })
	at(8, func() {
		w.revoke(history.RevokePermission, func() {
			n := d.pick(len(w.permissions))
			w.permissions = slices.Delete(slices.Clone(w.permissions), n, n+1)
		})
	})
	if w.sin != nil {
		return // what a process forgets leaves doubt
	}
	for range 3 {
		at(18, w.restart)
	}
	at(10, w.redispatch)
	at(10, w.freeze)
}

func (w *world) revoke(change string, do func()) {
	do()
	f := w.current()
	w.record(history.Record{Kind: history.ControlPlaced, Task: "t-1", Facts: &f, Control: &history.Control{
		Change: change, Confirmation: "c-1", Version: f.Version, Valid: !w.invalid, Permissions: w.permissions,
	}})
}

// start hands the task to a new process.
func (w *world) start() {
	n := len(w.crews) + 1
	c := &crew{
		w: w, id: fmt.Sprint("w-", n), host: &host{s: w.sim, id: fmt.Sprint("p-", n), conns: map[string]*link{}},
		minds: map[*matter]*evidence{},
	}
	w.crews = append(w.crews, c)
	w.record(history.Record{Kind: history.ProcessStarted, Task: "t-1", Process: &history.Process{ID: c.host.id}})
	kind := "task.start"
	if n > 1 {
		kind = "task.resume"
	}
	w.after(w.dice.span(time.Millisecond, 20*time.Millisecond), func() {
		if c.host.dead || w.finished {
			return
		}
		f := w.current()
		w.record(history.Record{
			Kind: history.WorkGiven, Task: "t-1", Work: c.id, Facts: &f,
			Given: &history.Given{Kind: kind, Type: "purchase-approval", OnCancel: w.onCancel, Process: c.host.id, Confirmed: []history.Facts{f}},
		})
		c.known = f
		c.open()
		w.spawn(c.host, c.run)
		if w.design.inbox {
			w.spawn(c.host, c.listen)
		}
	})
}

// restart kills the process that works, and starts another after a while.
func (w *world) restart() {
	c := w.crews[len(w.crews)-1]
	if c.host.dead || len(w.crews) > 1 && !w.crews[len(w.crews)-2].host.dead {
		return // one worker beside another is left alone: what they share is stored at once
	}
	w.record(history.Record{Kind: history.ProcessKilled, Task: "t-1", Work: c.id, Process: &history.Process{ID: c.host.id}})
	w.after(w.travel(), func() {
		c.host.kill()
		w.kills++
		w.disk.lose()
		for _, k := range c.host.links {
			w.gate.end(k)
		}
		w.after(w.dice.span(5*time.Millisecond, 2500*time.Millisecond), w.start)
	})
}

// redispatch hands the task to a second process while the first still runs.
func (w *world) redispatch() {
	if len(w.crews) == 1 && !w.crews[0].host.dead && !w.design.lazy {
		w.start()
	}
}

// freeze stops a process for a while.
func (w *world) freeze() {
	c := w.crews[len(w.crews)-1]
	if c.host.dead || c.host.stopped {
		return
	}
	c.host.pause()
	w.record(history.Record{Kind: history.ProcessPaused, Task: "t-1", Process: &history.Process{ID: c.host.id}})
	w.after(w.dice.span(10*time.Millisecond, 2000*time.Millisecond), func() {
		if !c.host.dead {
			w.record(history.Record{Kind: history.ProcessResumed, Task: "t-1", Process: &history.Process{ID: c.host.id}})
			c.host.resume()
		}
	})
}

// longest is after what time a run is broken off.
const longest = 60 * time.Second

// play lets the run happen and returns its history.
func (w *world) play(t testing.TB) []history.Record {
	setup, err := json.Marshal(judge.Setup{
		Scenario: "model", Limits: w.limits, Scale: contract.DefaultScale, Guarantees: w.promises,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.record(history.Record{Kind: history.RunStarted, Run: &history.Run{Setup: setup}})
	w.start()
	w.people()
	w.run(longest, func() bool { return w.broken })
	reason := "settled"
	switch {
	case w.broken:
		reason = "interrupted"
	case !w.finished:
		reason = "deadline"
	}
	for _, c := range w.crews {
		c.host.kill()
	}
	w.record(history.Record{Kind: history.RunNoise, Run: &history.Run{Noise: w.noise}})
	w.record(history.Record{Kind: history.RunEnded, Run: &history.Run{Reason: reason}})
	return w.log
}
