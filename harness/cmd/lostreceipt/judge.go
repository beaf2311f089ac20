package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
)

type judgeVerb struct {
	Dir      string `arg:"" type:"existingdir" help:"What a run wrote with --out, or a part of its runs/."`
	Contract string `type:"existingfile" help:"Judge by another contract table than the built-in one." placeholder:"FILE"`
	Format   string `enum:"text,json" default:"text" help:"text, or json: one line a run on standard output."`
}

// Help is the worked example.
func (judgeVerb) Help() string {
	return `Example: what today's judge says of yesterday's run, and how that differs:

    lostreceipt judge lostreceipt-out

Nothing is run and nothing is written. The exit status is that of the new verdicts, and 4 when a stored run cannot be read.`
}

// rejudged is one stored run and what is said of it now.
type rejudged struct {
	Scenario    string         `json:"scenario"`
	N           int            `json:"n"`
	Evidence    string         `json:"evidence"`
	Stored      judge.Outcome  `json:"stored,omitempty"`
	Verdict     *judge.Verdict `json:"verdict"`
	Differences []string       `json:"differences"`
	Notes       []string       `json:"notes,omitempty"`
}

// Run runs the verb.
func (v *judgeVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	dirs, err := reports.FindRuns(v.Dir)
	if err != nil {
		return usage{err}
	}
	report := reports.New()
	from, err := originOf(v.Dir, dirs)
	if err != nil {
		return usage{err}
	}
	if r := from.report; r != nil {
		report.Agent, report.Harness, report.Catalogue, report.Stack = r.Agent, r.Harness, r.Catalogue, r.Stack
		report.Seed, report.Started = r.Seed, r.Started
	}
	report.Contract = reports.ContractOf(table)
	var all []rejudged
	var bad []error
	for _, dir := range dirs {
		stored, err := dir.Load()
		if err = from.compare(stored, err); err != nil {
			bad = append(bad, err)
			all = append(all, unread(report, dir, err, v.Dir))
			continue
		}
		again, err := rejudge(stored, table)
		if err != nil {
			bad = append(bad, err)
			all = append(all, unread(report, dir, err, v.Dir))
			continue
		}
		all = append(all, again)
		add(report, stored, again, v.Dir)
	}
	lost := from.missing(v.Dir)
	for _, dir := range lost {
		err := fmt.Errorf("%s: is missing, and the report names it; %s", dir.History(), restore)
		bad = append(bad, err)
		all = append(all, unread(report, dir, err, v.Dir))
	}
	report.Seal(0)
	if v.Format == "json" {
		out := json.NewEncoder(in.out)
		for _, r := range all {
			if err := out.Encode(r); err != nil {
				return err
			}
		}
	} else {
		say(in.out, "%s", report.Text(lookOf(in.out)))
		tellDifferences(in, all)
	}
	if len(bad) > 0 {
		return fmt.Errorf("%d of %d stored runs cannot be judged; the others were:\n%w", len(bad), len(dirs)+len(lost), errors.Join(bad...))
	}
	if status := report.Outcome.ExitStatus(); status != 0 {
		return exit(status)
	}
	return nil
}

// rejudge judges a stored run again and compares.
func rejudge(stored reports.Stored, table *contract.Table) (r rejudged, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: a rule of the judge panics on it: %v", stored.Dir.History(), p)
		}
	}()
	r = rejudged{Scenario: stored.ID, N: stored.N, Evidence: filepath.ToSlash(string(stored.Dir)), Differences: []string{}}
	verdict, err := judge.Judge(table, stored.Records)
	if err != nil {
		return r, fmt.Errorf("%s: %w", stored.Dir.History(), err)
	}
	if n := len(stored.Records); n > 0 && stored.Records[n-1].Run != nil {
		*verdict = run.BrokenOff(*verdict, stored.Records[n-1].Run.Reason)
	}
	r.Verdict = verdict
	if setup, err := judge.ReadSetup(stored.Records); err == nil && setup.Contract != table.Digest {
		r.Notes = append(r.Notes, "it was judged by another contract table when it ran")
	}
	if stored.Torn {
		r.Notes = append(r.Notes, "its history ends in the middle of a record: whoever wrote it was killed, or its disk was full")
	}
	if stored.Verdict == nil {
		r.Notes = append(r.Notes, "it was never judged before")
		return r, nil
	}
	r.Stored = stored.Verdict.Outcome
	r.Differences = append(r.Differences, reports.Compare(*stored.Verdict, *verdict)...)
	// The command to repeat it is no judgement, and the judge does not know it.
	if len(stored.Verdict.Findings) > 0 {
		for i := range verdict.Findings {
			verdict.Findings[i].Repeat = stored.Verdict.Findings[0].Repeat
		}
	}
	return r, nil
}

// unread adds a run that cannot be judged, so that nothing that is said of the
// whole looks as if it had been.
func unread(report *reports.Report, dir reports.RunDir, err error, root string) rejudged {
	r := rejudged{
		Scenario: filepath.Base(filepath.Dir(string(dir))), N: 1, Evidence: filepath.ToSlash(string(dir)), Differences: []string{},
		Verdict: &judge.Verdict{Outcome: judge.HarnessError, Reasons: []string{"it cannot be judged: " + err.Error()}},
	}
	if n, err := strconv.Atoi(filepath.Base(string(dir))); err == nil && n > 0 {
		r.N = n
	}
	report.Selected = append(report.Selected, r.Scenario)
	report.Add(reports.Scenario{ID: r.Scenario, Repetitions: []reports.Repetition{{
		N: r.N, Outcome: r.Verdict.Outcome, Evidence: below(root, dir), Verdict: *r.Verdict,
	}}})
	return r
}

// below is the path of a run's directory as a report names it.
func below(root string, dir reports.RunDir) string {
	path, err := filepath.Rel(root, string(dir))
	if err != nil {
		path = string(dir)
	}
	return filepath.ToSlash(path)
}

func add(report *reports.Report, stored reports.Stored, r rejudged, root string) {
	s := reports.Scenario{ID: r.Scenario}
	if setup, err := judge.ReadSetup(stored.Records); err == nil {
		s.Guarantees, report.Scale, report.Limits = setup.Guarantees, setup.Scale, setup.Limits
	}
	if text, err := scenario.Parse(stored.Dir.Scenario(), stored.Text, scenario.Options{}); err == nil {
		s.Title, s.Covers, s.Digest = text.Title, text.Covers, scenario.Digest([]*scenario.Scenario{text})
	}
	last := stored.Records[len(stored.Records)-1]
	s.Repetitions = []reports.Repetition{{
		N: r.N, Outcome: r.Verdict.Outcome, Duration: last.At, Evidence: below(root, stored.Dir), Verdict: *r.Verdict,
	}}
	report.Selected = append(report.Selected, r.Scenario)
	report.Add(s)
}

// tellDifferences says what is new. A run that never was judged, since whoever
// ran it was killed, has no verdict to differ from.
func tellDifferences(in *invocation, all []rejudged) {
	differ, stored := 0, 0
	for _, r := range all {
		if r.Stored != "" {
			stored++
		}
		lines := append(append([]string(nil), r.Notes...), r.Differences...)
		if len(lines) == 0 {
			continue
		}
		if len(r.Differences) > 0 {
			differ++
		}
		say(in.out, "%s (%d): %s\n", r.Scenario, r.N, strings.Join(lines, "\n    "))
	}
	if differ == 0 {
		say(in.out, "Judged again: %s, and none differs.\n", counted(stored, "stored verdict"))
		return
	}
	say(in.out, "Judged again: %d of %s differ.\n", differ, counted(stored, "stored verdict"))
}
