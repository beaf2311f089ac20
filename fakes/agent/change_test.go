package agent

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// cancelAt cancels the task as a call arrives.
func (w *world) cancelAt(call string) {
	w.onCall = func(name string) {
		if name == call {
			w.auth.Cancelled = true
			w.place(item{Kind: "cancel"})
		}
	}
}

func TestCancelledBeforeAnythingWasSent(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) { w.inbox = []item{{N: 1, Kind: "cancel"}} })
		g.Expect(w.run(design, "").Status).To(Equal("cancelled"))
		g.Expect(w.calls).To(BeEmpty())
	})
}

func TestCancelledIsSeenInTheConfirmation(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) { w.auth.Cancelled = true })
	g.Expect(w.run("", "").Status).To(Equal("cancelled"))
	g.Expect(w.calls).To(BeEmpty())
}

func TestCancelledWithTheReceiptLost(t *testing.T) {
	for onCancel, status := range map[string]string{"withdraw": "cancelled", "keep": "escalated", "ask": "escalated"} {
		t.Run(onCancel, func(t *testing.T) {
			each(t, func(t *testing.T, design string) {
				g := NewWithT(t)
				w := newWorld(t, func(w *world) {
					w.task.OnCancel, w.decide = onCancel, ""
					w.faults["approval.submit#1"] = "lose-reply"
					w.cancelAt("approval.submit#1")
				})
				g.Expect(w.run(design, "").Status).To(Equal(status))
				g.Expect(w.calls["approval.submit"]).To(Equal(1), "no write after the cancel")
				g.Expect(w.claims).To(ContainElement(HaveField("Ref", "a-1")), "the real result is kept")
				if onCancel == "withdraw" {
					g.Expect(w.records[0].Status).To(Equal("withdrawn"))
					g.Expect(w.calls["approval.track"]).To(BeNumerically(">=", 1), "the withdrawal is verified")
					g.Expect(w.keys["approval.withdraw"][0]).NotTo(Equal(w.keys["approval.submit"][0]))
					return
				}
				g.Expect(w.calls["approval.withdraw"]).To(BeZero())
				g.Expect(w.escalation()).To(HaveKeyWithValue("unknowns", BeEmpty()))
			})
		})
	}
}

func TestWithdrawalReceiptLost(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			w.decide = ""
			w.faults["approval.withdraw#1"] = "lose-reply"
			w.cancelAt("approval.track#1")
		})
		g.Expect(w.run(design, "").Status).To(Equal("cancelled"))
		g.Expect(w.records[0].Status).To(Equal("withdrawn"))
		g.Expect(w.states()).To(ContainElement("withdrawn"))
	})
}

func TestCancelledAfterApproval(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			w.onCall = func(name string) {
				if name == "approval.submit#1" {
					w.auth.Cancelled = true // seen by the look before the purchase
				}
			}
			w.mute = true
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.buys).To(BeEmpty())
		w.escalation()
	})
}

func TestCancelledWithNothingFoundIsHandedOver(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			short(w)
			w.faults["approval.submit#1"] = "lose-request"
			w.cancelAt("approval.submit#1")
		})
		g.Expect(w.run(design, "")).To(Equal(result{Status: "escalated", Unverified: []unverified{{"c-1", "acceptance"}}}))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
	})
}

func TestAFenceSettlesACancelledSubmission(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		promiseVoid(w)
		w.faults["approval.submit#1"] = "lose-request"
		w.cancelAt("approval.submit#1")
	})
	g.Expect(w.run("", "").Status).To(Equal("cancelled"))
	g.Expect(w.calls["approval.void"]).To(Equal(1))
	g.Expect(w.calls["approval.submit"]).To(Equal(1))
}

func promiseVoid(w *world) {
	p := w.task.Guarantees["approval.submit"]
	p.Void = true
	w.task.Guarantees["approval.submit"] = p
}

func TestAFenceAllowsASuccessor(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		promiseVoid(w)
		unprotected(w)
		w.task.Limits.VerificationPeriodMS = 1500
		w.faults["approval.submit#1"] = "lose-request"
	})
	g.Expect(w.run("", "").Status).To(Equal("completed"))
	keys := w.keys["approval.submit"]
	g.Expect(keys).To(HaveLen(2))
	g.Expect(keys[1]).NotTo(Equal(keys[0]))
	g.Expect(w.bodies["approval.submit"][1]).To(ContainSubstring(`"supersedes":"` + keys[0] + `"`))
	g.Expect(w.fences).To(HaveKey(keys[0]))
}

// reviseAt places a newer version as a call arrives.
func (w *world) reviseAt(call string) {
	w.onCall = func(name string) {
		if name == call {
			w.auth.CurrentVersion, w.auth.Digest = 2, "d-2"
			w.place(item{Kind: "revise", Confirmation: &confirmation{
				ID: "c-1", Version: 2, Digest: "d-2", ConfirmedBy: "u-1", Content: []byte(`{"amount":"900.00"}`),
			}})
		}
	}
}

