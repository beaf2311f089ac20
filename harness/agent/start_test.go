package agent_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestTheAgentGetsTheProtocolsEnvironmentAndNoMoreOfOurs(t *testing.T) {
	s := newStage(t, "environment")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	s.Expect(err).NotTo(HaveOccurred())
	runner, err := agent.New(agent.Config{
		Log: s.log, Command: []string{os.Args[0], "__agent", "environment"}, Dir: dir,
		Env: []string{"HOME=/home/x", "LOSTRECEIPT_ADMIN=secret", "LOSTRECEIPT_URL=old", "NO_PROXY=corp.example", "GORACE=atexit_sleep_ms=0"},
	})
	s.Expect(err).NotTo(HaveOccurred())
	defer runner.Close()
	p, err := runner.Start(t.Context(), agent.Launch{Process: "p-1", Task: "t-1", URL: "http://127.0.0.1:1", Token: "abc", Env: []string{"EXTRA=1"}})
	s.Expect(err).NotTo(HaveOccurred())
	s.within(p.Done())
	var out strings.Builder
	s.Expect(runner.WriteOutput("t-1", &out)).To(Succeed())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	s.Expect(lines).To(ConsistOf(
		"p-1 | HOME=/home/x", "p-1 | GORACE=atexit_sleep_ms=0", "p-1 | LOSTRECEIPT_URL=http://127.0.0.1:1", "p-1 | LOSTRECEIPT_TOKEN=abc",
		MatchRegexp(`^p-1 \| LOSTRECEIPT_RUN=\w{26}$`), "p-1 | EXTRA=1", "p-1 | dir "+dir,
		"p-1 | NO_PROXY=corp.example,127.0.0.1,localhost,::1", "p-1 | no_proxy=127.0.0.1,localhost,::1",
	))
}

func TestMuchOutputIsTakenAndBounded(t *testing.T) {
	s := newStage(t, "print", fmt.Sprint(100<<20))
	p := s.start("p-1")
	s.within(p.Done())
	s.Expect(p.Exit()).To(Equal(agent.Exit{}))
	out := s.output()
	s.Expect(out).To(HavePrefix("p-1 | first line\np-1 | xxx"))
	s.Expect(out).To(HaveSuffix("xxx\np-1 | last line\n"))
	s.Expect(out).To(MatchRegexp(`\n\[\.\.\. 1\d{8} bytes of output are not kept \.\.\.\]\n`))
	s.Expect(len(out)).To(BeNumerically("<", 2*agent.DefaultOutput+100))
}

func TestAnAgentThatClosesItsOutputGoesOn(t *testing.T) {
	s := newStage(t, "mute")
	p := s.start("p-1")
	s.guests(1)["agent"].answers(t)
	s.Expect(p.Kill(context.Background())).To(Succeed())
	s.Expect(s.output()).To(BeEmpty())
}

func TestACommandThatCannotBeFoundIsExplained(t *testing.T) {
	g := NewWithT(t)
	t.Setenv("PATH", "/bin:/usr/bin")
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(os.WriteFile("plain", []byte("#!/bin/sh\n"), 0o644)).To(Succeed())
	for program, want := range map[string]string{
		"":            "agent: no command: name the agent's program after --, for example: -- python3 adapter.py",
		"no-such":     `agent: command "no-such": no such program in any of the 2 directories of PATH: install it, or give its path`,
		"plain":       `agent: command "plain": no such program in any of the 2 directories of PATH (there is one in the working directory: write ./plain): install it, or give its path`,
		"./plain":     `agent: command "./plain": it is not executable: chmod +x it, or start it with its interpreter, for example: -- python3 ./plain`,
		"./no-such":   `agent: command "./no-such": there is no such file, seen from ` + dir + `: check the path`,
		"/no/such/at": `agent: command "/no/such/at": there is no such file, seen from ` + dir + `: check the path`,
	} {
		_, err := agent.New(agent.Config{Log: history.NewLog(nil), Command: []string{program}})
		g.Expect(err).To(HaveOccurred())
		g.Expect(err.Error()).To(HavePrefix(want))
	}
	_, err = agent.New(agent.Config{Command: []string{"sh"}})
	g.Expect(err).To(MatchError("agent: no log"))
}

func TestAProgramThatCannotRunIsExplainedAndRecorded(t *testing.T) {
	s := newStage(t, "exit", "0")
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, hint string }{
		"garbage":        {"no program", "it is neither a program of this machine nor a script that begins with #!: start it with its interpreter"},
		"no-interpreter": {"#!/no/such\n", "the program, the interpreter that its first line names, or the working directory does not exist"},
	} {
		file := filepath.Join(dir, name)
		s.Expect(os.WriteFile(file, []byte(c.text), 0o755)).To(Succeed())
		log := history.NewLog(nil)
		runner, err := agent.New(agent.Config{Log: log, Command: []string{file}})
		s.Expect(err).NotTo(HaveOccurred())
		_, err = runner.Start(t.Context(), agent.Launch{Process: "p-1", Task: "t-1"})
		s.Expect(err).To(MatchError(And(HavePrefix(fmt.Sprintf("agent: starting %q: %s: ", file, file)), HaveSuffix(c.hint))))
		p, _ := runner.Process("p-1")
		s.Expect(p.Done()).To(BeClosed())
		records := log.Records()
		s.Expect(records).To(HaveLen(2))
		s.Expect(records[1].Process.Reason).To(And(HavePrefix("it could not be started: "), HaveSuffix(c.hint)))
		s.Expect(p.Kill(t.Context())).To(MatchError(agent.ErrEnded))
		runner.Close()
	}
}

