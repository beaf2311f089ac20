package reports_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func ids(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("s-%03d", i))
	}
	return list
}

// shards is a run of n scenarios divided in three; the scenario s-004 is a violation.
func shards(t *testing.T, n int) (dirs []string, parts []*reports.Report) {
	t.Helper()
	g := NewWithT(t)
	for i := range 3 {
		out := prepared(t)
		r := head()
		r.Catalogue = reports.Catalogue{Digest: "sha256:5eed", Count: n, IDs: ids(n)}
		mine, shard := reports.Divide(reports.Shard{Index: i + 1, Of: 3}, ids(n))
		r.Shard, r.Selected = &shard, mine
		r.Started = r.Started.Add(time.Duration(-i) * time.Minute)
		for _, id := range mine {
			o := judge.Pass
			v := judge.Verdict{Noise: time.Duration(i) * time.Millisecond}
			if id == "s-004" {
				o, v.Findings = judge.Violation, []judge.Finding{changed()}
			}
			evidence(t, out, id, storedHistory(t, "held"))
			runs := once(o, time.Second, v, id)
			digest, err := out.Run(id, 1).HistoryDigest()
			g.Expect(err).NotTo(HaveOccurred())
			runs[0].HistoryDigest = digest
			r.Add(reports.Scenario{ID: id, Guarantees: guarantees(), Repetitions: runs})
		}
		r.Seal(time.Duration(i+1) * time.Second)
		g.Expect(out.Save(r)).To(Succeed())
		dirs, parts = append(dirs, string(out)), append(parts, r)
	}
	return dirs, parts
}

func TestShardsAreJoinedToTheWholeRun(t *testing.T) {
	g := NewWithT(t)
	dirs, _ := shards(t, 7)
	out := filepath.Join(t.TempDir(), "merged")
	slices.Reverse(dirs)
	_, _, err := reports.Merge(out, dirs, "")
	g.Expect(err).NotTo(HaveOccurred())
	r, err := reports.Read(reports.Out(out).Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(r.Shard).To(BeNil())
	g.Expect(r.Complete()).To(BeTrue())
	g.Expect(r.Selected).To(Equal(ids(7)))
	g.Expect(r.Outcome).To(Equal(judge.Violation))
	g.Expect(r.Totals.Pass).To(Equal(6))
	g.Expect(r.Duration).To(Equal(3*time.Second), "they ran side by side")
	g.Expect(r.Noise).To(Equal(2 * time.Millisecond))
	g.Expect(r.Started).To(Equal(head().Started.Add(-2 * time.Minute)))
	g.Expect(r.Assumed[0].Scenarios).To(HaveLen(7))
	for _, s := range r.Scenarios {
		g.Expect(reports.Out(out).Run(s.ID, 1).History()).To(BeARegularFile())
		g.Expect(s.Verdict.Findings).To(HaveLen(map[bool]int{true: 1, false: 0}[s.ID == "s-004"]), "verdicts are kept")
	}
	g.Expect(reports.Out(out).Page()).To(BeARegularFile())
}

func TestShardsThatAreNotThoseOfOneRunAreRefused(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(dirs []string, parts []*reports.Report) []string
		says   string
	}{
		"missing":             {func(d []string, _ []*reports.Report) []string { return d[:2] }, "missing: shard 3/3"},
		"two missing":         {func(d []string, _ []*reports.Report) []string { return d[1:2] }, "missing: shard 1/3, shard 3/3"},
		"doubled":             {func(d []string, _ []*reports.Report) []string { return append(d, d[1]) }, "DIR1: is shard 2/3, and so is DIR1"},
		"no shard":            {func(d []string, p []*reports.Report) []string { p[1].Shard = nil; return d }, "DIR1: is no shard, and cannot be joined with others; run it with --shard i/n"},
		"another division":    {func(d []string, p []*reports.Report) []string { p[1].Shard.Of = 4; return d }, "DIR1: is shard 2/4 of another division than DIR0"},
		"another selection":   {func(d []string, p []*reports.Report) []string { p[1].Shard.Digest = "sha256:0"; return d }, "DIR1: is shard 2/3 of another division than DIR0"},
		"another agent":       {func(d []string, p []*reports.Report) []string { p[2].Agent.Command = []string{"x"}; return d }, "DIR2: has another agent than DIR0"},
		"another contract":    {func(d []string, p []*reports.Report) []string { p[2].Contract.Digest = "x"; return d }, "DIR2: has another contract than DIR0"},
		"another catalogue":   {func(d []string, p []*reports.Report) []string { p[2].Catalogue.Count = 8; return d }, "DIR2: has another catalogue than DIR0"},
		"another lostreceipt": {func(d []string, p []*reports.Report) []string { p[2].Harness.Commit = "x"; return d }, "DIR2: has another lostreceipt than DIR0"},
		"another seed":        {func(d []string, p []*reports.Report) []string { p[2].Seed++; return d }, "DIR2: has another seed (give each shard the same --seed) than DIR0"},
		"another scale":       {func(d []string, p []*reports.Report) []string { p[2].Scale = 1; return d }, "DIR2: has another time scale than DIR0"},
		"a scenario taken out": {func(d []string, p []*reports.Report) []string {
			p[1].Selected, p[1].Scenarios = p[1].Selected[1:], p[1].Scenarios[1:]
			return d
		}, "the shards name 6 scenarios, and 7 were divided: a report was changed"},
		"a scenario of another shard": {func(d []string, p []*reports.Report) []string {
			p[1].Scenarios[0].ID = "s-000"
			p[1].Selected = append(p[1].Selected, "s-000")
			p[1].Selected = slices.DeleteFunc(p[1].Selected, func(id string) bool { return id == "s-001" })
			p[0].Selected = append(p[0].Selected, "s-001")
			p[0].Selected = slices.DeleteFunc(p[0].Selected, func(id string) bool { return id == "s-000" })
			return d
		}, "DIR0: selected other scenarios than shard 1/3 has"},
		"a scenario that nobody selected": {func(d []string, p []*reports.Report) []string {
			p[1].Scenarios[0].ID = "mine"
			return d
		}, "DIR1: has the scenario mine, which is not of shard 2/3"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			dirs, parts := shards(t, 7)
			named := tc.change(dirs, parts)
			for i, r := range parts {
				r.Seal(r.Duration)
				g.Expect(reports.Write(reports.Out(dirs[i]).Report(), r)).To(Succeed())
			}
			out := filepath.Join(t.TempDir(), "merged")
			_, _, err := reports.Merge(out, named, "")
			g.Expect(err).To(MatchError(reports.ErrShards))
			want := tc.says + ": " + reports.ErrShards.Error()
			for i, d := range dirs {
				want = strings.ReplaceAll(want, fmt.Sprintf("DIR%d", i), d)
			}
			g.Expect(err).To(MatchError(want))
			g.Expect(out).NotTo(BeAnExistingFile(), "nothing is written")
		})
	}
}

