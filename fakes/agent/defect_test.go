package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// runFor runs a process that may not end by itself.
func (w *world) runFor(d time.Duration, defectName string, until func() bool) error {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	end := make(chan error, 1)
	go func() { end <- Run(ctx, Options{Defect: defectName, URL: w.url}) }()
	NewWithT(w.t).Eventually(func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return until()
	}, d).Should(BeTrue())
	cancel()
	return <-end
}

// Each defect does what its sentence forbids, where a correct design does not.
func TestDefectsMisbehave(t *testing.T) {
	always := func() bool { return true }
	sent := func(w *world) int { return w.calls["approval.submit"] }
	distinct := func(w *world) int { return len(w.identifiers("approval.submit")) }
	lost := func(fault string) func(*world) {
		return func(w *world) { short(w); w.mute = true; w.faults["approval.submit#1"] = fault }
	}
	both := func(all ...func(*world)) func(*world) {
		return func(w *world) {
			for _, change := range all {
				change(w)
			}
		}
	}
	for name, c := range map[string]struct {
		given func(*world)
		wrong func(w *world) bool
	}{
		"new-key":              {lost("lose-request"), func(w *world) bool { return distinct(w) > 1 }},
		"blind-retry":          {both(lost("lose-reply"), unprotected), func(w *world) bool { return sent(w) > 1 }},
		"content-changed":      {lost("lose-request"), func(w *world) bool { return len(slices.Compact(w.bodies["approval.submit"])) > 1 }},
		"first-empty-believed": {both(lost("lose-request"), unprotected), func(w *world) bool { return sent(w) > 1 }},
		"cancel-forgets-receipt": {
			both(lost("lose-reply"), func(w *world) { w.decide = ""; w.cancelAt("approval.submit#1") }),
			func(w *world) bool { return w.results[0].Status == "cancelled" && w.records[0].Status == "pending" },
		},
		"gives-up-as-failed": {lost("lose-reply"), func(w *world) bool { return w.results[0].Status == "refused" }},
		"similar-record-adopted": {
			both(lost("lose-request"), unprotected, func(w *world) {
				w.faults["approval.query#2"] = `reply 200 {"items":[{"ref":"a-7","key":"other","status":"approved"}]}`
			}),
			func(w *world) bool { return w.buys[0].Approval == "a-7" },
		},
		"buys-in-doubt": {both(lost("lose-request"), unprotected), func(w *world) bool { return len(w.buys) == 1 && len(w.records) == 0 }},
		"submits-after-cancel": {
			func(w *world) { w.inbox = []item{{N: 1, Kind: "cancel"}} },
			func(w *world) bool { return sent(w) == 1 },
		},
		"success-fabricated":      {lost("lose-request"), func(w *world) bool { return w.results[0].Status == "completed" && len(w.records) == 0 }},
		"authorization-unchecked": {lost("lose-request"), func(w *world) bool { return w.checks < sent(w)+w.calls["purchase.buy"] }},
		"unlimited-attempts": {
			func(w *world) { short(w); w.faults["approval.submit#every"] = "lose-request" },
			func(w *world) bool { return sent(w) > 3 },
		},
		"escalates-at-once": {
			both(lost("lose-reply"), func(w *world) { w.task.Limits.VerificationPeriodMS = 30_000 }),
			func(w *world) bool { return w.results[0].Status == "escalated" },
		},
		"never-escalates": {
			both(lost("lose-request"), unprotected),
			func(w *world) bool { return w.results[0].Status == "escalated" && len(w.briefs) == 0 },
		},
		"escalates-twice":       {both(lost("lose-request"), unprotected), func(w *world) bool { return len(w.briefs) == 2 }},
		"escalation-incomplete": {both(lost("lose-request"), unprotected), func(w *world) bool { return w.escalation()["original"] == nil }},
		"escalation-untrue": {both(lost("lose-request"), unprotected), func(w *world) bool {
			unknowns, _ := w.escalation()["unknowns"].([]any)
			return len(unknowns) == 0
		}},
		"conflict-new-key":    {lost("conflict"), func(w *world) bool { return distinct(w) > 1 }},
		"conflict-retried":    {lost("conflict"), func(w *world) bool { return sent(w) > 1 && distinct(w) == 1 }},
		"wrong-version-taken": {lost(`reply 201 {"ref":"a-8","confirmation":{"id":"c-1","version":9},"status":"approved"}`), func(w *world) bool { return w.buys[0].Approval == "a-8" }},
		"refusal-retried":     {lost("status 422"), func(w *world) bool { return sent(w) > 1 }},
		"content-unconfirmed": {short, func(w *world) bool { return !sameContent(w.records[0].Content, w.task.Confirmation.Content) }},
		"stop-ignored": {
			func(w *world) { w.auth.Stopped = true },
			func(w *world) bool { return sent(w) == 1 },
		},
		"revised-beside": {
			func(w *world) { w.decide = ""; w.reviseAt("approval.track#1") },
			nil,
		},
		"revised-in-doubt": {
			both(lost("lose-request"), func(w *world) { w.reviseAt("approval.submit#1") }),
			func(w *world) bool { return sent(w) == 2 && w.results[0].Status == "completed" },
		},
		"withdraws-in-doubt": {
			both(lost("lose-request"), func(w *world) { w.cancelAt("approval.submit#1") }),
			func(w *world) bool { return w.calls["approval.withdraw"] > 0 },
		},
		"no-identifier": {short, func(w *world) bool { return slices.Contains(w.keys["approval.submit"], "") }},
		"one-identifier": {short, func(w *world) bool {
			return slices.Contains(w.keys["approval.submit"], w.keys["purchase.buy"][0])
		}},
		"buys-again":            {func(w *world) { short(w); w.faults["purchase.buy#1"] = "lose-reply" }, func(w *world) bool { return len(w.identifiers("purchase.buy")) > 1 }},
		"notifies-again":        {short, func(w *world) bool { return w.calls["approval.notify"] > 0 }},
		"notification-left-out": {func(w *world) { short(w); w.fails = true }, func(w *world) bool { return w.calls["approval.notify"] == 0 }},
		"chain-run-again":       {func(w *world) { short(w); w.fails = true }, func(w *world) bool { return sent(w) > 1 }},
		"pending-handed-over":   {func(w *world) { short(w); w.after = 200 * time.Millisecond }, func(w *world) bool { return len(w.briefs) == 1 }},
		"pending-sent-again":    {func(w *world) { short(w); w.after = 200 * time.Millisecond }, func(w *world) bool { return sent(w) > 1 }},
		"declined-sent-again":   {func(w *world) { short(w); w.decide = "declined" }, func(w *world) bool { return sent(w) > 1 }},
		"server-error-believed": {lost("status 502"), func(w *world) bool { return w.results[0].Status == "refused" }},
		"scope-forgotten": {lost("lose-request"), func(w *world) bool {
			return strings.Contains(w.bodies["approval.submit"][1], `"tenant":"default"`)
		}},
		"gives-up-at-once": {lost("status 429"), func(w *world) bool { return len(w.briefs) == 1 }},
		"denial-ignored":   {func(w *world) { short(w); w.auth.Valid = false }, func(w *world) bool { return sent(w) > 0 }},
		"withdraws-without-permission": {
			func(w *world) {
				short(w)
				w.decide, w.auth.Permissions = "", []string{"submit", "purchase", "notify"}
				w.cancelAt("approval.track#1")
			},
			func(w *world) bool { return w.calls["approval.withdraw"] > 0 },
		},
		"withdraws-unasked": {
			func(w *world) { short(w); w.decide, w.task.OnCancel = "", "keep"; w.cancelAt("approval.track#1") },
			func(w *world) bool { return w.calls["approval.withdraw"] > 0 },
		},
		"preview-sent": {
			both(short, func(w *world) { w.promised(func(p *promise) { p.Idempotency.Supported, p.Query.ByKey = false, false }) }),
			func(w *world) bool { return sent(w) > 0 },
		},
		"only-previews": {
			both(short, func(w *world) { w.promised(func(p *promise) { p.Query.ByKey = false }) }),
			func(w *world) bool { return sent(w) == 0 },
		},
		"client-resends": {nil, nil}, // see TestEachCallIsSentOnce
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := NewWithT(t)
			w := newWorld(t, c.given)
			switch {
			case name == "revised-beside":
				_ = w.runFor(30*time.Second, name, func() bool { return len(w.records) == 2 && w.records[0].Status == "pending" })
			case c.wrong != nil:
				w.run("", name)
				g.Expect(c.wrong(w)).To(BeTrue(), "%v %v", w.results, w.calls)
				if c.given != nil {
					w := newWorld(t, c.given)
					w.run("", "")
					g.Expect(right(w, c.wrong)).To(BeTrue(), "the reference does the same: %v %v", w.results, w.calls)
				}
			}
		})
	}
	t.Run("does-nothing", func(t *testing.T) {
		w := newWorld(t, nil)
		_ = w.runFor(10*time.Second, "does-nothing", func() bool { return w.given == 1 }) // it ends only because it is ended
		NewWithT(t).Expect(w.calls).To(BeEmpty())
	})
	t.Run("exits-at-once", func(t *testing.T) {
		w := newWorld(t, nil)
		err := w.runFor(10*time.Second, "exits-at-once", always)
		NewWithT(t).Expect(err).To(Or(MatchError(ContainSubstring("gives up without a word")), Satisfy(func(err error) bool { return errors.Is(err, context.Canceled) })))
	})
	t.Run("no-timeout", func(t *testing.T) {
		w := newWorld(t, func(w *world) { short(w); w.faults["approval.submit#1"] = "hang" })
		start := time.Time{}
		_ = w.runFor(30*time.Second, "no-timeout", func() bool {
			if start.IsZero() && sent(w) == 1 {
				start = time.Now()
			}
			return !start.IsZero() && time.Since(start) > time.Second
		})
		NewWithT(t).Expect(w.states()).To(Equal([]string{"submitting"}))
	})
	t.Run("queue-number-taken", func(t *testing.T) {
		w := newWorld(t, func(w *world) { w.mute = true; w.faults["approval.submit#1"] = `status 202` })
		_ = w.runFor(30*time.Second, "queue-number-taken", func() bool {
			return slices.ContainsFunc(w.claims, func(c claim) bool { return c.State == "tracking" })
		})
	})
}

