package reports

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrShards is what keeps shards from being joined: one is missing, doubled or
// of another run.
var ErrShards = errors.New("these are not the shards of one run")

// ErrEvidence is evidence that is not what the run wrote.
var ErrEvidence = errors.New("the evidence is not what the run wrote")

// Part is one shard's report, and the directory that it stands in.
type Part struct {
	_ struct{}

	Dir    string
	Report *Report
}

// Merge joins the reports in dirs, each the directory of a run, into out, with
// their evidence. It refuses shards that are missing, doubled or of another run,
// so that a merged report is as whole as one that was never divided. One report
// that is no shard may stand alone. selfTest, if not "", is the directory of a
// self-test that joins it. Nothing is written before everything fits: a history that is
// not what its run wrote is an error that wraps [ErrEvidence]. Evidence
// that a report names and its directory does not hold is not named any more:
// lost tells how much that is, a line for each directory.
func Merge(out string, dirs []string, selfTest string) (r *Report, lost []string, err error) {
	var parts []Part
	for _, dir := range dirs {
		if same(out, dir) {
			return nil, nil, fmt.Errorf("%s: is the directory to write and one to read; name another with --out", dir)
		}
		r, err := Read(Out(dir).Report())
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, Part{Dir: dir, Report: r})
	}
	merged, err := Join(parts)
	if err != nil {
		return nil, nil, err
	}
	if selfTest != "" {
		tested, err := Read(Out(selfTest).Report())
		if err != nil {
			return nil, nil, err
		}
		if err := merged.adopt(Part{Dir: selfTest, Report: tested}); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range parts {
		note, err := p.compareEvidence()
		if err != nil {
			return nil, nil, err
		}
		if note != "" {
			lost = append(lost, note)
		}
	}
	to, err := Prepare(out)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range parts {
		n, err := p.copyEvidence(to)
		if err != nil {
			return nil, nil, err
		}
		if n > 0 {
			lost = append(lost, fmt.Sprintf("%s: the evidence of %s is not there: only its report was joined", p.Dir, count(n)))
		}
	}
	return merged, lost, to.Save(merged)
}

func same(a, b string) bool {
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(ia, ib)
}

// compareEvidence holds a part against its histories, where it has them: one
// that came alone is joined without. It returns what a person has to know.
func (p Part) compareEvidence() (note string, err error) {
	c := p.Report.CheckEvidence(p.Dir, false)
	if len(c.Problems) > 0 {
		return "", fmt.Errorf("%s: %w:%s\ncopy that directory again, whole, or run the shard again; nothing was written", p.Dir, ErrEvidence, listed(c.Problems))
	}
	if c.Unseen > 0 && !p.Report.digests() {
		return p.Dir + ": " + c.String(), nil
	}
	return "", nil
}

// copyEvidence copies what the report names and its directory holds. It returns
// of how many scenarios it does not hold it all, and takes what is not there out
// of the report.
func (p Part) copyEvidence(to Out) (lost int, err error) {
	for _, s := range p.Report.Scenarios {
		whole := true
		for n, rep := range s.Repetitions {
			if rep.Evidence == "" {
				continue
			}
			path := filepath.FromSlash(rep.Evidence)
			from := filepath.Join(p.Dir, path)
			if _, err := os.Stat(from); err != nil || !filepath.IsLocal(path) {
				s.Repetitions[n].Evidence, whole = "", false
				continue
			}
			if err := os.CopyFS(filepath.Join(string(to), path), os.DirFS(from)); err != nil {
				return lost, fmt.Errorf("copy evidence: %w", err)
			}
		}
		if !whole {
			lost++
		}
	}
	return lost, nil
}

// Join makes one report of all shards of a run. The error wraps [ErrShards].
func Join(parts []Part) (*Report, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("no report is named: %w", ErrShards)
	}
	first := parts[0].Report
	if len(parts) == 1 && first.Shard == nil {
		return first, nil
	}
	if err := belong(parts); err != nil {
		return nil, err
	}
	var selected []string
	for _, p := range parts {
		selected = append(selected, p.Report.Selected...)
	}
	slices.Sort(selected)
	if whole := *first.Shard; len(selected) != whole.Whole || digestOf(selected) != whole.Digest {
		return nil, fmt.Errorf("the shards name %s, and %d were divided: a report was changed: %w", count(len(selected)), whole.Whole, ErrShards)
	}
	merged := *first
	merged.Shard, merged.Scenarios, merged.Selected, merged.Interrupted = nil, nil, selected, nil
	var took time.Duration
	for _, p := range parts {
		if err := p.fits(selected); err != nil {
			return nil, err
		}
		r := p.Report
		merged.Scenarios = append(merged.Scenarios, r.Scenarios...)
		merged.Noise, took = max(merged.Noise, r.Noise), max(took, r.Duration)
		if r.Started.Before(merged.Started) {
			merged.Started = r.Started
		}
		if r.Interrupted != nil && merged.Interrupted == nil {
			merged.Interrupted = &Interruption{Reason: fmt.Sprintf("shard %s: %s", r.Shard, r.Interrupted.Reason)}
		}
		if merged.SelfTest == nil {
			merged.SelfTest = r.SelfTest
		}
	}
	merged.Seal(took)
	return &merged, check(&merged)
}

