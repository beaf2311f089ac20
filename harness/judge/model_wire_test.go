package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// gate is the wire between the agent and the services, with its faults.
type gate struct {
	s        *sim
	services map[string]func(*request) *answer
	calls    int
	conns    int
	ordinals map[string]int
	calm     map[string]bool // operations that meet no fault
	faults   int             // percent of the calls that meet one
	clear    bool            // clients leave no doubt about what they read
	fresh    bool            // each call has a connection of its own
}

// link is one connection of a client.
type link struct {
	host              *host
	id, service, work string
	seq               int
	gone              bool          // the client has ended it
	goneAt            time.Duration // when
	cut               bool          // the harness has
	unread            int           // replies that the client's kernel has and its process has not
	busy              bool
	used              int           // how many requests it was used for
	heard             time.Duration // when the gate has its last request
}

// request is what a client sends.
type request struct {
	op    string // service.operation
	facts history.Facts
	task  string
	work  string
	call  string
	copy  bool
}

// answer is what a service or the network makes of it; nil: nothing.
type answer struct {
	status int
	facts  history.Facts
	wait   time.Duration
	after  time.Duration // the time that the service takes
	abort  bool          // the service resets the connection
}

// reply is what reached the client.
type reply struct {
	status     int
	facts      history.Facts
	wait       time.Duration
	failed     bool // a reset, a close, a time-out, or no sense in it
	begun, end time.Duration
}

// flight is one request under way.
type flight struct {
	req  *request
	link *link
	wire history.Wire
	got  *reply
	done signal
}

// call makes one attempt of one call and waits for its end.
func (g *gate) call(t *thread, work string, req request, timeout time.Duration, keep bool) reply {
	service, _, _ := strings.Cut(req.op, ".")
	h := t.host
	k := h.conns[service]
	if g.fresh || k == nil || k.gone || k.cut || k.busy || k.work != work {
		if g.s.dice.chance(50) {
			t.sleep(g.s.travel()) // the dial
		}
		g.conns++
		k = &link{host: h, id: fmt.Sprint("conn-", g.conns), service: service, work: work}
		h.conns[service] = k
		h.links = append(h.links, k)
	}
	k.busy = true
	k.used++
	req.work = work
	f := &flight{req: &req, link: k}
	begun := g.s.now
	there := g.s.travel() + g.s.lag()
	k.heard = g.s.now + there
	g.s.after(there, func() { g.arrive(f) })
	for deadline := begun + timeout; f.got == nil && g.s.now < deadline; {
		t.await(&f.done, deadline-g.s.now)
		if f.got == nil && k.cut {
			break
		}
	}
	k.busy = false
	if f.got == nil || g.s.now-begun >= timeout && !g.clear && g.s.dice.chance(50) { // it may give up on what has just come
		f.got = nil
		g.close(k, 0)
		return reply{failed: true, begun: begun, end: g.s.now}
	}
	f.got.begun, f.got.end = begun, g.s.now
	k.unread = 0
	switch {
	case f.got.failed:
		g.close(k, 0)
	case g.clear:
		g.close(k, g.s.noise+g.s.dice.span(time.Millisecond, 5*time.Millisecond))
	case !keep:
		g.close(k, g.s.dice.span(0, 3*time.Millisecond))
	}
	return *f.got
}

// close ends a connection from the client's side, a while from now.
func (g *gate) close(k *link, d time.Duration) {
	if d == 0 {
		g.end(k)
		return
	}
	used := k.used
	g.s.after(d, func() {
		if k.used == used {
			g.end(k)
		}
	})
}

func (g *gate) end(k *link) {
	if k.gone {
		return
	}
	k.gone, k.goneAt = true, g.s.now
	how := history.HowFIN
	if k.unread > 0 {
		how = history.HowRST
	}
	g.s.after(max(k.heard-g.s.now, g.s.travel()+g.s.lag()), func() {
		if !k.cut {
			g.s.record(history.Record{
				Kind: history.ConnEnded, Task: "t-1", Work: k.work,
				Wire: &history.Wire{Service: k.service, Conn: k.id, By: history.ByClient, How: how},
			})
		}
	})
}

