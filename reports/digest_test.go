package reports_test

import (
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestTheDigestOfAHistoryIsThatOfWhatReachedTheFile(t *testing.T) {
	g := NewWithT(t)
	dir := prepared(t).Run("held", 1)
	g.Expect(dir.Create()).To(Succeed())
	h, err := dir.CreateHistory()
	g.Expect(err).NotTo(HaveOccurred())
	for _, text := range []string{"a\n", "", "bc\n"} {
		_, err := h.Write([]byte(text))
		g.Expect(err).NotTo(HaveOccurred())
	}
	g.Expect(h.Close()).To(Succeed())
	_, err = h.Write([]byte("late\n"))
	g.Expect(err).To(MatchError(os.ErrClosed))
	g.Expect(h.Digest()).To(Equal("sha256:4b8d1dd1e2b97bee100f449a998ac84a292fb223d969296c4737b44459e545de"))
	g.Expect(dir.HistoryDigest()).To(Equal(h.Digest()))
}

func TestAStoredHistoryIsReadOnceForItsRecordsAndItsDigest(t *testing.T) {
	g := NewWithT(t)
	dir := prepared(t).Run("held", 1)
	record(t, dir, "held")
	want, err := dir.HistoryDigest()
	g.Expect(err).NotTo(HaveOccurred())
	s, err := dir.Load()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.Digest).To(Equal(want))

	g.Expect(os.WriteFile(dir.History(), []byte("{\"kind\": 7}\n{}\n"), 0o600)).To(Succeed())
	want, err = dir.HistoryDigest()
	g.Expect(err).NotTo(HaveOccurred())
	s, err = dir.Load()
	g.Expect(err).To(HaveOccurred())
	g.Expect(s.Digest).To(Equal(want), "one that is no history has a digest too")
}

func TestWhatIsWrongWithTheEvidenceIsNamed(t *testing.T) {
	type change func(*reports.Repetition, reports.RunDir) error
	for name, tc := range map[string]struct {
		change   change
		expected bool
		says     string // "": it is what the run wrote
		what     string // what the whole says
	}{
		"nothing": {what: "the evidence of 2 runs is what the run wrote (SHA-256)"},
		"a path that leads elsewhere": {
			change: func(r *reports.Repetition, _ reports.RunDir) error { r.Evidence = "../" + r.Evidence; return nil },
			says:   "../runs/held/1/history.jsonl cannot be read: its path leads out of the directory of the report",
		},
		"a digest that was taken away": {
			change: func(r *reports.Repetition, _ reports.RunDir) error { r.HistoryDigest = ""; return nil },
			says:   "runs/held/1/history.jsonl has no SHA-256 in the report, and others have: the report was changed",
		},
		"a run whose evidence could not be saved": {
			change: func(r *reports.Repetition, _ reports.RunDir) error {
				r.HistoryDigest, r.Problem = "", "evidence: disk full"
				return nil
			},
			what: "the evidence of 1 run is what the run wrote (SHA-256)",
		},
		"a run that was not recorded": {
			change: func(r *reports.Repetition, _ reports.RunDir) error {
				r.HistoryDigest, r.Evidence = "", ""
				return nil
			},
			what: "the evidence of 1 run is what the run wrote (SHA-256)",
		},
		"no runs": {
			change: func(_ *reports.Repetition, d reports.RunDir) error {
				return os.RemoveAll(filepath.Dir(filepath.Dir(string(d))))
			},
			what: "the evidence of 2 runs was not looked at: no runs stand beside the report",
		},
		"no runs where they have to be": {
			change: func(_ *reports.Repetition, d reports.RunDir) error {
				return os.RemoveAll(filepath.Dir(filepath.Dir(string(d))))
			},
			expected: true, says: "runs/held/1/history.jsonl is missing",
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			out := prepared(t)
			r := reports.New()
			for _, id := range []string{"held", "no-fault"} {
				dir := out.Run(id, 1)
				record(t, dir, id)
				digest, err := dir.HistoryDigest()
				g.Expect(err).NotTo(HaveOccurred())
				rep := reports.Repetition{N: 1, Outcome: judge.Pass, Evidence: reports.Evidence(id, 1), HistoryDigest: digest}
				r.Scenarios = append(r.Scenarios, reports.Scenario{ID: id, Repetitions: []reports.Repetition{rep}})
			}
			if tc.change != nil {
				g.Expect(tc.change(&r.Scenarios[0].Repetitions[0], out.Run("held", 1))).To(Succeed())
			}
			c := r.CheckEvidence(string(out), tc.expected)
			if tc.says == "" {
				g.Expect(c.Problems).To(BeEmpty())
				g.Expect(c.String()).To(Equal(tc.what))
				return
			}
			g.Expect(c.Problems[0].String()).To(Equal(tc.says))
		})
	}
}