func TestAnInterruptedShardIsNotHidden(t *testing.T) {
	g := NewWithT(t)
	dirs, parts := shards(t, 7)
	parts[1].Interrupted, parts[1].Scenarios = &reports.Interruption{Reason: "terminated"}, parts[1].Scenarios[:1]
	parts[1].Seal(1)
	g.Expect(reports.Write(reports.Out(dirs[1]).Report(), parts[1])).To(Succeed())
	r, _, err := reports.Merge(filepath.Join(t.TempDir(), "merged"), dirs, "")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(r.Interrupted.Reason).To(Equal("shard 2/3: terminated"))
	g.Expect(r.Missing()).To(Equal(parts[1].Selected[1:]))
}

func TestAShardThatCameAloneIsJoinedWithoutItsEvidence(t *testing.T) {
	g := NewWithT(t)
	dirs, _ := shards(t, 7)
	g.Expect(os.RemoveAll(filepath.Join(dirs[1], "runs"))).To(Succeed())
	out := filepath.Join(t.TempDir(), "merged")
	r, lost, err := reports.Merge(out, dirs, "")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(lost).To(ConsistOf(dirs[1] + ": the evidence of 2 scenarios is not there: only its report was joined"))
	saved, err := reports.Read(reports.Out(out).Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(saved.Scenarios).To(HaveLen(len(r.Scenarios)))
	for _, s := range saved.Scenarios {
		rep := s.Repetitions[0]
		g.Expect(rep.HistoryDigest).To(HavePrefix("sha256:"))
		if s.ID == "s-001" || s.ID == "s-004" {
			g.Expect(rep.Evidence).To(BeEmpty(), "what is not there is not named")
			continue
		}
		g.Expect(filepath.Join(out, filepath.FromSlash(rep.Evidence))).To(BeADirectory())
	}
	c := saved.CheckEvidence(out, true)
	g.Expect(c.Problems).To(BeEmpty())
	g.Expect(c.String()).To(Equal("the evidence of 5 runs is what the run wrote (SHA-256); the evidence of 2 runs was not looked at: it was not joined with the report"))
}

func TestEvidenceThatIsNotWhatTheRunWroteIsNotJoined(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(history string) error
		says   string
	}{
		"missing":   {os.Remove, "runs/s-001/1/history.jsonl is missing"},
		"truncated": {func(h string) error { return os.Truncate(h, 100) }, "runs/s-001/1/history.jsonl was changed after the run: its SHA-256 is not the one that the report holds"},
		"garbage":   {func(h string) error { return os.WriteFile(h, []byte("garbage"), 0o600) }, "runs/s-001/1/history.jsonl was changed after the run: its SHA-256 is not the one that the report holds"},
		"no file":   {func(h string) error { return errors.Join(os.Remove(h), os.Mkdir(h, 0o755)) }, "runs/s-001/1/history.jsonl cannot be read: "},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			dirs, _ := shards(t, 7)
			g.Expect(tc.change(reports.Out(dirs[1]).Run("s-001", 1).History())).To(Succeed())
			out := filepath.Join(t.TempDir(), "merged")
			_, _, err := reports.Merge(out, dirs, "")
			g.Expect(err).To(MatchError(reports.ErrEvidence))
			g.Expect(err).To(MatchError(And(HavePrefix(dirs[1]+": the evidence is not what the run wrote:\n  "+tc.says),
				HaveSuffix("\ncopy that directory again, whole, or run the shard again; nothing was written"))))
			g.Expect(out).NotTo(BeAnExistingFile())
		})
	}
}

