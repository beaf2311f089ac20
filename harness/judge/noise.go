package judge

import (
	"math/bits"
	"slices"
	"sort"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// noise is how late this machine can have noticed what happened, over the time
// of a run: one hiccup blurs what happened about it, and nothing else.
type noise struct {
	most   time.Duration // at any time
	around time.Duration // a delay blurs what happens so long before it and after it
	delays []history.Delay
	// peaks[k][i] is the greatest of the 2^k delays from the i-th on.
	peaks [][]time.Duration
}

// newNoise is the noise of a run whose limits are not known yet.
func newNoise() *noise { return &noise{most: noiseFloor} }

// add takes in what was measured.
func (n *noise) add(r *history.Run) {
	n.most = max(n.most, r.Noise)
	n.delays = append(n.delays, r.Delays...)
}

// ready is called once all was taken in. The delays of a client, and of a gate
// that waits for its turn on a machine that is too busy, are not measured: they are
// taken to be the greatest that were, for some attempts' time before and after.
// A machine that is late again and again has that noise at any time.
func (n *noise) ready(attempt, lasted time.Duration) {
	n.around = 4 * attempt
	if n.busy() > lasted/busyPart {
		n.delays = nil
	}
	slices.SortFunc(n.delays, func(a, b history.Delay) int { return int(min(1, max(-1, a.To-b.To))) })
	all := make([]time.Duration, len(n.delays))
	for i, d := range n.delays {
		all[i] = d.Late
		if i > 0 && n.delays[i].From < n.delays[i-1].From { // as it is written they follow each other
			n.delays, n.peaks = nil, nil
			return
		}
	}
	for n.peaks = [][]time.Duration{all}; len(all) > 1<<(len(n.peaks)-1); {
		half := 1 << (len(n.peaks) - 1)
		last := n.peaks[len(n.peaks)-1]
		next := make([]time.Duration, max(0, len(last)-half))
		for i := range next {
			next[i] = max(last[i], last[i+half])
		}
		n.peaks = append(n.peaks, next)
	}
}

// busyPart is the part of a run, one in so many, for which a machine may be late
// without being busy all the time.
const busyPart = 10

// busy is for how long the machine was late in all, what is usual left out.
func (n *noise) busy() time.Duration {
	var sum time.Duration
	for _, d := range n.delays {
		if d.Late > 5*noiseFloor {
			sum += d.Late
		}
	}
	return sum
}

// at is the noise about some instants. A history that tells only the greatest
// has that at any time.
func (n *noise) at(instants ...time.Duration) time.Duration {
	if len(n.delays) == 0 {
		return n.most
	}
	most := noiseFloor
	for _, at := range instants {
		from := sort.Search(len(n.delays), func(i int) bool { return n.delays[i].To >= at-n.around })
		to := sort.Search(len(n.delays), func(i int) bool { return n.delays[i].From > at+n.around })
		if from >= to {
			continue
		}
		k := bits.Len(uint(to-from)) - 1
		most = max(most, n.peaks[k][from], n.peaks[k][to-1<<k])
	}
	return most
}

// blur is by how much times about these instants may be wrong.
func (p *replay) blur(instants ...time.Duration) time.Duration { return p.index.noise.at(instants...) }

// reaction is how long evidence that came at an instant may stay unnoticed.
func (p *replay) reaction(at time.Duration) time.Duration { return p.limits.Reaction(p.blur(at)) }

// starvedAt tells whether the machine was too busy to time anything about these instants.
func (p *replay) starvedAt(instants ...time.Duration) bool {
	return p.blur(instants...) > p.limits.AttemptTimeout/2
}

// starved tells whether the machine was too busy to time anything at some time of the run.
func (p *replay) starved() bool { return p.index.noise.most > p.limits.AttemptTimeout/2 }
