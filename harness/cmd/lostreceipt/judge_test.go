package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"
)

func TestABadStoredRunDoesNotKeepTheOthersFromBeingJudged(t *testing.T) {
	g := NewWithT(t)
	t.Setenv(asCommand, "1") // the agent is this binary again
	dir := filepath.Join(t.TempDir(), "out")
	var out, say bytes.Buffer
	g.Expect(command([]string{"run", "no-fault", "--reference", "--quiet", "--out", dir}, &out, &say)).To(Equal(0), say.String())
	bad := filepath.Join(dir, "runs", "a-bad-one", "1")
	g.Expect(os.MkdirAll(bad, 0o755)).To(Succeed())
	g.Expect(os.WriteFile(filepath.Join(bad, "history.jsonl"), []byte("{\"kind\": 7}\n{}\n"), 0o600)).To(Succeed())
	out.Reset()
	say.Reset()
	g.Expect(command([]string{"judge", dir}, &out, &say)).To(Equal(statusHarness), say.String())
	g.Expect(out.String()).To(And(ContainSubstring("no-fault"), ContainSubstring("1 stored verdict, and none differs"),
		ContainSubstring("harness-error"), ContainSubstring("a-bad-one"), Not(ContainSubstring("\nPASS"))))
	g.Expect(say.String()).To(HavePrefix("lostreceipt: 1 of 2 stored runs cannot be judged; the others were:\n" + filepath.Join(bad, "history.jsonl")))
}
