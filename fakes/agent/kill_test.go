package agent

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
)

// errKilled is what every call to the outside brings after the kill.
var errKilled = errors.New("killed")

// killer lets a number of steps pass and then nothing: the store and the wire
// are as a SIGKILL at that point leaves them.
type killer struct {
	mu   sync.Mutex
	left int
	end  context.CancelFunc
}

func (k *killer) step() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.left--; k.left < 0 {
		k.end()
		return false
	}
	return true
}

type killedLedger struct {
	ledger
	k *killer
}

func (l killedLedger) load(id string) (*dossier, error) {
	if l.k.left < 0 {
		return nil, errKilled
	}
	return l.ledger.load(id)
}

func (l killedLedger) update(id string, change func(*dossier) error) error {
	if !l.k.step() { // before it is durable
		return errKilled
	}
	if err := l.ledger.update(id, change); err != nil {
		return err
	}
	if !l.k.step() { // after
		return errKilled
	}
	return nil
}

type killedCaller struct {
	caller
	k *killer
}

func (c killedCaller) call(ctx context.Context, r request) reply {
	if !c.k.step() {
		return reply{err: errKilled}
	}
	out := c.caller.call(context.WithoutCancel(ctx), r) // what has left arrives
	if !c.k.step() {
		return reply{err: errKilled}
	}
	return out
}

// killedAfter runs one process that is killed at its n-th step, and tells
// whether it came so far.
func (w *world) killedAfter(n int, defectName string) bool {
	w.t.Helper()
	g := NewWithT(w.t)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	k := &killer{left: n, end: cancel}
	p, err := assemble("", defectName)
	g.Expect(err).NotTo(HaveOccurred())
	door, put := p.door, p.ledger
	p.door = func() caller { return killedCaller{door(), k} }
	p.ledger = func(l ledger) ledger { return put(killedLedger{l, k}) }
	err = w.serveWith(ctx, p)
	if err != nil {
		g.Expect(errors.Is(err, errKilled) || errors.Is(err, context.Canceled)).To(BeTrue(), "%v", err)
	}
	return err != nil
}

// identifiers are all that a killed and a resumed process have used for one write.
func (w *world) identifiers(operation string) []string {
	return slices.Compact(slices.Sorted(slices.Values(w.keys[operation])))
}

func TestAKillAtAnyStepKeepsTheIdentifier(t *testing.T) {
	for name, change := range map[string]func(*world){
		"calm":         func(w *world) { w.mute = true },
		"receipt lost": func(w *world) { w.faults["approval.submit#1"], w.mute = "lose-reply", true },
		"unprotected": func(w *world) {
			unprotected(w)
			w.task.Limits.VerificationPeriodMS = 1000
			w.faults["approval.submit#1"] = "lose-reply"
		},
		"purchase lost": func(w *world) { w.faults["purchase.buy#1"] = "lose-reply" },
		"cancelled":     func(w *world) { w.decide = ""; w.cancelAt("approval.submit#1") },
		"handed over":   func(w *world) { w.faults["approval.submit#every"] = "conflict" },
		"withdrawal lost": func(w *world) {
			w.decide, w.faults["approval.withdraw#1"] = "", "lose-reply"
			w.cancelAt("approval.submit#1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ends := ""
			for n, killed := 0, true; killed; n++ {
				g := NewWithT(t)
				g.Expect(n).To(BeNumerically("<", 200), "steps")
				w := newWorld(t, func(w *world) {
					w.task.Limits.AttemptTimeoutMS, w.task.Limits.BackoffMaxMS = 400, 8
					change(w)
				})
				killed = w.killedAfter(n, "")
				if killed {
					g.Expect(w.run("query-first", "").Status).NotTo(BeEmpty()) // any design goes on from the record
				}
				for _, operation := range []string{"approval.submit", "purchase.buy", "approval.withdraw", "desk.escalate"} {
					g.Expect(len(w.identifiers(operation))).To(BeNumerically("<=", 1), "identifiers of %s after a kill at step %d", operation, n)
				}
				g.Expect(len(w.records)).To(BeNumerically("<=", 1))
				g.Expect(len(w.buys)).To(BeNumerically("<=", 1))
				if ends == "" {
					ends = w.result().Status
				}
				if name == "unprotected" && w.calls["approval.submit"] == 0 {
					g.Expect(w.result().Status).To(Equal("escalated"), "the record says that it may have left")
					continue
				}
				g.Expect(w.result().Status).To(Equal(ends), "ends as if nobody had killed it, at step %d", n)
			}
		})
	}
}

func TestALateRecordForgetsTheIdentifier(t *testing.T) {
	g := NewWithT(t)
	forgot := 0
	for n, killed := 0, true; killed; n++ {
		w := newWorld(t, func(w *world) { w.mute = true })
		if killed = w.killedAfter(n, "record-after-send"); killed {
			w.run("", "record-after-send")
		}
		if len(w.identifiers("approval.submit")) > 1 {
			forgot++
		}
	}
	g.Expect(forgot).To(BeNumerically(">", 0))
}
