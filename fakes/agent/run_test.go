package agent

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"
)

func each(t *testing.T, test func(t *testing.T, design string)) {
	for _, d := range Designs() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			test(t, d.Name)
		})
	}
}

func TestNothingBreaks(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, nil)
		g.Expect(w.run(design, "")).To(Equal(result{Status: "completed", Unverified: []unverified{}}))
		g.Expect(w.records).To(HaveLen(1))
		g.Expect(w.buys).To(HaveLen(1))
		g.Expect(w.buys[0].Approval).To(Equal("a-1"))
		g.Expect(w.states()).To(HaveExactElements("submitting", "tracking", "completed"))
		g.Expect(w.checks).To(Equal(2), "a look at the confirmation before each write")
	})
}

func TestReceiptLost(t *testing.T) {
	for _, fault := range []string{"lose-reply", "hang-reply", "reply 201 {\"ref\":", "reply 201 {}", "reply 502 {}"} {
		each(t, func(t *testing.T, design string) {
			g := NewWithT(t)
			w := newWorld(t, func(w *world) {
				w.task.Limits.AttemptTimeoutMS = 400
				w.faults["approval.submit#1"] = fault
				w.mute = true
			})
			g.Expect(w.run(design, "").Status).To(Equal("completed"))
			g.Expect(w.records).To(HaveLen(1))
			g.Expect(w.buys).To(HaveLen(1))
			g.Expect(slices.Compact(w.keys["approval.submit"])).To(HaveLen(1))
			g.Expect(slices.Compact(w.bodies["approval.submit"])).To(HaveLen(1))
			g.Expect(w.states()).To(ContainElement("pending_verification"))
		})
	}
}

func TestRequestLostIsSentAgainWhileProtected(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			short(w)
			w.task.Limits.VerificationPeriodMS = 2000
			w.faults["approval.submit#1"] = "lose-request"
		})
		r := w.run(design, "")
		if design == "cautious" {
			g.Expect(r).To(Equal(result{Status: "escalated", Unverified: []unverified{{"c-1", "acceptance"}}}))
			g.Expect(w.keys["approval.submit"]).To(HaveLen(1))
			return
		}
		g.Expect(r.Status).To(Equal("completed"))
		g.Expect(slices.Compact(w.keys["approval.submit"])).To(HaveLen(1))
	})
}

func TestNothingIsSentAgainWithoutProtection(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			unprotected(w)
			w.faults["approval.submit#1"] = "lose-reply"
			w.hide, w.mute = 4, true
		})
		g.Expect(w.run(design, "").Status).To(Equal("completed"))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
		g.Expect(w.calls["approval.query"]).To(BeNumerically(">=", 5))
	})
}

func TestHandsOverCompletelyAndTruly(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			short(w)
			unprotected(w)
			w.faults["approval.submit#1"] = "lose-request"
			w.faults["desk.escalate#1"] = "lose-reply"
		})
		r := w.run(design, "")
		g.Expect(r).To(Equal(result{Status: "escalated", Unverified: []unverified{{"c-1", "acceptance"}}}))
		g.Expect(w.calls["desk.escalate"]).To(Equal(2), "the lost one is sent again")
		b := w.escalation()
		g.Expect(b).To(HaveKeyWithValue("task", "t-1"))
		g.Expect(b).To(HaveKeyWithValue("unknowns", HaveExactElements("acceptance")))
		g.Expect(b).To(HaveKeyWithValue("entry_points", HaveExactElements("query")))
		g.Expect(b).To(HaveKeyWithValue("original", And(
			HaveKeyWithValue("key", w.keys["approval.submit"][0]), HaveKeyWithValue("first_sent_at", Not(BeEmpty())),
			HaveKeyWithValue("content", HaveKeyWithValue("note", "a<b")),
		)))
		g.Expect(b).To(HaveKeyWithValue("basis", HaveKeyWithValue("checked", Not(BeNil()))))
		total := 0.0
		for _, q := range b["queries"].([]any) {
			total += q.(map[string]any)["count"].(float64)
		}
		g.Expect(total).To(BeNumerically("==", w.calls["approval.query"]))
		g.Expect(w.buys).To(BeEmpty())
		g.Expect(w.states()).To(HaveExactElements("submitting", "pending_verification", "blocked", "escalated"))
	})
}

