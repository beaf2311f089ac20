package reports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// record runs the log of one repetition into dir, as a run does.
func record(t *testing.T, dir reports.RunDir, id string) []history.Record {
	t.Helper()
	g := NewWithT(t)
	g.Expect(dir.Create()).To(Succeed())
	f, err := os.Create(dir.History())
	g.Expect(err).NotTo(HaveOccurred())
	log := history.NewLog(f)
	log.Append(history.Record{Kind: history.RunStarted, Run: &history.Run{Scenario: id}})
	log.Append(history.Record{Kind: history.LedgerRow, Ledger: &history.Ledger{Service: "approval", Effect: "x"}, Facts: &history.Facts{Ref: "A-1"}})
	log.Append(history.Record{Kind: history.RunEnded, Run: &history.Run{Reason: "settled"}})
	g.Expect(log.Err()).NotTo(HaveOccurred())
	g.Expect(f.Close()).To(Succeed())
	return log.Records()
}

func prepared(t *testing.T) reports.Out {
	t.Helper()
	out, err := reports.Prepare(filepath.Join(t.TempDir(), "out"))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return out
}

func TestEvidenceIsReadBack(t *testing.T) {
	g := NewWithT(t)
	dir := prepared(t).Run("lost-receipt", 3)
	records := record(t, dir, "lost-receipt")
	verdict := judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{duplicate()}}
	g.Expect(dir.Save(records, []byte("id: lost-receipt\n"), verdict)).To(Succeed())

	s, err := dir.Load()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.ID).To(Equal("lost-receipt"))
	g.Expect(s.N).To(Equal(3))
	g.Expect(s.Torn).To(BeFalse())
	g.Expect(s.Records).To(Equal(records))
	g.Expect(string(s.Text)).To(Equal("id: lost-receipt\n"))
	g.Expect(*s.Verdict).To(Equal(verdict))

	text, err := os.ReadFile(dir.Ledger())
	g.Expect(err).NotTo(HaveOccurred())
	var rows []history.Record
	g.Expect(json.Unmarshal(text, &rows)).To(Succeed())
	g.Expect(rows).To(Equal(records[1:2]), "ledger.json has the ledger's rows alone")
}

func TestARunThatWasKilledCanBeJudged(t *testing.T) {
	g := NewWithT(t)
	dir := prepared(t).Run("a", 1)
	record(t, dir, "a")
	text, err := os.ReadFile(dir.History())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(os.WriteFile(dir.History(), text[:len(text)-9], 0o644)).To(Succeed())

	s, err := dir.Load()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.Torn).To(BeTrue())
	g.Expect(s.Records).To(HaveLen(2))
	g.Expect(s.Verdict).To(BeNil())
	g.Expect(s.Text).To(BeNil())
}

func TestWhatIsNoEvidenceIsRefused(t *testing.T) {
	g := NewWithT(t)
	dir := prepared(t).Run("a", 1)
	_, err := dir.Load()
	g.Expect(err).To(MatchError(os.ErrNotExist))

	record(t, dir, "a")
	g.Expect(os.WriteFile(dir.Verdict(), []byte("{\n\"outcome\": "), 0o644)).To(Succeed())
	_, err = dir.Load()
	g.Expect(err).To(MatchError(HavePrefix(dir.Verdict() + ":2:12: ")))

	g.Expect(os.WriteFile(dir.History(), []byte(`{"n":1,"at":0,"kind":"call.sent"}`+"\n"), 0o644)).To(Succeed())
	_, err = dir.Load()
	g.Expect(err).To(MatchError(dir.History() + ": does not begin with run.started: this is not the history of a run"))

	g.Expect(os.WriteFile(dir.History(), []byte("x\n"), 0o644)).To(Succeed())
	_, err = dir.Load()
	g.Expect(err).To(MatchError(HavePrefix(dir.History() + ": line 1: ")))
}

