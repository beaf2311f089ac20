package intake_test

import (
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/intake"
)

func TestARegularFileIsRead(t *testing.T) {
	g := NewWithT(t)
	file := filepath.Join(t.TempDir(), "a.yaml")
	g.Expect(os.WriteFile(file, []byte("id: a\n"), 0o600)).To(Succeed())
	g.Expect(intake.ReadFile(file)).To(BeEquivalentTo("id: a\n"))
	link := filepath.Join(t.TempDir(), "link")
	g.Expect(os.Symlink(file, link)).To(Succeed())
	g.Expect(intake.ReadFile(link)).To(BeEquivalentTo("id: a\n"))
}

func TestWhatIsNoRegularFileIsRefused(t *testing.T) {
	g := NewWithT(t)
	dir := t.TempDir()
	_, err := intake.ReadFile(dir)
	g.Expect(err).To(MatchError(dir + ": is a directory and no regular file: name a file"))
	g.Expect(err).To(MatchError(intake.ErrIrregular))
	_, err = intake.ReadFile(os.DevNull)
	g.Expect(err).To(MatchError(intake.ErrIrregular))
	_, err = intake.ReadFile(filepath.Join(dir, "none"))
	g.Expect(err).To(MatchError(os.ErrNotExist))
}
