package run

import (
	"context"
	"sync"
	"time"
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
}

// gauge is the largest delay since it was opened.
type gauge struct {
	noise *noise
	max   time.Duration
}

// listen starts to measure. The caller stops it.
func listen() *noise {
	ctx, cancel := context.WithCancel(context.Background())
	n := &noise{cancel: cancel, done: make(chan struct{}), opens: map[*gauge]struct{}{}}
	go n.measure(ctx)
	return n
}

func (n *noise) stop() {
	n.cancel()
	<-n.done
}

func (n *noise) measure(ctx context.Context) {
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
		n.add(time.Since(asked) - tick)
	}
}

func (n *noise) add(late time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for g := range n.opens {
		g.max = max(g.max, late)
	}
}

// open starts to gauge one run.
func (n *noise) open() *gauge {
	n.mu.Lock()
	defer n.mu.Unlock()
	g := &gauge{noise: n}
	n.opens[g] = struct{}{}
	return g
}

// read is the largest delay so far.
func (g *gauge) read() time.Duration {
	g.noise.mu.Lock()
	defer g.noise.mu.Unlock()
	return g.max
}

// close ends the gauging and returns the largest delay.
func (g *gauge) close() time.Duration {
	g.noise.mu.Lock()
	defer g.noise.mu.Unlock()
	delete(g.noise.opens, g)
	return g.max
}
