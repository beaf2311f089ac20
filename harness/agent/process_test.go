package agent_test

import (
	"context"
	"errors"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestAnAgentThatExitsAtOnceIsRecordedWithItsCode(t *testing.T) {
	s := newStage(t, "exit", "3")
	p := s.start("p-1")
	s.within(p.Done())
	s.Expect(p.Exit()).To(Equal(agent.Exit{Code: 3}))
	s.Expect(s.kinds()).To(Equal([]history.Kind{history.ProcessStarted, history.ProcessExited}))
	s.Expect(s.last()).To(Equal(history.Process{ID: "p-1", Code: 3}))
	s.Expect(errors.Is(p.Kill(context.Background()), agent.ErrEnded)).To(BeTrue())
	s.Expect(s.kinds()).To(HaveLen(2), "a kill that did not happen leaves no record")
}

func TestAKillTakesTheWholeFamily(t *testing.T) {
	s := newStage(t, "family")
	p := s.start("p-1")
	family := s.guests(3)
	s.Expect(p.Kill(context.Background())).To(Succeed())
	for _, name := range []string{"agent", "same group", "own session"} {
		family[name].gone(t)
	}
	s.Expect(s.kinds()).To(Equal([]history.Kind{history.ProcessStarted, history.ProcessKilled, history.ProcessExited}))
	s.Expect(s.last()).To(Equal(history.Process{ID: "p-1", Code: -1, Signal: "SIGKILL", Reason: "SIGKILL as a fault"}))
}

func TestWhatAnAgentLeavesBehindIsGoneWhenItIsDone(t *testing.T) {
	s := newStage(t, "daemon")
	p := s.start("p-1")
	s.within(p.Done())
	s.Expect(p.Exit().Code).To(Equal(0))
	s.runner.Close()
	s.Expect(s.marked()).To(BeEmpty())
}

func TestADaemonThatKeepsForkingIsCaught(t *testing.T) {
	s := newStage(t, "hopper", "1000000")
	p := s.start("p-1")
	s.within(p.Done())
	s.Expect(s.marked()).To(BeEmpty())
}

func TestAnAgentThatHeedsSIGTERMEndsItself(t *testing.T) {
	s := newStage(t, "polite")
	p := s.start("p-1")
	s.guests(1)
	s.Expect(p.Stop(context.Background(), time.Minute)).To(Succeed())
	s.Expect(p.Exit()).To(Equal(agent.Exit{Code: 5, Reason: agent.Stopped}))
	s.Expect(p.Stop(context.Background(), time.Minute)).To(Succeed())
}

func TestAnAgentThatIgnoresSIGTERMIsKilledAfterTheGrace(t *testing.T) {
	s := newStage(t, "deaf")
	p := s.start("p-1")
	s.guests(1)
	s.Expect(p.Stop(context.Background(), 20*time.Millisecond)).To(Succeed())
	s.Expect(p.Exit()).To(Equal(agent.Exit{Code: -1, Signal: "SIGKILL", Reason: agent.Stopped}))
	s.Expect(s.kinds()).NotTo(ContainElement(history.ProcessKilled), "only a fault is a kill")
}

func TestAPausedAgentStandsStillUntilItIsResumed(t *testing.T) {
	s := newStage(t, "wait")
	p := s.start("p-1")
	agent := s.guests(1)["agent"]
	agent.answers(t)
	for range 3 {
		s.Expect(p.Pause(context.Background())).To(Succeed())
		s.Expect(s.states()).To(ConsistOf("T"))
		s.Expect(p.Pause(context.Background())).To(Succeed(), "twice is once")
		s.Expect(p.Resume(context.Background())).To(Succeed())
		agent.answers(t)
	}
	s.Expect(p.Pause(context.Background())).To(Succeed())
	s.Expect(p.Kill(context.Background())).To(Succeed(), "also while it is paused")
	s.Expect(s.kinds()[:3]).To(Equal([]history.Kind{history.ProcessStarted, history.ProcessPaused, history.ProcessPaused}))
	agent.gone(t)
}

func TestAPauseStopsTheWholeFamily(t *testing.T) {
	if !canFindRemnants {
		t.Skip("elsewhere only the process group can be stopped")
	}
	s := newStage(t, "family")
	p := s.start("p-1")
	family := s.guests(3)
	s.Expect(p.Pause(context.Background())).To(Succeed())
	s.Eventually(s.states, time.Minute).Should(Equal([]string{"T", "T", "T"}))
	s.Expect(p.Resume(context.Background())).To(Succeed())
	for _, member := range family {
		member.answers(t)
	}
}

func TestAPausedAgentCanBeStopped(t *testing.T) {
	s := newStage(t, "polite")
	p := s.start("p-1")
	s.guests(1)
	s.Expect(p.Pause(context.Background())).To(Succeed())
	s.Expect(p.Stop(context.Background(), time.Minute)).To(Succeed())
	s.Expect(p.Exit().Code).To(Equal(5))
}

func TestCloseKillsWhatStillRuns(t *testing.T) {
	s := newStage(t, "family")
	first, second := s.start("p-1"), s.start("p-2")
	s.guests(6)
	s.Expect(s.runner.Of("t-1")).To(Equal([]*agent.Process{first, second}))
	s.runner.Close()
	s.Expect(first.Done()).To(BeClosed())
	s.Expect(second.Done()).To(BeClosed())
	s.Expect(second.Exit()).To(Equal(agent.Exit{Code: -1, Signal: "SIGKILL", Reason: agent.Stopped}))
	s.Expect(s.marked()).To(BeEmpty())
	_, err := s.runner.Start(context.Background(), agent.Launch{Process: "p-3", Task: "t-1"})
	s.Expect(err).To(MatchError("agent: process p-3: the runner is closed"))
}

func TestAnAgentThatKillsItsSupervisorIsKilledWithItsDaemons(t *testing.T) {
	if !canFindRemnants {
		t.Skip("only Linux finds what a dead supervisor leaves")
	}
	s := newStage(t, "patricide")
	p := s.start("p-1")
	family := s.guests(2)
	_, err := family["agent"].conn.Write([]byte("now\n"))
	s.Expect(err).NotTo(HaveOccurred())
	s.within(p.Done())
	family["agent"].gone(t)
	family["orphan"].gone(t)
	s.Expect(p.Exit()).To(Equal(agent.Exit{Code: -1, Reason: "its supervisor was killed"}))
}