func TestRunsAreFoundFromAnyFloor(t *testing.T) {
	g := NewWithT(t)
	out := prepared(t)
	for _, n := range []int{10, 2, 1} {
		record(t, out.Run("b", n), "b")
	}
	record(t, out.Run("a", 1), "a")
	all := []reports.RunDir{out.Run("a", 1), out.Run("b", 1), out.Run("b", 2), out.Run("b", 10)}
	for dir, want := range map[string][]reports.RunDir{
		string(out): all, filepath.Join(string(out), "runs"): all,
		filepath.Join(string(out), "runs", "b"): all[1:], string(out.Run("b", 2)) + "/": all[2:3],
	} {
		got, err := reports.FindRuns(dir)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(got).To(Equal(want), dir)
	}
	empty := t.TempDir()
	_, err := reports.FindRuns(empty)
	g.Expect(err).To(MatchError(empty + ": holds no history.jsonl; name the directory that a run wrote with --out, or one of its runs"))
}

func TestNoIDLeadsOutOfTheRunsDirectory(t *testing.T) {
	g := NewWithT(t)
	out := prepared(t)
	seen := map[string]string{}
	for _, id := range []string{"", ".", "..", "../../etc", "/etc", "a/b", "a%2fb", "a\x00b", "%", hostile} {
		path := string(out.Run(id, 1))
		rel, err := filepath.Rel(filepath.Join(string(out), "runs"), path)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(filepath.Dir(filepath.Dir(rel))).To(Equal("."), "%q is one directory: %s", id, rel)
		g.Expect(rel).NotTo(HavePrefix("."))
		g.Expect(seen).NotTo(HaveKey(path), "%q and %q meet", id, seen[path])
		seen[path] = id
	}
	g.Expect(reports.Evidence("lost-receipt", 1)).To(Equal("runs/lost-receipt/1"))
}

func TestPrepareTakesAwayOnlyWhatARunLeft(t *testing.T) {
	g := NewWithT(t)
	out := prepared(t)
	record(t, out.Run("a", 1), "a")
	g.Expect(out.Save(passing())).To(Succeed())
	mine := filepath.Join(string(out), "notes.txt")
	g.Expect(os.WriteFile(mine, nil, 0o644)).To(Succeed())

	g.Expect(reports.Earlier(string(out))).To(BeTrue())
	_, err := reports.Prepare(string(out))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(out.Report()).NotTo(BeAnExistingFile(), "an old report cannot pass for the new one")
	g.Expect(filepath.Join(string(out), "runs")).NotTo(BeADirectory())
	g.Expect(mine).To(BeAnExistingFile())
	g.Expect(reports.Earlier(string(out))).To(BeFalse())

	foreign := t.TempDir()
	g.Expect(os.MkdirAll(filepath.Join(foreign, "runs", "experiment"), 0o755)).To(Succeed())
	_, err = reports.Prepare(foreign)
	g.Expect(err).To(MatchError(foreign + ": already holds runs, which no run of lostreceipt made; name another directory with --out, or an empty one"))
	g.Expect(filepath.Join(foreign, "runs", "experiment")).To(BeADirectory())
	g.Expect(reports.Earlier(foreign)).To(BeFalse())

	home := t.TempDir()
	g.Expect(os.WriteFile(filepath.Join(home, "thesis.txt"), nil, 0o644)).To(Succeed())
	_, err = reports.Prepare(home)
	g.Expect(err).To(MatchError(home + ": already holds thesis.txt, which no run of lostreceipt made; name another directory with --out, or an empty one"))
	left, err := os.ReadDir(home)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(left).To(HaveLen(1))
}

func TestSaveWritesEveryFormatThatItCan(t *testing.T) {
	g := NewWithT(t)
	out := prepared(t)
	g.Expect(os.Mkdir(out.JUnit(), 0o755)).To(Succeed(), "something is in the way")
	g.Expect(out.Save(sample())).To(MatchError(ContainSubstring("junit.xml")))
	_, err := reports.Read(out.Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(out.Summary()).To(BeAnExistingFile())
}