// sever ends a connection from the harness's side.
func (g *gate) sever(k *link, how string, f *flight) {
	if k.gone {
		return // its own end is on record, or about to be
	}
	if !k.cut {
		g.s.record(history.Record{
			Kind: history.ConnEnded, Task: "t-1", Work: k.work,
			Wire: &history.Wire{Service: k.service, Conn: k.id, By: history.ByHarness, How: how},
		})
	}
	k.cut = true
	f.done.fire()
}

// fault is whether this call meets one of so many.
func (g *gate) fault(op string) bool { return !g.calm[op] && g.s.dice.chance(g.faults) }

// arrive is when the request is complete at the gate.
func (g *gate) arrive(f *flight) {
	g.calls++
	service, operation, _ := strings.Cut(f.req.op, ".")
	g.ordinals[f.req.op]++
	f.link.seq++
	f.req.call = fmt.Sprint("c-", g.calls)
	f.wire = history.Wire{
		Service: service, Operation: operation, Ordinal: g.ordinals[f.req.op], Conn: f.link.id, Seq: f.link.seq, Key: header(f.req),
		First: g.s.now, Whole: true, Digest: fmt.Sprintf("%s %s %+v %s", f.req.op, f.req.facts.Key, f.req.facts.Escalation, spokenDigest(&f.req.facts)),
	}
	g.record(f, history.CallSent, f.wire, &f.req.facts)
	pass := func(d time.Duration) { g.s.after(d, func() { g.serve(f) }) }
	if !g.fault(f.req.op) {
		pass(g.s.travel())
		return
	}
	switch g.s.dice.pick(6) {
	case 0:
		pass(g.s.travel())
	case 1: // lost on its way, and the client is told
		g.sever(f.link, []string{history.HowRST, history.HowFIN}[g.s.dice.pick(2)], f)
	case 2: // lost in silence
	case 3, 4: // late
		least := 10 * time.Millisecond
		if g.clear {
			least = 500 * time.Millisecond
		}
		pass(g.s.dice.span(least, 2500*time.Millisecond))
	case 5: // twice
		pass(g.s.travel())
		g.s.after(g.s.dice.span(0, 100*time.Millisecond), func() {
			g.calls++
			twin := *f.req
			twin.call, twin.copy = fmt.Sprint("c-", g.calls), true
			w := f.wire
			w.Ordinal, w.Copy, w.First = 0, true, g.s.now
			g.s.record(history.Record{Kind: history.CallSent, Task: twin.task, Work: twin.work, Call: twin.call, Wire: &w, Facts: &twin.facts})
			g.services[w.Service](&twin)
		})
	}
}

// spokenDigest is equal for equal requests to a tool or a model.
func spokenDigest(f *history.Facts) string {
	text := ""
	if f.Tool != nil {
		text = f.Tool.Name + f.Tool.Arguments
	}
	if f.Chat != nil {
		text = f.Chat.Model
		for n := range f.Chat.Messages {
			text += f.Chat.Messages[n].Digest
		}
	}
	return text
}

// header is the Idempotency-Key of a request.
func header(r *request) string {
	if slices.Contains([]string{"approval.query", "purchase.query", "approval.void", "approval.track"}, r.op) {
		return ""
	}
	return r.facts.Key
}

func (g *gate) record(f *flight, kind history.Kind, w history.Wire, facts *history.Facts) {
	r := history.Record{Kind: kind, Task: f.req.task, Work: f.req.work, Call: f.req.call, Wire: &w}
	if facts != nil {
		said := *facts
		r.Facts = &said
	}
	g.s.record(r)
}

