package judge_test

import (
	"testing"
	"time"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// receipt adds a receipt of the fault f-1.
func (s *story) receipt(kind history.Kind, call, anchor string, change ...func(*history.Fault)) *story {
	f := &history.Fault{ID: "f-1", Anchor: anchor, Effect: "garble"}
	if kind == history.FaultPlanned {
		f.Steps = 1
	}
	for _, c := range change {
		c(f)
	}
	return s.add(0, history.Record{Kind: kind, Call: call, Fault: f})
}

// waitsFor is an accepted submission of which nothing shows that its reply was
// taken, while a fault waits at the anchor.
func (s *story) waitsFor(anchor string) *story {
	return s.receipt(history.FaultPlanned, "", anchor).given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
		reply(3, "c-1", 201, record("a-1", "k-1", "pending"))
}

// forwarded is a request that is on its way to the service.
func (s *story) forwarded(name string) *story {
	return s.add(0, history.Record{Kind: history.CallForwarded, Call: name, Wire: &history.Wire{Whole: true}})
}

// A fault that did not fire as it was planned makes the run a harness error, and
// one that did makes it none.
func TestAFaultFiresAsItWasPlanned(t *testing.T) {
	const submit1 = "approval.submit#1 replied"
	older := func(f *history.Fault) { f.Steps = 0 }
	later := func(f *history.Fault) { f.Delay = time.Second }
	told := func(anchor string, change ...func(*history.Fault)) *story {
		return tell(t).given(0, "w-1").receipt(history.FaultPlanned, "", anchor, change...)
	}
	sent := func(s *story, n string) *story { return s.submit(0, n, "k-1") }
	for name, c := range map[string]struct {
		anchor string
		change func(*history.Fault) // the plan
		armed  bool
		tell   func(s *story, fires func(*story, string) *story) *story
		want   string
	}{
		"as planned": {anchor: submit1, armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1").replied(0, "c-1", 201, history.Facts{}), "c-1").passed(0, "c-1")
		}},
		"not armed": {anchor: submit1, want: "without having been armed", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1")
		}},
		"not armed, in an older history": {anchor: submit1, change: older, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(sent(s, "c-1"), "c-1"), "c-1")
		}},
		"twice": {anchor: submit1, armed: true, want: "once more", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(sent(s, "c-1"), "c-1"), "c-1")
		}},
		"an event, twice": {anchor: "agent claims tracking#2", armed: true, want: "once more", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(s, ""), "")
		}},
		"every event": {anchor: "agent claims tracking#every", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(s, ""), "")
		}},
		"each of a range": {anchor: "approval.submit#1..2 replied", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(sent(sent(s, "c-1"), "c-2"), "c-1"), "c-2")
		}},
		"beyond its range": {anchor: "approval.submit#2..3 replied", armed: true, want: "at another call, approval.submit#1", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(sent(sent(s, "c-1"), "c-2"), "c-2"), "c-1")
		}},
		"every call": {anchor: "approval.query#1 delivered and then approval.submit#every replied", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(sent(s, "c-1"), "c-2"), "c-2")
		}},
		"every call, one twice": {anchor: "approval.submit#every replied", armed: true, want: "once more at the same call", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(fires(sent(s, "c-1"), "c-1"), "c-1")
		}},
		"at the next call": {anchor: submit1, armed: true, want: "at another call, approval.submit#2", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(sent(s, "c-1"), "c-2"), "c-2")
		}},
		"at another operation": {anchor: "approval.query#1 replied", armed: true, want: "at another call, approval.submit#1", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1")
		}},
		"at the call of the task": {anchor: "t-1/" + submit1, armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1")
		}},
		"at the call of another task": {anchor: "t-2/" + submit1, armed: true, want: "at another call", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1")
		}},
		"at an event that a call made": {anchor: "event approved#1 delivered", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1")
		}},
		"at a confirmation that a call asked for": {anchor: "control.confirmation#1 delivered", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1")
		}},
		"when the request had gone on": {anchor: "approval.submit#1 sent", armed: true, want: "late: the request", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1").forwarded("c-1"), "c-1")
		}},
		"before the request goes on": {anchor: "approval.submit#1 sent", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1").forwarded("c-1")
		}},
		"when the reply had gone on": {anchor: submit1, armed: true, want: "late: the reply", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1").reply(0, "c-1", 201, history.Facts{}), "c-1")
		}},
		"later, as planned": {anchor: submit1, change: later, armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1").reply(0, "c-1", 201, history.Facts{}), "c-1")
		}},
		"before the client had the reply": {anchor: "approval.submit#1 delivered", armed: true, want: "early", tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1"), "c-1").reply(0, "c-1", 201, history.Facts{})
		}},
		"when the client had the reply": {anchor: "approval.submit#1 delivered", armed: true, tell: func(s *story, fires func(*story, string) *story) *story {
			return fires(sent(s, "c-1").reply(0, "c-1", 201, history.Facts{}), "c-1")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			var change []func(*history.Fault)
			if c.change != nil {
				change = append(change, c.change)
			}
			s := told(c.anchor, change...)
			if c.armed {
				s.receipt(history.FaultArmed, "", c.anchor)
			}
			v := c.tell(s, func(s *story, call string) *story { return s.receipt(history.FaultFired, call, c.anchor) }).judged()
			if c.want == "" {
				g.Expect(v.Reasons).NotTo(gomega.ContainElement(gomega.ContainSubstring("fault f-1")))
				g.Expect(v.Outcome).NotTo(gomega.Equal(judge.HarnessError))
				return
			}
			g.Expect(v.Reasons).To(gomega.ContainElement(gomega.And(gomega.HavePrefix("fault f-1 ("+c.anchor+") fired in record "), gomega.ContainSubstring(c.want))))
		})
	}
}

func TestAFaultThatDidNotFireAsPlannedIsAHarnessError(t *testing.T) {
	g := gomega.NewWithT(t)
	f := record("a-1", "k-1", "declined")
	run := func(armed bool) *judge.Verdict {
		s := tell(t).accepted()
		s.receipt(history.FaultPlanned, "", "agent started")
		if armed {
			s.receipt(history.FaultArmed, "", "agent started")
		}
		return s.receipt(history.FaultFired, "", "agent started").placed(100, history.Event, &f).acked(110, 1).result(300, "declined").judged()
	}
	g.Expect(run(true).Outcome).To(gomega.Equal(judge.Pass))
	g.Expect(run(false).Outcome).To(gomega.Equal(judge.HarnessError))
}
