package judge_test

import (
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// fired is the receipt of a planned fault.
func (s *story) fired(at float64, effect string) *story {
	f := &history.Fault{ID: "f-1", Anchor: "approval.submit#1 committed", Effect: effect}
	return s.add(at, history.Record{Kind: history.FaultPlanned, Fault: f}).add(at, history.Record{Kind: history.FaultFired, Fault: f})
}

func TestASecondWorkerThatNeverCameLeavesTheRunVacuous(t *testing.T) {
	g := gomega.NewWithT(t)
	run := func(second bool) *judge.Verdict {
		f := record("a-1", "k-1", "declined")
		s := tell(t).accepted().fired(70, "redispatch")
		if second {
			s.given(75, "w-2").as("w-1")
		}
		return s.placed(100, history.Event, &f).acked(110, 1).result(300, "declined").judged()
	}
	g.Expect(run(true).Outcome).To(gomega.Equal(judge.Pass))
	v := run(false)
	g.Expect(v.Outcome).To(gomega.Equal(judge.Vacuous))
	g.Expect(v.Reasons).To(gomega.ConsistOf("the task was handed out again, and no second worker ever took it"))
}

// A release may answer for a finding, and then has to know what is left.
func TestAViolationSaysWhatItHides(t *testing.T) {
	g := gomega.NewWithT(t)
	run := func(missed bool) *judge.Verdict {
		s := tell(t).given(0, "w-1")
		if missed {
			s.add(0, history.Record{Kind: history.FaultPlanned, Fault: &history.Fault{ID: "f-1", Anchor: "desk.escalate#1 replied", Effect: "reset"}})
		}
		return s.submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").checks(420).submit(430, "c-2", "k-2").judged()
	}
	v := run(true)
	g.Expect(v.Outcome).To(gomega.Equal(judge.Violation))
	g.Expect(v.Hidden).To(gomega.Equal(judge.Vacuous))
	v = run(false)
	g.Expect(v.Outcome).To(gomega.Equal(judge.Violation))
	g.Expect(v.Hidden).To(gomega.Equal(judge.Pass))
	f := record("a-1", "k-1", "declined")
	v = tell(t).accepted().placed(100, history.Event, &f).acked(110, 1).result(300, "declined").judged()
	g.Expect(v.Outcome).To(gomega.Equal(judge.Pass))
	g.Expect(v.Hidden).To(gomega.BeEmpty())
}

func TestABusyMachineDecidesNothingThatRestsOnTime(t *testing.T) {
	g := gomega.NewWithT(t)
	run := func(noise float64) *judge.Verdict {
		s := tell(t)
		s.noise = noise
		return s.asked().escalates(5000, "c-8", "e-1", briefed(1)).result(5010, "escalated").judged()
	}
	g.Expect(run(0).Outcome).To(gomega.Equal(judge.Violation))
	v := run(250)
	g.Expect(v.Outcome).To(gomega.Equal(judge.Undetermined))
	g.Expect(v.Reasons).To(gomega.ConsistOf("verification-overrun: this machine was too busy to time anything (noise 250.0 ms)"))
}

func TestARecordWithoutItsPayloadIsAHarnessError(t *testing.T) {
	g := gomega.NewWithT(t)
	v := tell(t).given(0, "w-1").add(1, history.Record{Kind: history.CallSent}).judged()
	g.Expect(v.Reasons).To(gomega.ContainElement("1 records lack what their kind must carry, the first is number 3"))
}

func TestAFindingSaysWhatItsRowDemands(t *testing.T) {
	g := gomega.NewWithT(t)
	v := tell(t).given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").checks(420).submit(430, "c-2", "k-2").judged()
	g.Expect(v.Findings[0].Row).To(gomega.Equal("unknown-replay-protected"))
	g.Expect(v.Findings[0].Must).To(gomega.Equal([]string{"check-authorization", "pause-dependents", "name-unverified"}))
}