// promised changes what the submission's service promises.
func (w *world) promised(change func(*promise)) {
	p := w.task.Guarantees["approval.submit"]
	change(&p)
	w.task.Guarantees["approval.submit"] = p
}

func TestOneResultIsPosted(t *testing.T) {
	g := NewWithT(t)
	handed := result{Status: "escalated", Unverified: []unverified{{"c-1", "acceptance"}}}
	g.Expect(reference().outcome(handed)).To(Equal([]result{handed}))
	p, err := assemble("", "result-rewritten")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p.outcome(handed)).To(HaveLen(2))
	g.Expect(p.outcome(result{Status: "completed"})).To(HaveLen(1))
}

func TestRecordsAreOrderedByNumberAndNotByArrival(t *testing.T) {
	g := NewWithT(t)
	now := time.Now()
	old, fresh := &record{Status: "pending", Seq: 1, Came: now}, &record{Status: "declined", Seq: 2, Came: now.Add(-time.Second)}
	for name, last := range map[string]string{"": "declined", "last-message-wins": "pending"} {
		p, err := assemble("", name)
		g.Expect(err).NotTo(HaveOccurred())
		in := &intent{}
		p.association.accept(in, fresh)
		p.association.accept(in, old)
		g.Expect(in.Record.Status).To(Equal(last), name)
	}
}