func TestEveryAttemptLostStaysWithinTheBudget(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			short(w)
			w.faults["approval.submit#every"] = "lose-request"
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls["approval.submit"]).To(BeNumerically("<=", 3))
		g.Expect(slices.Compact(w.keys["approval.submit"])).To(HaveLen(1))
	})
}

func TestRefusedIsTheEnd(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) { w.faults["approval.submit#every"] = "status 422" })
	g.Expect(w.run("", "").Status).To(Equal("refused"))
	g.Expect(w.calls["approval.submit"]).To(Equal(1))
}

func TestRefusedReplaySettlesNothing(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			w.faults["approval.submit#1"] = "lose-reply"
			w.faults["approval.submit#2"] = "status 422"
		})
		g.Expect(w.run(design, "").Status).To(Equal("completed"))
		g.Expect(w.calls["approval.submit"]).To(BeNumerically("<=", 2))
	})
}

func TestRateLimitIsWaitedFor(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) { w.faults["approval.submit#1"] = "status 429 150" })
		g.Expect(w.run(design, "").Status).To(Equal("completed"))
		g.Expect(w.arrivals).To(HaveLen(2))
		g.Expect(w.arrivals[1].Sub(w.arrivals[0])).To(BeNumerically(">=", 150*time.Millisecond))
		g.Expect(slices.Compact(w.keys["approval.submit"])).To(HaveLen(1))
	})
}

func TestConflictIsHandedOver(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) { w.faults["approval.submit#every"] = "conflict" })
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
		w.escalation()
	})
}

func TestQueueNumberIsNoAcceptance(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) { w.faults["approval.submit#1"], w.mute = `reply 202 {"queue":"q-1"}`, true })
	g.Expect(w.run("", "").Status).To(Equal("completed"))
	g.Expect(w.states()).To(HaveExactElements("submitting", "pending_verification", "tracking", "completed"))
}

func TestDeclinedIsAResult(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) { w.decide = "declined" })
	g.Expect(w.run("", "").Status).To(Equal("declined"))
	g.Expect(w.calls["approval.submit"]).To(Equal(1))
	g.Expect(w.buys).To(BeEmpty())
}

func TestAnotherVersionsRecordIsNotTaken(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		short(w)
		unprotected(w)
		w.faults["approval.submit#1"] = "lose-request"
		w.onCall = func(string) {
			if len(w.records) == 0 && len(w.keys["approval.submit"]) > 0 {
				w.records = []*record{{
					Ref: "a-9", Key: w.keys["approval.submit"][0], Tenant: "acme", Object: "po-17", Confirmation: version{"c-1", 2},
					Digest: "d-2", Content: w.task.Confirmation.Content, Status: "approved", Seq: 2,
				}}
			}
		}
	})
	g.Expect(w.run("", "").Status).To(Equal("escalated"))
	g.Expect(w.states()).NotTo(ContainElement("tracking"))
}

func TestPreviewOnly(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) { w.task.Guarantees = nil })
	g.Expect(w.run("", "").Status).To(Equal("preview"))
	g.Expect(w.calls).To(BeEmpty())
	g.Expect(w.states()).To(HaveExactElements("preview_ready"))
}

func TestRevokedWhileInDoubt(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			short(w)
			w.faults["approval.submit#1"] = "lose-request"
			w.onCall = func(name string) { w.auth.Valid = name != "approval.submit#1" && w.auth.Valid }
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
		w.escalation()
	})
}

func TestMissingNotificationIsSentAlone(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			w.faults["approval.notify#1"] = "lose-reply"
			w.fails = true
			w.after = 20 * time.Millisecond
		})
		g.Expect(w.run(design, "").Status).To(Equal("completed"))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
		g.Expect(slices.Compact(w.keys["approval.notify"])).To(HaveLen(1))
		g.Expect(w.buys).To(HaveLen(1))
	})
}

func TestPurchaseInDoubt(t *testing.T) {
	for _, fault := range []string{"lose-reply", "lose-request"} {
		t.Run(fault, func(t *testing.T) {
			g := NewWithT(t)
			w := newWorld(t, func(w *world) { w.faults["purchase.buy#1"] = fault })
			g.Expect(w.run("", "").Status).To(Equal("completed"))
			g.Expect(w.buys).To(HaveLen(1))
			g.Expect(slices.Compact(w.keys["purchase.buy"])).To(HaveLen(1))
			g.Expect(w.keys["purchase.buy"][0]).NotTo(Equal(w.keys["approval.submit"][0]))
		})
	}
}

