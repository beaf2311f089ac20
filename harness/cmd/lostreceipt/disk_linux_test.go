package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// small is a file system of its own of the given size.
func small(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small file system is needed: mount: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	return dir
}

// The room for the report and that of a history or two: the rest of the
// evidence finds the disk full.
func TestAFullDiskLeavesAReportThatSaysSo(t *testing.T) {
	g := NewWithT(t)
	dir := small(t, "8300k")
	cmd, out, say := lostreceipt(t, "run", "--reference", "--label", "C1 || C3 || C5", "--out", filepath.Join(dir, "out"), "--quiet")
	err := cmd.Run()
	var exited *exec.ExitError
	g.Expect(errors.As(err, &exited)).To(BeTrue(), out.String())
	g.Expect(exited.ExitCode()).To(Equal(4), say.String())
	g.Expect(out.String()).To(ContainSubstring("no space left on device"))

	saved := reports.Out(filepath.Join(dir, "out"))
	report, err := reports.Read(saved.Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(report.Outcome).To(Equal(judge.HarnessError))
	g.Expect(report.Scenarios).To(ContainElement(HaveField("Verdict.Reasons", ContainElement(ContainSubstring("no space left on device")))))
	for _, s := range report.Scenarios {
		g.Expect(s.Verdict.Outcome).To(BeElementOf(judge.HarnessError, judge.Pass), s.ID)
	}
	for _, path := range []string{saved.JUnit(), saved.Summary(), saved.Page()} {
		g.Expect(path).To(BeAnExistingFile())
	}

	again, out, say := lostreceipt(t, "judge", filepath.Join(dir, "out"))
	err = again.Run()
	g.Expect(errors.As(err, &exited)).To(BeTrue(), out.String())
	g.Expect(exited.ExitCode()).To(BeElementOf(2, 4), "%s%s", out, say)
}

func TestADiskWithoutRoomForAReportIsRefusedAtOnce(t *testing.T) {
	g := NewWithT(t)
	dir := small(t, "1m")
	cmd, _, say := lostreceipt(t, "run", "no-fault", "--reference", "--out", filepath.Join(dir, "out"), "--quiet")
	g.Expect(cmd.Run()).NotTo(Succeed())
	g.Expect(say.String()).To(ContainSubstring("no room for a report"))
	g.Expect(filepath.Join(dir, "out", "runs")).NotTo(BeADirectory())
}
