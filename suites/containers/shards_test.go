package containers_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/stack/container"
	"github.com/lostreceipt/lostreceipt/harness/stack/container/containertest"
)

// docker runs one command of the engine and returns what it printed.
func docker(t *testing.T, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "docker", args...).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// TestShardsRunAsContainersAndBecomeOneReport is what an engine for more than one
// machine does: a container a part, counted from 0, all on one volume.
func TestShardsRunAsContainersAndBecomeOneReport(t *testing.T) {
	needsEngine(t)
	g := NewWithT(t)
	engine, err := container.Open(t.Context(), container.Config{Binary: containertest.Program()})
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { g.Expect(engine.Close(context.Background())).To(Succeed()) }()
	image, err := engine.Image(t.Context(), container.Own)
	g.Expect(err).NotTo(HaveOccurred())
	volume, err := docker(t, "volume", "create")
	g.Expect(err).NotTo(HaveOccurred(), volume)
	defer func() {
		out, err := exec.Command("docker", "volume", "rm", volume).CombinedOutput()
		g.Expect(err).NotTo(HaveOccurred(), string(out))
	}()
	lostreceipt := func(args ...string) (string, error) {
		return docker(t, append([]string{"run", "--rm", "--network", "none", "--tmpfs", "/tmp", "-v", volume + ":/out", image}, args...)...)
	}
	part := func(index, dir, seed string) (string, error) {
		return lostreceipt("run", "lost-receipt-*", "--reference", "--quiet", "--concurrency", "4", "--seed", seed, "--shard", "index:"+index+"/3", "--out", dir)
	}
	type ended struct {
		out string
		err error
	}
	parts := make(chan ended, 3)
	for i := range 3 {
		go func() {
			out, err := part(fmt.Sprint(i), fmt.Sprintf("/out/%d", i), seed)
			parts <- ended{out, err}
		}()
	}
	for range 3 {
		p := <-parts
		g.Expect(p.err).NotTo(HaveOccurred(), p.out)
	}
	out, err := lostreceipt("report", "merge", "--out", "/out/all", "/out/0", "/out/1", "/out/2")
	g.Expect(err).NotTo(HaveOccurred(), out)
	g.Expect(out).To(ContainSubstring("PASS: reference followed the recovery contract in all"))

	for why, dirs := range map[string][]string{
		"missing": {"/out/0", "/out/2"},
		"twice":   {"/out/0", "/out/1", "/out/1", "/out/2"},
	} {
		out, err := lostreceipt(append([]string{"report", "merge", "--out", "/out/bad"}, dirs...)...)
		g.Expect(err).To(HaveOccurred(), "%s: %s", why, out)
		t.Logf("%s: %s", why, out)
	}
	out, err = part("1", "/out/foreign", "7")
	g.Expect(err).NotTo(HaveOccurred(), out)
	out, err = lostreceipt("report", "merge", "--out", "/out/bad", "/out/0", "/out/foreign", "/out/2")
	g.Expect(err).To(HaveOccurred(), "a part of another run: %s", out)
	t.Logf("foreign: %s", out)
}

// TestAnAgentThatIsAnImageIsKilledAndStartedAgain runs the reference agent out
// of the same image, a container a process. Containers start slowly, so its
// clock is slower too.
func TestAnAgentThatIsAnImageIsKilledAndStartedAgain(t *testing.T) {
	needsEngine(t)
	g := NewWithT(t)
	dir := filepath.Join(t.TempDir(), "out")
	out, status := lostreceipt(t, "run", "no-fault", "kill-before-receipt", "paused-past-the-retention", "two-workers", "service-killed-before-reply",
		"--quiet", "--time-scale", "0.2", "--stack", "containers", "--agent-image", container.Own, "--out", dir, "--", "agent")
	g.Expect(status).To(Equal(0), out)
	out, status = lostreceipt(t, "run", "lost-receipt-reset",
		"--quiet", "--time-scale", "0.2", "--stack", "containers", "--agent-image", container.Own, "--out", dir, "--", "agent", "--defect", "new-key")
	g.Expect(status).To(Equal(1), out)
	g.Expect(out).To(ContainSubstring("identifier-changed"))
	out, status = lostreceipt(t, "run", "no-fault", "--quiet", "--stack", "containers", "--agent-image", "there-is-no-such-image", "--out", dir)
	g.Expect(status).To(Equal(3), out)
	g.Expect(out).To(ContainSubstring(`image "there-is-no-such-image" is not on this Docker engine: build or pull it first`))
}