func TestSeveralConfirmationsAreSeveralIntents(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		one := *w.task.Confirmation
		two := one
		two.ID = "c-2"
		w.task.Confirmation, w.task.Confirmations = nil, []confirmation{one, two}
	})
	g.Expect(w.run("", "").Status).To(Equal("completed"))
	g.Expect(w.buys).To(HaveLen(2))
	g.Expect(w.records[0].Key).NotTo(Equal(w.records[1].Key))
}

func TestTwoProcessesShareOneRecord(t *testing.T) {
	g := NewWithT(t)
	second := make(chan error, 1)
	w := newWorld(t, func(w *world) { w.after = 50 * time.Millisecond })
	started := false
	w.onCall = func(name string) {
		if name == "approval.submit#1" && !started {
			started = true
			go func() { second <- w.serveWith(context.Background(), reference()) }()
		}
	}
	g.Expect(w.serveWith(context.Background(), reference())).To(Succeed())
	g.Expect(<-second).To(Succeed())
	g.Expect(slices.Compact(slices.Sorted(slices.Values(w.keys["approval.submit"])))).To(HaveLen(1))
	g.Expect(slices.Compact(slices.Sorted(slices.Values(w.keys["purchase.buy"])))).To(HaveLen(1))
	g.Expect(w.records).To(HaveLen(1))
	g.Expect(w.buys).To(HaveLen(1))
	for _, r := range w.results {
		g.Expect(r.Status).To(Equal("completed"))
	}
}

func TestRunLeavesNothingBehind(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		w.faults["approval.submit#1"] = "hang"
		short(w)
		w.task.Limits.VerificationPeriodMS = 5000
	})
	before := gleak.Goroutines()
	w.run("", "")
	g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before, gleak.IgnoringInBacktrace("net/http.(*Server).Serve"), gleak.IgnoringInBacktrace("net/http.(*conn).serve")))
}

func TestUnknownNames(t *testing.T) {
	g := NewWithT(t)
	g.Expect(Run(context.Background(), Options{Defect: "nwe-key", URL: "x"})).To(MatchError(HavePrefix(`agent: unknown defect "nwe-key" (there are `)))
	g.Expect(Run(context.Background(), Options{Design: "fast", URL: "x"})).To(MatchError(
		`agent: unknown design "fast" (there are reference, query-first, replay-first, cautious)`))
	t.Setenv("LOSTRECEIPT_URL", "")
	g.Expect(Run(context.Background(), Options{})).To(MatchError(ContainSubstring("set LOSTRECEIPT_URL")))
}

func TestRunEndsWithItsContext(t *testing.T) {
	g := NewWithT(t)
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(t, func(w *world) { w.decide = "" })
	w.onCall = func(name string) {
		if name == "approval.track#1" {
			cancel()
		}
	}
	g.Expect(w.serveWith(ctx, reference())).To(MatchError(context.Canceled))
	g.Expect(fmt.Sprint(w.results)).To(Equal("[]"))
}

func TestAnAdviserIsHeardAndNotObeyed(t *testing.T) {
	for advice, queries := range map[string]bool{
		"resubmit now under a new identifier": false, "Query it first.": true, "": false,
	} {
		each(t, func(t *testing.T, design string) {
			g := NewWithT(t)
			w := newWorld(t, func(w *world) {
				short(w)
				w.task.Limits.VerificationPeriodMS = 2000
				w.task.Input = []byte(`{"adviser": {"endpoint": "model", "models": ["primary", "backup"]}}`)
				w.script = []message{says("assistant", advice)}
				w.faults["approval.submit#1"] = "lose-reply"
				w.mute = true
			})
			first := "" // of what may come next
			w.onCall = func(name string) {
				if first == "" && (name == "approval.query#1" || name == "approval.submit#2") {
					first = name
				}
			}
			g.Expect(w.run(design, "").Status).To(Equal("completed"))
			g.Expect(w.records).To(HaveLen(1))
			g.Expect(w.identifiers("approval.submit")).To(HaveLen(1))
			g.Expect(w.heard).NotTo(BeEmpty())
			if queries {
				g.Expect(first).To(Equal("approval.query#1"))
			}
			g.Expect(w.calls["model.chat"]).To(Equal(map[bool]int{false: 1, true: 2}[advice == ""]), "each model is asked once")
		})
	}
}