// belong tells whether the parts are all shards of one run, each once.
func belong(parts []Part) error {
	first := parts[0]
	have := map[int]string{}
	for _, p := range parts {
		s := p.Report.Shard
		switch {
		case s == nil:
			return fmt.Errorf("%s: is no shard, and cannot be joined with others; run it with --shard i/n: %w", p.Dir, ErrShards)
		case s.Index < 1 || s.Of < s.Index || s.Of != first.Report.Shard.Of || s.Whole != first.Report.Shard.Whole || s.Digest != first.Report.Shard.Digest:
			return fmt.Errorf("%s: is shard %s of another division than %s: %w", p.Dir, s, first.Dir, ErrShards)
		case have[s.Index] != "":
			return fmt.Errorf("%s: is shard %s, and so is %s: %w", p.Dir, s, have[s.Index], ErrShards)
		}
		if a, b := first.Report.Agent.Build, p.Report.Agent.Build; a != b {
			return fmt.Errorf("%s: has another build (%s) than %s (%s); give each shard the same --build: %w", p.Dir, buildText(b), first.Dir, buildText(a), ErrShards)
		}
		if what := differs(first.Report, p.Report); what != "" {
			return fmt.Errorf("%s: has another %s than %s: %w", p.Dir, what, first.Dir, ErrShards)
		}
		have[s.Index] = p.Dir
	}
	var missing []string
	for i := 1; i <= first.Report.Shard.Of; i++ {
		if have[i] == "" {
			missing = append(missing, Shard{Index: i, Of: first.Report.Shard.Of}.String())
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("missing: shard %s: %w", strings.Join(bounded(missing, 20), ", shard "), ErrShards)
	}
	return nil
}

// buildText is a build as a message names it.
func buildText(build string) string {
	if build == "" {
		return "none"
	}
	return strconv.Quote(plain(build, maxName))
}

// differs names what makes two reports of different runs.
func differs(a, b *Report) string {
	for _, p := range []struct {
		name string
		same bool
	}{
		{"agent", a.Agent.identity() == b.Agent.identity()},
		{"lostreceipt", a.Harness.Version == b.Harness.Version && a.Harness.Commit == b.Harness.Commit},
		{"contract", a.Contract.Digest == b.Contract.Digest},
		{"catalogue", a.Catalogue.Digest == b.Catalogue.Digest && a.Catalogue.Count == b.Catalogue.Count},
		{"seed (give each shard the same --seed)", a.Seed == b.Seed},
		{"time scale", a.Scale == b.Scale && a.Limits == b.Limits},
		{"stack", a.Stack == b.Stack},
	} {
		if !p.same {
			return p.name
		}
	}
	return ""
}

// identity is everything that makes an agent the same.
func (a Agent) identity() string {
	return fmt.Sprintf("%q", [][]string{{a.Name, a.Kind, a.Build, a.Design, a.Defect, a.Door}, a.Command, a.Lacks, a.Quiet})
}

// fits tells whether a part ran its share, and nothing else.
func (p Part) fits(all []string) error {
	mine := share(*p.Report.Shard, all)
	if got := sorted(p.Report.Selected); !slices.Equal(got, mine) {
		return fmt.Errorf("%s: selected other scenarios than shard %s has: %w", p.Dir, p.Report.Shard, ErrShards)
	}
	for _, s := range p.Report.Scenarios {
		if !slices.Contains(mine, s.ID) {
			return fmt.Errorf("%s: has the scenario %s, which is not of shard %s: %w", p.Dir, plain(s.ID, maxName), p.Report.Shard, ErrShards)
		}
	}
	return nil
}

// adopt takes over the self-test of another report, if the same lostreceipt
// made both.
func (r *Report) adopt(p Part) error {
	o := p.Report
	switch {
	case o.SelfTest == nil:
		return fmt.Errorf("%s: holds no self-test; lostreceipt selftest --out %s makes one", p.Dir, p.Dir)
	case o.Harness.Version != r.Harness.Version || o.Harness.Commit != r.Harness.Commit || o.Contract.Digest != r.Contract.Digest || o.Catalogue.Digest != r.Catalogue.Digest:
		return fmt.Errorf("%s: is the self-test of another lostreceipt, contract or catalogue: it proves nothing here; run lostreceipt selftest again", p.Dir)
	case o.Interrupted != nil:
		return fmt.Errorf("%s: the self-test was interrupted: run lostreceipt selftest again", p.Dir)
	}
	r.SelfTest = o.SelfTest
	return nil
}