func TestTheEvidenceOfAnOlderReportIsJoinedUnseen(t *testing.T) {
	g := NewWithT(t)
	dirs, parts := shards(t, 7)
	for i, r := range parts {
		for k := range r.Scenarios {
			r.Scenarios[k].Repetitions[0].HistoryDigest = ""
		}
		g.Expect(reports.Write(reports.Out(dirs[i]).Report(), r)).To(Succeed())
	}
	_, lost, err := reports.Merge(filepath.Join(t.TempDir(), "merged"), dirs, "")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(lost).To(HaveLen(3))
	g.Expect(lost[1]).To(Equal(dirs[1] + ": the evidence of 2 runs was not looked at: the report holds no digests of its histories, as those of an older lostreceipt"))
}

func TestShardsOfTwoBuildsAreNotOneRun(t *testing.T) {
	g := NewWithT(t)
	dirs, parts := shards(t, 7)
	parts[2].Agent.Build = "b-8"
	g.Expect(reports.Write(reports.Out(dirs[2]).Report(), parts[2])).To(Succeed())
	_, _, err := reports.Merge(filepath.Join(t.TempDir(), "merged"), dirs, "")
	g.Expect(err).To(MatchError(dirs[2] + `: has another build ("b-8") than ` + dirs[0] + " (none); give each shard the same --build: " + reports.ErrShards.Error()))
}

func TestAMergeDestroysNothing(t *testing.T) {
	g := NewWithT(t)
	dirs, _ := shards(t, 7)
	_, _, err := reports.Merge(dirs[1], dirs, "")
	g.Expect(err).To(MatchError(dirs[1] + ": is the directory to write and one to read; name another with --out"))
	g.Expect(reports.Out(dirs[1]).Report()).To(BeARegularFile())

	g.Expect(os.WriteFile(reports.Out(dirs[2]).Report(), []byte(`{"schema":`), 0o644)).To(Succeed())
	_, _, err = reports.Merge(filepath.Join(t.TempDir(), "merged"), dirs, "")
	g.Expect(err).To(MatchError(reports.ErrTruncated))
	_, err = reports.Join(nil)
	g.Expect(err).To(MatchError(reports.ErrShards))
}

func TestASelfTestJoinsTheReportOfTheSameHarness(t *testing.T) {
	g := NewWithT(t)
	dirs, _ := shards(t, 7)
	self := prepared(t)
	r := passing()
	r.SelfTest = matrix()
	save := func() { g.Expect(reports.Write(self.Report(), r)).To(Succeed()) }
	out := filepath.Join(t.TempDir(), "merged")
	save()
	merged, _, err := reports.Merge(out, dirs, string(self))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(merged.SelfTest).To(Equal(matrix()))
	g.Expect(merged.Agent.Name).To(Equal("my-agent"))

	r.Contract.Digest = "x"
	save()
	_, _, err = reports.Merge(out, dirs, string(self))
	g.Expect(err).To(MatchError(ContainSubstring("is the self-test of another lostreceipt, contract or catalogue")))
	r.Contract.Digest, r.SelfTest = head().Contract.Digest, nil
	save()
	_, _, err = reports.Merge(out, dirs, string(self))
	g.Expect(err).To(MatchError(fmt.Sprintf("%[1]s: holds no self-test; lostreceipt selftest --out %[1]s makes one", self)))
}

func TestShardsDivideTheWholeEvenlyAndOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := ids(rapid.IntRange(0, 50).Draw(t, "scenarios"))
		n := rapid.IntRange(1, 9).Draw(t, "shards")
		var got []string
		digest := ""
		for i := range n {
			mine, shard := reports.Divide(reports.Shard{Index: i + 1, Of: n}, all)
			if len(mine) < len(all)/n || len(mine) > len(all)/n+1 {
				t.Fatalf("shard %s has %d of %d", shard, len(mine), len(all))
			}
			if digest != "" && shard.Digest != digest {
				t.Fatal("the digest is that of the whole")
			}
			digest = shard.Digest
			got = append(got, mine...)
		}
		slices.Sort(got)
		if !slices.Equal(got, all) {
			t.Fatalf("%v became %v", all, got)
		}
	})
}

func TestAShardIsWrittenAsIOfN(t *testing.T) {
	g := NewWithT(t)
	s, err := reports.ParseShard("2/5")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.String()).To(Equal("2/5"))
	for _, text := range []string{"", "2", "0/5", "6/5", "2/", "a/b", "1/2/3", "-1/3", "1/1001"} {
		_, err := reports.ParseShard(text)
		g.Expect(err).To(MatchError(fmt.Sprintf("shard %q: want i/n, such as 2/5: the second of five parts", text)))
	}
}
