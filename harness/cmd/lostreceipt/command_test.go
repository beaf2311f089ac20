package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// asCommand makes this test binary the command itself.
const asCommand = "TEST_AS_LOSTRECEIPT"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"lostreceipt": func() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) },
		"sleeper":     sleeper,
	})
}

// sleeper is an agent that never asks for work and does not heed SIGTERM. It
// says in a file that it runs.
func sleeper() {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	_ = os.WriteFile(os.Args[1], []byte(strconv.Itoa(os.Getpid())), 0o600)
	time.Sleep(time.Hour)
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// status N command... demands the exit status N.
			"status": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: status N command...")
				}
				got := 0
				var exited *exec.ExitError
				if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exited) {
					got = exited.ExitCode()
				} else if err != nil {
					ts.Fatalf("%v", err)
				}
				if want, _ := strconv.Atoi(args[0]); got != want {
					ts.Fatalf("exit status %d, want %s", got, args[0])
				}
			},
		},
	})
}

// lostreceipt is the command as a process of its own.
func lostreceipt(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	t.Helper()
	self, err := filepath.Abs(os.Args[0])
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Dir = t.TempDir()
	var out, say bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &say
	return cmd, &out, &say
}

// sleeping runs a command whose agent sleeps, and returns the agent's process
// once it does.
func sleeping(t *testing.T, args ...string) (cmd *exec.Cmd, say *bytes.Buffer, pid int) {
	t.Helper()
	g := NewWithT(t)
	self, err := filepath.Abs(os.Args[0])
	g.Expect(err).NotTo(HaveOccurred())
	file := filepath.Join(t.TempDir(), "pid")
	link := filepath.Join(t.TempDir(), "sleeper")
	g.Expect(os.Symlink(self, link)).To(Succeed())
	// The agent is this binary under its other name, without the mark of the command.
	cmd, _, say = lostreceipt(t, append(args, "--", "env", "-u", asCommand, link, file)...)
	g.Expect(cmd.Start()).To(Succeed())
	g.Eventually(func() error {
		text, err := os.ReadFile(file)
		if err == nil {
			pid, err = strconv.Atoi(string(text))
		}
		return err
	}, time.Minute).Should(Succeed())
	return cmd, say, pid
}

func TestTheFirstSignalSavesWhatIsFinished(t *testing.T) {
	g := NewWithT(t)
	cmd, say, pid := sleeping(t, "run", "no-fault", "refused", "--concurrency", "1", "--time-scale", "10")
	g.Expect(cmd.Process.Signal(os.Interrupt)).To(Succeed())
	err := cmd.Wait()
	var exited *exec.ExitError
	g.Expect(errors.As(err, &exited)).To(BeTrue(), say.String())
	g.Expect(exited.ExitCode()).To(Equal(130), say.String())
	g.Expect(syscall.Kill(pid, 0)).To(MatchError(syscall.ESRCH), "the agent")

	g.Expect(say.String()).To(MatchRegexp(`(?m)^\[0/2\] - not run refused \S+: it was cut off by the interruption$`))

	report, err := reports.Read(reports.Out(filepath.Join(cmd.Dir, "lostreceipt-out")).Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(report.Interrupted.Reason).To(Equal("interrupt"))
	g.Expect(report.Selected).To(Equal([]string{"no-fault", "refused"}))
	g.Expect(report.Missing()).To(Equal([]string{"no-fault", "refused"}))
}

func TestTheSecondSignalEndsEverythingAtOnce(t *testing.T) {
	g := NewWithT(t)
	cmd, _, pid := sleeping(t, "run", "no-fault", "--time-scale", "10")
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	// How many come to be delivered apart from each other is the kernel's business.
	g.Eventually(func() bool {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-done:
			var exited *exec.ExitError
			return errors.As(err, &exited) && exited.ExitCode() == 130
		default:
			return false
		}
	}, time.Minute, "10ms").Should(BeTrue())
	g.Eventually(func() error { return syscall.Kill(pid, 0) }, time.Minute).Should(MatchError(syscall.ESRCH), "the agent")
}

func TestJSONIsOneLineAScenarioAndNothingElse(t *testing.T) {
	g := NewWithT(t)
	cmd, out, say := lostreceipt(t, "run", "no-fault", "refused", "--reference", "--format", "json", "--repeat", "2")
	g.Expect(cmd.Run()).To(Succeed(), say.String())
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	g.Expect(lines).To(HaveLen(2))
	var ids []string
	for _, line := range lines {
		var s reports.Scenario
		g.Expect(json.Unmarshal([]byte(line), &s)).To(Succeed())
		g.Expect(s.Repetitions).To(HaveLen(2))
		ids = append(ids, s.ID)
	}
	g.Expect(ids).To(ConsistOf("no-fault", "refused"))
	g.Expect(say.String()).To(ContainSubstring("PASS"))
}

func TestEachRunIsRunWithTheSeedThatItsNameGives(t *testing.T) {
	g := NewWithT(t)
	cmd, _, say := lostreceipt(t, "run", "no-fault", "--reference", "--seed", "42")
	g.Expect(cmd.Run()).To(Succeed(), say.String())
	text, err := os.ReadFile(filepath.Join(cmd.Dir, "lostreceipt-out", "runs", "no-fault", "1", "history.jsonl"))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(text)).To(ContainSubstring(`"seed":` + strconv.FormatUint(run.Seed(42, "no-fault"), 10)))
}

func TestASecretDoesNotReachTheReport(t *testing.T) {
	g := NewWithT(t)
	g.Expect(redact([]string{"agent", "--api-key", "s3cret", "--token=s3cret", "MY_PASSWORD=s3cret", "--model", "m"})).
		To(Equal([]string{"agent", "--api-key", "[redacted]", "--token=[redacted]", "MY_PASSWORD=[redacted]", "--model", "m"}))
}

func TestACommandToRepeatCanBePastedIntoAShell(t *testing.T) {
	g := NewWithT(t)
	s := subject{args: []string{"python3", "my agent.py", "it's"}}
	g.Expect(s.repeat([]string{"no-fault"}, "--seed", "7")).To(Equal(`lostreceipt run no-fault --seed 7 -- python3 'my agent.py' 'it'\''s'`))
	s = subject{flags: []string{"--reference", "--defect", "new-key"}}
	g.Expect(s.repeat([]string{"no-fault"}, "--seed", "7")).To(Equal(`lostreceipt run no-fault --seed 7 --reference --defect new-key`))
}
