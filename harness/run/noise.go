package run

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// tick is how often the machine's scheduling delay is measured.
const tick = 2 * time.Millisecond

// noise measures the machine's scheduling delay: by how much a goroutine that
// asked to be woken is woken late. One goroutine measures for all runs that
// are under way.
type noise struct {
	cancel context.CancelFunc
	done   chan struct{}

	mu    sync.Mutex
	opens map[*gauge]struct{}
	last  time.Time     // when it was measured last
	level time.Duration // how late the machine is, see late
}

// gauge is what was measured since it was opened.
type gauge struct {
	noise  *noise
	max    time.Duration
	delays []delay
	span   time.Duration // delays that follow each other within it are one
}

// delay is a time in which goroutines were woken late.
type delay struct {
	from, to time.Time
	late     time.Duration
}

// The bounds of what a gauge keeps: delays that no verdict can rest on are left
// out, and when there are too many, more of them are taken together.
const (
	leastDelay = time.Millisecond
	firstSpan  = 25 * time.Millisecond
	maxDelays  = 2000
)

// add takes in that a goroutine was woken at an instant, too late by so much.
func (g *gauge) add(at time.Time, late time.Duration) {
	g.max = max(g.max, late)
	if late < leastDelay {
		return
	}
	g.join(delay{at.Add(-late), at, late})
	for len(g.delays) > maxDelays {
		g.span *= 2
		all := g.delays
		g.delays = nil
		for _, d := range all {
			g.join(d)
		}
	}
}

// join adds a delay, to the last one if that began within the span.
func (g *gauge) join(d delay) {
	if n := len(g.delays); n > 0 && d.to.Sub(g.delays[n-1].from) <= g.span {
		last := &g.delays[n-1]
		last.to, last.late = d.to, max(last.late, d.late)
		return
	}
	g.delays = append(g.delays, d)
}

// calming is in which time a delay that is over counts half.
const calming = 100 * time.Millisecond

func newNoise() *noise {
	return &noise{done: make(chan struct{}), opens: map[*gauge]struct{}{}}
}

// listen starts to measure, and calls measured after each time. The caller stops it.
func (n *noise) listen(measured func()) {
	ctx, cancel := context.WithCancel(context.Background())
	n.cancel = cancel
	go n.measure(ctx, measured)
}

func (n *noise) stop() {
	n.cancel()
	<-n.done
}

func (n *noise) measure(ctx context.Context, measured func()) {
	defer close(n.done)
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for {
		asked := time.Now()
		timer.Reset(tick)
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		now := time.Now()
		n.add(now, now.Sub(asked)-tick)
		measured()
	}
}

func (n *noise) add(at time.Time, late time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for g := range n.opens {
		g.add(at, late)
	}
	n.level = max(late, time.Duration(float64(n.level)*math.Exp2(-float64(at.Sub(n.last))/float64(calming))))
	n.last = at
}

// late is how late the machine is: the delay that was measured last, or what is
// left of a greater one before it.
func (n *noise) late() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.level
}

// open starts to gauge one run.
func (n *noise) open() *gauge {
	n.mu.Lock()
	defer n.mu.Unlock()
	g := &gauge{noise: n, span: firstSpan}
	n.opens[g] = struct{}{}
	return g
}

// read is the largest delay so far.
func (g *gauge) read() time.Duration {
	g.noise.mu.Lock()
	defer g.noise.mu.Unlock()
	return g.max
}

// close ends the gauging and returns the largest delay, and all that count, as
// instants since a start.
func (g *gauge) close(start time.Time) (largest time.Duration, all []history.Delay) {
	g.noise.mu.Lock()
	defer g.noise.mu.Unlock()
	delete(g.noise.opens, g)
	for _, d := range g.delays {
		all = append(all, history.Delay{From: d.from.Sub(start), To: d.to.Sub(start), Late: d.late})
	}
	return g.max, all
}
