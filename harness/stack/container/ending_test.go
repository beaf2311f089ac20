package container_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/stack/container"
	"github.com/lostreceipt/lostreceipt/harness/stack/container/containertest"
)

// docker asks the engine.
func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// ours are the containers of one harness.
func ours(t *testing.T, harness *exec.Cmd) string {
	var ids []string
	for line := range strings.Lines(docker(t, "ps", "-a", "--format", "{{.ID}} {{.Labels}}", "--filter", "label="+container.Label)) {
		if strings.Contains(line, fmt.Sprintf("/%d/", harness.Process.Pid)) {
			ids = append(ids, strings.Fields(line)[0])
		}
	}
	return strings.Join(ids, " ")
}

// started is a run in containers that has got as far as its history.
func started(t *testing.T, stderr *bytes.Buffer) *exec.Cmd {
	t.Helper()
	out := t.TempDir()
	cmd := exec.Command(containertest.Program(), "run", "slow-approver", "--reference", "--stack", "containers", "--time-scale", "1", "--out", out)
	cmd.Stderr = stderr
	NewWithT(t).Expect(cmd.Start()).To(Succeed())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	NewWithT(t).Eventually(filepath.Join(out, "runs", "slow-approver", "1", "history.jsonl"), time.Minute, 100*time.Millisecond).Should(BeAnExistingFile())
	return cmd
}

func TestWhatAKilledHarnessLeftIsTakenAwayByTheNext(t *testing.T) {
	containertest.NeedEngine(t)
	g := NewWithT(t)
	stranger := docker(t, "volume", "create", "lostreceipt-test-of-somebody-else")
	defer docker(t, "volume", "rm", stranger)
	var said bytes.Buffer
	cmd := started(t, &said)
	g.Expect(cmd.Process.Kill()).To(Succeed())
	_ = cmd.Wait() // it was killed
	g.Expect(ours(t, cmd)).NotTo(BeEmpty())

	engine, err := container.Open(t.Context(), container.Config{Binary: containertest.Program()})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(ours(t, cmd)).To(BeEmpty())
	g.Expect(docker(t, "volume", "ls", "-q")).To(ContainSubstring(stranger))
	g.Expect(engine.Close(context.Background())).To(Succeed())
}

func TestWhatALivingHarnessHasIsLeftAlone(t *testing.T) {
	containertest.NeedEngine(t)
	g := NewWithT(t)
	var said bytes.Buffer
	cmd := started(t, &said)
	before := ours(t, cmd)
	engine, err := container.Open(t.Context(), container.Config{Binary: containertest.Program()})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(engine.Close(context.Background())).To(Succeed())
	for _, id := range strings.Fields(before) {
		g.Expect(ours(t, cmd)).To(ContainSubstring(id))
	}
	g.Expect(cmd.Process.Signal(syscall.SIGINT)).To(Succeed())
	_ = cmd.Wait() // its status is looked at below
	g.Expect(cmd.ProcessState.ExitCode()).To(Equal(130), said.String())
	g.Expect(ours(t, cmd)).To(BeEmpty(), "an interrupted run takes its own away")
}

func TestWithoutAnEngineTheMessageSaysWhatIsMissing(t *testing.T) {
	g := NewWithT(t)
	cmd := exec.Command(containertest.Program(), "run", "no-fault", "--reference", "--stack", "containers", "--out", t.TempDir())
	cmd.Env = append(os.Environ(), "DOCKER_HOST=tcp://127.0.0.1:1")
	out, _ := cmd.CombinedOutput() // its status is looked at below
	g.Expect(cmd.ProcessState.ExitCode()).To(Equal(4), string(out))
	g.Expect(string(out)).To(And(
		ContainSubstring("--stack containers: no Docker engine can be used: "),
		ContainSubstring("docker info"), ContainSubstring("--stack embedded"),
	))
}
