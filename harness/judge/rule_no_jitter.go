package judge

import (
	"fmt"
	"slices"
	"time"
)

var noJitter = Rule{
	ID: "no-jitter", Family: Bounds, Party: Agent,
	Sentence: "Many clients waited equally long before they tried again.",
	Correct:  "Adds a random part to every wait, so that clients that failed together do not come back together.",
	Covers:   []string{"A08", "B27"},
	end: func(p *replay) []*Finding {
		for n := len(p.waits) - 1; n >= 0; n-- {
			if len(p.waits[n].of) >= minClients {
				return p.lockstep(n, p.waits[n])
			}
		}
		return nil
	},
}

// minClients is the least number of clients that show whether they go in lockstep.
const minClients = 16

// waits are the waits of all clients before one attempt, the first of each.
type waits struct {
	seen map[*task]bool
	of   []waited
}

type waited struct {
	wait  time.Duration
	noise time.Duration // about it
	n     int           // record of the attempt
}

// waitsOf notes how long a client waited before an attempt.
func (p *replay) waitsOf(a *attempt, wait, noise time.Duration) {
	n := a.own - 2 // attempts before the one that failed
	if n < 0 || n >= maxSteps {
		return
	}
	for len(p.waits) <= n {
		p.waits = append(p.waits, waits{seen: map[*task]bool{}})
	}
	if w := &p.waits[n]; !w.seen[a.q.task] {
		w.seen[a.q.task] = true
		w.of = append(w.of, waited{wait, noise, a.call.sent.N})
	}
}

// lockstep looks for a window of a quarter of what jitter may take away in which
// four of five waits lie. Jitter puts so many there once in 100 000 times; the
// machine's noise only ever spreads them.
func (p *replay) lockstep(n int, w waits) []*Finding {
	window := time.Duration(p.limits.BackoffJitter * float64(p.limits.Step(n+1)) / 4)
	all := slices.Clone(w.of)
	slices.SortFunc(all, func(a, b waited) int { return int(a.wait - b.wait) })
	most := densest(all, window)
	enough := (len(all)*4 + 4) / 5
	noise := blurOf(all, enough)
	blurred := noise > window && len(densest(all, window+2*noise)) >= enough
	if len(most) < enough && !blurred {
		return nil
	}
	f := p.inLockstep(n, all, most, window)
	f.Uncertain, f.noise = len(most) < enough, noise
	return []*Finding{f}
}

// blurOf is the noise that all but a few of the waits were no worse off than.
func blurOf(all []waited, enough int) time.Duration {
	each := make([]time.Duration, len(all))
	for n, w := range all {
		each[n] = w.noise
	}
	slices.Sort(each)
	return each[enough-1]
}

// densest are the waits in the window that holds the most of them.
func densest(all []waited, window time.Duration) []waited {
	var most []waited
	from := 0
	for to := range all {
		for all[to].wait-all[from].wait > window {
			from++
		}
		if to-from+1 > len(most) {
			most = all[from : to+1]
		}
	}
	return most
}

func (p *replay) inLockstep(n int, all, most []waited, window time.Duration) *Finding {
	f := &Finding{Row: "read-only"}
	f.Observed = fmt.Sprintf("before attempt %d, %d of %d clients waited between %s and %s; jitter spreads waits over %s",
		n+2, len(most), len(all), millis(most[0].wait), millis(most[len(most)-1].wait), millis(4*window))
	for _, w := range most[:min(len(most), maxRecords)] {
		f.Records = append(f.Records, w.n)
	}
	slices.Sort(f.Records)
	return f
}
