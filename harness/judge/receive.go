package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// answered takes in a reply whose last byte is about to be written.
func (p *replay) answered(r *history.Record) {
	c := p.index.calls[r.Call]
	if c == nil || c.by == nil || c.passing != r {
		return
	}
	p.believe(c)
	if c.op.Service == "desk" && c.intent != nil && c.said().Ref != "" {
		put(&c.by.task.handed, c.said().Ref, c.intent.confirm.id)
	}
	own := c.open && c.by.open == 1 && !p.index.underWay(c.sent.Work, r.N)
	c.close()
	if c.by.task.question != nil {
		return
	}
	how := p.index.classify(c)
	if how != undelivered {
		p.tell(c)
	}
	if how != delivered {
		eachRef(c, func(ref string) { put(&c.by.waiting, ref, append(c.by.waiting[ref], c)) })
	}
	p.receive(c, how, r.At, own)
}

// close notes that its worker waits for the call no longer.
func (c *call) close() {
	if c.open {
		c.open = false
		c.by.open--
	}
}

// receive lets a reply take effect on what its worker knows.
func (p *replay) receive(c *call, how delivery, at time.Duration, own bool) {
	if c.binding || how == undelivered {
		return
	}
	for _, said := range p.read(c) {
		p.learn(c.by, said, how, at, own)
	}
	if c.write {
		p.heed(c, how, at)
	}
	p.settleAttempts(c, how)
	c.binding = how == delivered
}

// heed takes in what a reply to a send says beside what became of the intent.
func (p *replay) heed(c *call, how delivery, at time.Duration) {
	i := c.intent
	if wait := c.wait(); wait > 0 {
		i.waitsUntil = max(i.waitsUntil, at+wait)
		if how == delivered {
			i.mind(c.by).wait = c
		}
	}
	switch status := c.status(); {
	case status == 403:
		i.forbidden = true
	case status < 300 && c.said().Ref == "":
		i.stray = c
	}
}

// tell notes which references a reply may have told.
func (p *replay) tell(c *call) {
	t := c.by.task
	into := &t.told
	if c.op.Name == "search" {
		into = &t.found
	}
	eachRef(c, func(ref string) {
		put(into, ref, true)
		put(&t.sources, ref, t.sources[ref]+1)
	})
}

func eachRef(c *call, f func(string)) {
	said := c.said()
	if said.Ref != "" {
		f(said.Ref)
	}
	for n := range said.Items {
		if ref := said.Items[n].Ref; ref != "" {
			f(ref)
		}
	}
}

// prove is called when the worker uses a reference. Where only replies to
// itself can have told it that, one of them was delivered, from now on.
func (p *replay) prove(w *work, ref string, at time.Duration) {
	candidates := w.waiting[ref]
	if ref == "" || len(candidates) == 0 {
		return
	}
	delete(w.waiting, ref)
	told := 0
	for _, c := range candidates {
		if p.index.classify(c) != undelivered {
			told++
		}
	}
	switch {
	case w.task.sources[ref] > told: // something else may have told it
	case len(candidates) == 1:
		p.tell(candidates[0])
		p.receive(candidates[0], delivered, at, true)
	default:
		p.tell(candidates[0])
		p.narrow(w, candidates)
	}
}

// narrow leaves only the standings that at least one of several replies leads to.
func (p *replay) narrow(w *work, candidates []*call) {
	next, by := map[*intent]contract.Standings{}, map[*intent]int{}
	for _, c := range candidates {
		for _, said := range p.read(c) {
			next[said.about] |= said.about.mind(w).after(said)
			by[said.about]++
		}
	}
	for i, set := range next {
		if by[i] == len(candidates) {
			i.mind(w).learn(w, set)
		}
	}
}

// hungUp closes the calls of a connection that ended for the client.
func (p *replay) hungUp(r *history.Record) {
	if r.Wire.By == history.ByService {
		return // what it has sent is still on its way
	}
	k := p.index.connection(r.Wire.Conn)
	for _, c := range k.open {
		c.close()
	}
	k.open = nil
}
