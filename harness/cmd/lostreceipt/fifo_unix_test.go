//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/reports"
)

// Nobody ever writes to the FIFO: whoever opened it would wait for good.
func TestNoVerbWaitsForAFIFO(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo.yaml")
	NewWithT(t).Expect(syscall.Mkfifo(fifo, 0o600)).To(Succeed())
	report := reports.Out(dir).Report()
	NewWithT(t).Expect(syscall.Mkfifo(report, 0o600)).To(Succeed())
	NewWithT(t).Expect(os.MkdirAll(filepath.Join(dir, "runs", "a", "1"), 0o755)).To(Succeed())
	NewWithT(t).Expect(syscall.Mkfifo(filepath.Join(dir, "runs", "a", "1", "history.jsonl"), 0o600)).To(Succeed())
	for name, args := range map[string][]string{
		"validate": {"validate", fifo},
		"explain":  {"explain", fifo},
		"run":      {"run", fifo, "--reference"},
		"contract": {"list", "rows", "--contract", fifo},
		"config":   {"run", "no-fault", "--config", fifo},
		"gate":     {"gate", report},
		"policy":   {"gate", report, "--policy", fifo},
		"page":     {"report", "html", dir},
		"merge":    {"report", "merge", "--out", filepath.Join(dir, "out"), dir},
		"rerun":    {"rerun", filepath.Join(dir, "runs", "a", "1")},
		"judge":    {"judge", filepath.Join(dir, "runs")},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			cmd, _, say := lostreceipt(t, args...)
			g.Expect(cmd.Start()).To(Succeed())
			late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
			defer late.Stop()
			var exited *exec.ExitError
			g.Expect(errors.As(cmd.Wait(), &exited)).To(BeTrue())
			g.Expect(exited.ExitCode()).To(BeElementOf(statusUsage, statusHarness), say.String())
			g.Expect(say.String()).To(ContainSubstring("is a FIFO and no regular file"))
		})
	}
}

// What stands on standard input is read as it always was, and a verb that saves
// nothing ends at the first signal.
func TestAVerbThatSavesNothingEndsAtTheFirstSignal(t *testing.T) {
	g := NewWithT(t)
	cmd, out, say := lostreceipt(t, "validate", "/dev/stdin")
	cmd.Stdin = bytes.NewReader([]byte("id: mine\ntitle: Nothing breaks\ncovers: [B04]\ntask: purchase-approval\n"))
	g.Expect(cmd.Run()).To(Succeed(), say.String())
	g.Expect(out.String()).To(Equal("/dev/stdin: mine is right\n"))

	// A first file that is right says that the second is being read.
	cmd, _, say = lostreceipt(t, "validate", "mine.yaml", "/dev/stdin")
	g.Expect(os.WriteFile(filepath.Join(cmd.Dir, "mine.yaml"), []byte("id: mine\ntitle: Nothing breaks\ncovers: [B04]\ntask: purchase-approval\n"), 0o600)).To(Succeed())
	read, write, err := os.Pipe()
	g.Expect(err).NotTo(HaveOccurred())
	defer write.Close()
	told, tell, err := os.Pipe()
	g.Expect(err).NotTo(HaveOccurred())
	cmd.Stdin, cmd.Stdout = read, tell
	g.Expect(cmd.Start()).To(Succeed())
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	_, err = told.Read(make([]byte, 1))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(cmd.Process.Signal(syscall.SIGTERM)).To(Succeed())
	var exited *exec.ExitError
	g.Expect(errors.As(cmd.Wait(), &exited)).To(BeTrue())
	g.Expect(exited.ExitCode()).To(Equal(statusInterrupted), say.String())
}
