package agent

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	. "github.com/onsi/gomega"
)

func opened(t *testing.T, path string) *journal {
	t.Helper()
	j, err := openJournal(path)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { NewWithT(t).Expect(j.close()).To(Succeed()) })
	return j
}

func put(t *testing.T, j *journal, key, value string) {
	t.Helper()
	NewWithT(t).Expect(j.set(key, func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(value), nil })).To(Succeed())
}

func got(t *testing.T, j *journal, key string) string {
	t.Helper()
	value, err := j.get(key)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return string(value)
}

func TestAJournalCutAtAnyByteHoldsWhatWasWholeAndGoesOn(t *testing.T) {
	g := NewWithT(t)
	path := filepath.Join(t.TempDir(), "whole")
	whole := opened(t, path)
	put(t, whole, "a", `{"n":1}`)
	first, err := os.Stat(path)
	g.Expect(err).NotTo(HaveOccurred())
	put(t, whole, "a", `{"n":2}`)
	text, err := os.ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())

	for cut := range len(text) {
		path := filepath.Join(t.TempDir(), "cut")
		g.Expect(os.WriteFile(path, text[:cut], 0o600)).To(Succeed())
		j, beside := opened(t, path), opened(t, path)
		want := ""
		if cut >= int(first.Size()) {
			want = `{"n":1}`
		}
		g.Expect(got(t, j, "a")).To(Equal(want), "cut at %d", cut)
		g.Expect(got(t, beside, "a")).To(Equal(want), "cut at %d", cut)
		put(t, j, "b", `"after"`)
		for _, reader := range []*journal{j, beside, opened(t, path)} {
			g.Expect(got(t, reader, "a")).To(Equal(want), "cut at %d", cut)
			g.Expect(got(t, reader, "b")).To(Equal(`"after"`), "cut at %d", cut)
		}
	}
}

func TestADamagedJournalIsAnError(t *testing.T) {
	g := NewWithT(t)
	path := filepath.Join(t.TempDir(), "journal")
	j := opened(t, path)
	put(t, j, "a", `1`)
	put(t, j, "a", `2`)
	text, err := os.ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())
	text[12] ^= 1
	g.Expect(os.WriteFile(path, text, 0o600)).To(Succeed())

	damaged := opened(t, path)
	_, err = damaged.get("a")
	g.Expect(err).To(MatchError(ContainSubstring("damaged at byte 0")))
	g.Expect(damaged.set("a", func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`3`), nil })).NotTo(Succeed())
	after, err := os.ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(after).To(Equal(text))
}

func TestWhatIsNotChangedIsNotWritten(t *testing.T) {
	g := NewWithT(t)
	path := filepath.Join(t.TempDir(), "journal")
	j := opened(t, path)
	put(t, j, "a", `1`)
	before, err := os.ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())
	refusal := errors.New("refused")
	g.Expect(j.set("a", func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`2`), refusal })).To(MatchError(refusal))
	g.Expect(j.set("a", func(json.RawMessage) (json.RawMessage, error) { return nil, nil })).To(Succeed())
	g.Expect(got(t, j, "a")).To(Equal(`1`))
	after, err := os.ReadFile(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(after).To(Equal(before))
}

func TestJournalsOfOneFileTakeTurns(t *testing.T) {
	g := NewWithT(t)
	path := filepath.Join(t.TempDir(), "journal")
	var adding sync.WaitGroup
	const writers, rounds = 4, 50
	for range writers {
		j := opened(t, path) // a lock belongs to an open file, so these are as two processes
		adding.Go(func() {
			for range rounds {
				err := j.set("n", func(old json.RawMessage) (json.RawMessage, error) {
					var n int
					if old != nil {
						if err := json.Unmarshal(old, &n); err != nil {
							return nil, err
						}
					}
					return json.Marshal(n + 1)
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	adding.Wait()
	var n int
	g.Expect(json.Unmarshal([]byte(got(t, opened(t, path), "n")), &n)).To(Succeed())
	g.Expect(n).To(Equal(writers * rounds))
}
