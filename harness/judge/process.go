package judge

import (
	"math"
	"sort"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// process is one process of the agent.
type process struct {
	pauses []pause
	works  []*work         // what it was given
	killed bool            // by the harness, as a fault, by now
	kill   *history.Record // as the history says
	exited *history.Record
	// started is when its program was started, nil where the history does not tell.
	started *history.Record
}

// pause is a time for which the harness had stopped a process.
type pause struct {
	from, to time.Duration
	before   time.Duration // paused in all before this one
}

const forever = time.Duration(math.MaxInt64)

func (pr *process) pause(at time.Duration) {
	n := len(pr.pauses)
	if n > 0 && pr.pauses[n-1].to == forever {
		return
	}
	next := pause{from: at, to: forever}
	if n > 0 {
		last := pr.pauses[n-1]
		next.before = last.before + last.to - last.from
	}
	pr.pauses = append(pr.pauses, next)
}

func (pr *process) resume(at time.Duration) {
	if n := len(pr.pauses); n > 0 && pr.pauses[n-1].to == forever {
		pr.pauses[n-1].to = at
	}
}

// pausedAt is the pause during which an instant falls, or nil.
func (pr *process) pausedAt(at time.Duration) *pause {
	n := sort.Search(len(pr.pauses), func(i int) bool { return pr.pauses[i].from > at })
	if n == 0 || pr.pauses[n-1].to <= at {
		return nil
	}
	return &pr.pauses[n-1]
}

// frozen is for how long the process was stopped between two instants.
func (pr *process) frozen(from, to time.Duration) time.Duration {
	until := func(at time.Duration) time.Duration {
		n := sort.Search(len(pr.pauses), func(i int) bool { return pr.pauses[i].from > at })
		if n == 0 {
			return 0
		}
		last := pr.pauses[n-1]
		return last.before + min(at, last.to) - last.from
	}
	return max(0, until(to)-until(from))
}

// ended tells whether the process is gone.
func (pr *process) ended() bool { return pr.killed || pr.exited != nil }
