package agent_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// printed is what an output kept.
func printed(t *testing.T, o *agent.Output) string {
	t.Helper()
	var b bytes.Buffer
	NewWithT(t).Expect(o.Print(&b)).To(Succeed())
	return b.String()
}

func TestWhatAProcessPrintsIsOfTheTaskThatItHasThen(t *testing.T) {
	s := newStage(t, "parrot")
	outs := []*agent.Output{agent.NewOutput(0)}
	var records []history.Kind
	p, err := s.runner.Start(context.Background(), agent.Launch{
		Process: "p-0", Task: "t-1", URL: s.door.Addr().String(), Output: outs[0],
		Record: func(r history.Record) { records = append(records, r.Kind) },
	})
	s.Expect(err).NotTo(HaveOccurred())
	parrot := s.guests(1)["agent"]
	for i := range 200 {
		parrot.answers(t) // what it was told it has printed, before it answered
		outs = append(outs, agent.NewOutput(0))
		p.Turn(fmt.Sprint("p-", i+1), outs[i+1])
	}
	s.Expect(p.Kill(context.Background())).To(Succeed())
	for i, o := range outs[:200] {
		s.Expect(printed(t, o)).To(Equal(fmt.Sprintf("p-%d | ping\n", i)))
	}
	s.Expect(printed(t, outs[200])).To(BeEmpty())
	p.Turn("p-x", agent.NewOutput(0)) // of a process that has ended: nothing comes any more

	s.Expect(records).To(Equal([]history.Kind{history.ProcessStarted, history.ProcessKilled, history.ProcessExited}))
	s.Expect(s.kinds()).To(BeEmpty(), "its own recorder took them")
}

func TestAProcessThatPrintsWithoutEndIsTurnedAllTheSame(t *testing.T) {
	s := newStage(t, "yes")
	p := s.start("p-1")
	for range 20 {
		p.Turn("p-2", agent.NewOutput(64))
	}
	last := agent.NewOutput(64)
	p.Turn("p-3", last)
	s.Eventually(func() string { return printed(t, last) }, "1m").Should(HavePrefix("p-3 | "))
	s.Expect(p.Kill(context.Background())).To(Succeed())
}

// parrot prints every line that it is told, and then answers it.
func parrot() {
	in := dial("agent")
	for in.Scan() {
		fmt.Println(in.Text())
		fmt.Fprintf(echo, "%s\n", in.Text())
	}
	select {}
}

func printForEver() {
	line := bytes.Repeat([]byte("y\n"), 1000)
	for {
		_, _ = os.Stdout.Write(line)
	}
}