// serve lets the service carry the request out, and its reply come back.
func (g *gate) serve(f *flight) {
	a := g.services[f.wire.Service](f.req)
	if a == nil {
		return
	}
	g.s.after(a.after+g.s.travel(), func() {
		if a.abort {
			g.sever(f.link, history.HowRST, f)
			return
		}
		g.replied(f, a)
	})
}

// replied is when the reply is at the gate.
func (g *gate) replied(f *flight, a *answer) {
	w := f.wire
	w.First, w.Status, w.RetryAfter, w.Body = g.s.now, a.status, a.wait, body(&a.facts)
	g.record(f, history.CallReplied, w, &a.facts)
	if !g.fault(f.req.op) {
		g.pass(f, a, w, -1, "")
		return
	}
	ways := 7
	if g.clear {
		ways = 4
	}
	switch g.s.dice.pick(ways) {
	case 0:
		g.pass(f, a, w, -1, "")
	case 1:
		g.sever(f.link, history.HowRST, f)
	case 2:
		g.sever(f.link, history.HowFIN, f)
	case 3: // silence
	case 4: // late, often just when the client gives up
		d := g.s.dice.span(0, 900*time.Millisecond)
		if g.s.dice.chance(50) {
			d = f.wire.First + 400*time.Millisecond - g.s.now + g.s.dice.span(-2*time.Millisecond, 2*time.Millisecond)
		}
		g.s.after(d, func() { g.pass(f, a, w, -1, "") })
	case 5:
		g.pass(f, a, w, g.s.dice.pick(len(w.Body)+1), "truncate")
	case 6:
		g.s.record(history.Record{
			Kind: history.FaultFired, Task: f.req.task, Call: f.req.call,
			Fault: &history.Fault{ID: "f-1", Anchor: f.req.op + "#1 replied", Effect: "garble"},
		})
		g.pass(f, a, w, -1, "garble")
	}
}

func body(f *history.Facts) string {
	text := fmt.Sprintf(`{"ref":%q,"key":%q,"status":%q}`, f.Ref, f.Key, f.Status)
	for n := range f.Items {
		text += body(&f.Items[n])
	}
	return text
}

// pass writes the reply to the client, or the part of it that is let through.
func (g *gate) pass(f *flight, a *answer, w history.Wire, cut int, spoilt string) {
	k := f.link
	if k.cut {
		return
	}
	w = f.wire
	w.Size, w.Whole = int64(len(body(&a.facts))), cut < 0
	if cut >= 0 {
		w.Size = int64(cut)
	}
	w.Gone = k.gone && g.s.now-k.goneAt > 50*time.Microsecond
	g.record(f, history.CallPassing, w, nil)
	g.s.after(g.s.dice.span(0, 100*time.Microsecond), func() {
		done := w
		done.Gone = false
		if w.Gone {
			done.Size, done.Whole = 0, false
		}
		g.record(f, history.CallPassed, done, nil)
		if cut >= 0 {
			g.sever(k, history.HowFIN, f)
		}
	})
	if k.gone {
		return
	}
	got := &reply{status: a.status, facts: a.facts, wait: a.wait}
	if spoilt != "" {
		got = lenient(g.s.dice, a, body(&a.facts), cut)
	}
	g.s.after(g.s.travel(), func() {
		k.unread++
		k.host.whenRunning(func() { f.got = got; f.done.fire() })
	})
}

// lenient is what a client makes of a reply that was cut or garbled: nothing, or
// with luck what its deciding part says.
func lenient(d *dice, a *answer, text string, cut int) *reply {
	switch {
	case d.chance(50):
	case a.status >= 300:
		return &reply{status: a.status, wait: a.wait}
	case cut > 0 && (a.facts.Chat != nil || a.facts.Status == "found"): // of a model or a tool
		return &reply{status: a.status, facts: a.facts}
	case cut >= 0 && a.facts.Ref != "" && strings.Contains(text[:cut], a.facts.Ref):
		return &reply{status: a.status, facts: a.facts}
	}
	return &reply{failed: true}
}