func TestRevisedWhileAcceptedIsWithdrawnFirst(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			w.after = time.Hour
			w.reviseAt("approval.track#1")
			seen := w.onCall
			w.onCall = func(name string) {
				seen(name)
				if name == "approval.submit#2" {
					w.after = 0
				}
			}
		})
		g.Expect(w.run(design, "").Status).To(Equal("completed"))
		g.Expect(w.records).To(HaveLen(2))
		g.Expect(w.records[0].Status).To(Equal("withdrawn"))
		g.Expect(w.records[1].Confirmation).To(Equal(version{"c-1", 2}))
		g.Expect(w.records[1].Key).NotTo(Equal(w.records[0].Key))
		g.Expect(w.buys).To(HaveLen(1))
		g.Expect(w.buys[0].Approval).To(Equal("a-2"))
	})
}

func TestRevisedWhileInDoubtWaitsForTheOriginal(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			short(w)
			w.faults["approval.submit#1"] = "lose-request"
			w.reviseAt("approval.submit#1")
		})
		g.Expect(w.run(design, "").Status).To(Equal("escalated"))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
	})
}

func TestRevisedAfterRefusalIsSubmitted(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		w.faults["approval.submit#1"] = "status 429 200"
		w.reviseAt("approval.submit#1")
	})
	g.Expect(w.run("", "").Status).To(Equal("completed"))
	g.Expect(w.records).To(HaveLen(1))
	g.Expect(w.records[0].Digest).To(Equal("d-2"))
}

func TestStopEndsAllCalls(t *testing.T) {
	each(t, func(t *testing.T, design string) {
		g := NewWithT(t)
		w := newWorld(t, func(w *world) {
			w.faults["approval.submit#1"] = "lose-reply"
			w.onCall = func(name string) {
				if name == "approval.submit#1" {
					w.place(item{Kind: "stop"})
				}
			}
			w.mute = true
			w.task.Limits.BackoffBaseMS, w.task.Limits.BackoffMaxMS = 400, 400 // the stop comes before the next call
		})
		g.Expect(w.run(design, "")).To(Equal(result{Status: "escalated", Unverified: []unverified{{"c-1", "acceptance"}}}))
		g.Expect(w.calls).To(Equal(map[string]int{"approval.submit": 1, "desk.escalate": 1}))
	})
}

func TestStoppedBeforeAnythingWasSent(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) { w.auth.Stopped = true })
	g.Expect(w.run("", "").Status).To(Equal("cancelled"))
	g.Expect(w.calls).To(BeEmpty())
}

func TestLateEvidenceAmendsTheEscalation(t *testing.T) {
	g := NewWithT(t)
	w := newWorld(t, func(w *world) {
		short(w)
		unprotected(w)
		w.hide = 1 << 20
		w.mute = true
		w.faults["approval.submit#1"] = "lose-reply"
		w.onCall = func(name string) {
			if name == "desk.escalate#1" {
				shown := *w.records[0]
				w.place(item{Kind: "event", Type: "approved", Record: &shown, Seq: shown.Seq})
			}
		}
	})
	g.Expect(w.run("", "")).To(Equal(result{Status: "escalated", Unverified: []unverified{}}))
	g.Expect(w.calls["desk.escalate"]).To(Equal(2))
	g.Expect(w.escalation()).To(HaveKeyWithValue("unknowns", BeEmpty()), "amended under the same identifier")
	g.Expect(w.claims).To(ContainElement(HaveField("Ref", "a-1")))
	g.Expect(w.buys).To(BeEmpty())
}

func TestAPersonsDecision(t *testing.T) {
	decide := func(choice string, then func(*world)) *world {
		return newWorld(t, func(w *world) {
			short(w)
			unprotected(w)
			w.faults["approval.submit#1"] = "lose-request"
			w.onCall = func(name string) {
				if name == "desk.escalate#1" {
					w.place(item{Kind: "decision", Choice: choice})
					then(w)
				}
			}
		})
	}
	open := result{Status: "escalated", Unverified: []unverified{{"c-1", "acceptance"}}}
	t.Run("close", func(t *testing.T) {
		g := NewWithT(t)
		w := decide("close", func(*world) {})
		g.Expect(w.run("", "")).To(Equal(open))
		g.Expect(w.calls["approval.submit"]).To(Equal(1))
	})
	t.Run("wait", func(t *testing.T) {
		g := NewWithT(t)
		w := decide("wait", func(w *world) { w.calls["approval.query"] = 0 })
		g.Expect(w.run("", "")).To(Equal(open))
		g.Expect(w.calls["approval.query"]).To(BeNumerically(">", 0))
	})
	t.Run("resubmit", func(t *testing.T) {
		g := NewWithT(t)
		w := decide("resubmit", func(*world) {})
		g.Expect(w.run("", "")).To(Equal(open), "the original stays unverified")
		g.Expect(w.keys["approval.submit"]).To(HaveLen(2))
		g.Expect(w.keys["approval.submit"][0]).NotTo(Equal(w.keys["approval.submit"][1]))
		g.Expect(w.buys).To(BeEmpty())
	})
}