func TestAStartThatIsGivenUpLeavesNothing(t *testing.T) {
	s := newStage(t, "wait")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.runner.Start(ctx, agent.Launch{Process: "p-1", Task: "t-1", URL: s.door.Addr().String()})
	s.Expect(err).To(MatchError(context.Canceled))
	p, _ := s.runner.Process("p-1")
	s.Expect(p.Done()).To(BeClosed())
	s.Expect(s.marked()).To(BeEmpty())
}

func TestProcessIdsDiffer(t *testing.T) {
	s := newStage(t, "exit", "0")
	s.start("p-1")
	_, err := s.runner.Start(t.Context(), agent.Launch{Process: "p-1", Task: "t-1"})
	s.Expect(err).To(MatchError(`agent: process "p-1": ids must be given and differ`))
}

func TestASupervisorThatDoesNotAnswerIsAnError(t *testing.T) {
	s := newStage(t, "exit", "0")
	runner, err := agent.New(agent.Config{Log: s.log, Command: []string{"true"}, Supervisor: []string{"true"}})
	s.Expect(err).NotTo(HaveOccurred())
	defer runner.Close()
	_, err = runner.Start(t.Context(), agent.Launch{Process: "p-1", Task: "t-1"})
	s.Expect(err).To(MatchError(`agent: starting "true": the supervisor does not answer: unexpected EOF`))
}

func TestNothingOutlivesAHarnessThatIsKilled(t *testing.T) {
	s := newStage(t, "exit", "0")
	harness := exec.Command(os.Args[0], "__harness", "__agent", "family")
	harness.Env = append(os.Environ(), "MEET="+s.door.Addr().String())
	harness.Stderr = os.Stderr
	harness.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	s.Expect(harness.Start()).To(Succeed())
	guests := s.guests(4)
	s.Expect(syscall.Kill(-harness.Process.Pid, syscall.SIGKILL)).To(Succeed(), "with its process group, as a CI does")
	s.Expect(harness.Wait()).To(MatchError("signal: killed"))
	names := []string{"harness", "agent", "same group"}
	if canFindRemnants {
		names = append(names, "own session")
	}
	for _, name := range names {
		guests[name].gone(t)
	}
}

func TestTheKernelKillsAnAgentWhoseSupervisorIsKilled(t *testing.T) {
	if !canFindRemnants {
		t.Skip("only Linux sends a signal at the death of a parent")
	}
	s := newStage(t, "exit", "0")
	harness := exec.Command(os.Args[0], "__harness", "__agent", "tell")
	harness.Env = append(os.Environ(), "MEET="+s.door.Addr().String())
	s.Expect(harness.Start()).To(Succeed())
	var child guest
	supervisor := 0
	for name, g := range s.guests(2) {
		if pid, ok := strings.CutPrefix(name, "child of "); ok {
			child = g
			supervisor, _ = strconv.Atoi(pid)
		}
	}
	s.Expect(supervisor).To(BeNumerically(">", 1))
	s.Expect(harness.Process.Signal(syscall.SIGSTOP)).To(Succeed(), "so that it cannot help")
	s.Expect(syscall.Kill(supervisor, syscall.SIGKILL)).To(Succeed())
	child.gone(t)
	s.Expect(harness.Process.Kill()).To(Succeed())
	s.Expect(harness.Wait()).To(MatchError("signal: killed"))
}

func TestAnAgentThatBlocksOnInputGetsNone(t *testing.T) {
	s := newStage(t, "exit", "0")
	runner, err := agent.New(agent.Config{Log: s.log, Command: []string{"cat"}})
	s.Expect(err).NotTo(HaveOccurred())
	defer runner.Close()
	p, err := runner.Start(t.Context(), agent.Launch{Process: "p-1", Task: "t-1"})
	s.Expect(err).NotTo(HaveOccurred())
	s.within(p.Done())
	s.Expect(p.Exit()).To(Equal(agent.Exit{}))
}

func BenchmarkStart(b *testing.B) {
	runner, err := agent.New(agent.Config{Log: history.NewLog(nil), Command: []string{"true"}})
	if err != nil {
		b.Fatal(err)
	}
	defer runner.Close()
	for i := range b.N {
		p, err := runner.Start(b.Context(), agent.Launch{Process: fmt.Sprint("p-", i), Task: "t-1"})
		if err != nil {
			b.Fatal(err)
		}
		<-p.Done()
	}
	_ = runner.WriteOutput("t-1", io.Discard)
}