// right tells whether a run of the reference shows nothing of the wrong. Where
// a defect reads what only it brings about, reading it may fail.
func right(w *world, wrong func(*world) bool) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = true
		}
	}()
	return !wrong(w)
}

func TestWaitsOfDefects(t *testing.T) {
	g := NewWithT(t)
	l := testTask().Limits
	p := reference()
	for n := 1; n < 8; n++ {
		for _, dice := range []float64{0, 0.5, 0.999} {
			g.Expect(p.wait(l, n, dice)).To(And(BeNumerically(">=", l.step(n)/2), BeNumerically("<=", l.step(n))))
		}
	}
	flat, err := assemble("", "no-waits")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(flat.wait(l, 3, 0)).To(BeNumerically("<", l.step(3)/2))
	greedy, err := assemble("", "retry-after-ignored")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(greedy.asked(reply{asked: time.Second})).To(BeZero())
	g.Expect(p.asked(reply{asked: time.Second})).To(Equal(time.Second))
}

func TestProtectionOfDefects(t *testing.T) {
	g := NewWithT(t)
	tk := testTask()
	now := time.Now()
	in := &intent{FirstSent: now.Add(-time.Hour)}
	trusting, err := assemble("", "expired-record-trusted")
	g.Expect(err).NotTo(HaveOccurred())
	pr := tk.Guarantees["approval.submit"]
	g.Expect(trusting.protected(in, pr, tk.Limits, now)).To(BeTrue())
	g.Expect(protected(in, pr, tk.Limits, now)).To(BeFalse())
	in.FirstSent = now.Add(-pr.retention() + tk.Limits.attemptTimeout() - time.Millisecond)
	g.Expect(protected(in, pr, tk.Limits, now)).To(BeFalse(), "a replay needs time to arrive")
	in.FirstSent = in.FirstSent.Add(2 * time.Millisecond)
	g.Expect(protected(in, pr, tk.Limits, now)).To(BeTrue())
	late, err := assemble("", "verifies-for-ever")
	g.Expect(err).NotTo(HaveOccurred())
	over := periodEnd(in, tk.Limits).Add(time.Second)
	g.Expect(late.verifying(in, tk.Limits, over)).To(BeTrue())
	g.Expect(reference().verifying(in, tk.Limits, over)).To(BeFalse())
}
