package suites

import (
	"encoding/json"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// entryName names the report entry of a spec that holds its scenario's result.
const entryName = "lostreceipt"

// entry is that report entry. It may come from another process, as JSON.
type entry struct {
	Scenario reports.Scenario
}

// String is what Ginkgo's own reports say of it.
func (e entry) String() string { return e.Scenario.ID + ": " + string(e.Scenario.Verdict.Outcome) }

// MarshalJSON keeps the verdict, which stands in the only repetition and is
// not written with it.
func (e entry) MarshalJSON() ([]byte, error) {
	s := e.Scenario
	if len(s.Repetitions) > 0 {
		s.Verdict = s.Repetitions[0].Verdict
	}
	return json.Marshal(s)
}

// UnmarshalJSON puts it back.
func (e *entry) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &e.Scenario); err != nil {
		return err
	}
	for i := range e.Scenario.Repetitions {
		e.Scenario.Repetitions[i].Verdict = e.Scenario.Verdict
	}
	return nil
}

// prepare makes the directory ready, before any spec of any process.
func (s *Suite) prepare(r ginkgo.Report) {
	if s.options.Out == "" || r.SuiteConfig.DryRun {
		return
	}
	if _, err := reports.Prepare(s.options.Out); err != nil {
		ginkgo.Fail("suites: " + err.Error())
	}
}

// report writes what the specs of all processes showed. It fails the suite when
// that cannot be written, and when it shows nothing.
func (s *Suite) report(r ginkgo.Report) {
	if r.SuiteConfig.DryRun {
		return // a preview calls this as well
	}
	s.ahead.stop()
	if s.load() != nil {
		return
	}
	report := s.newReport(r)
	for _, spec := range r.SpecReports {
		id, ours := s.scenarioOf(spec)
		if !ours {
			continue
		}
		result, ran, err := resultOf(spec)
		if err != nil {
			ginkgo.Fail("suites: the result of scenario " + id + " cannot be read: " + err.Error())
		}
		if ran {
			report.Add(result)
		}
		if ran || spec.Failed() {
			report.Selected = append(report.Selected, id)
		}
	}
	if len(report.Selected) == 0 {
		return // they were not asked for
	}
	if why := r.SpecialSuiteFailureReasons; len(why) > 0 && len(report.Missing()) > 0 {
		report.Interrupted = &reports.Interruption{Reason: strings.Join(why, "; ")}
	}
	report.Seal(r.RunTime)
	if s.options.Out != "" {
		if err := reports.Out(s.options.Out).Save(report); err != nil {
			ginkgo.Fail("suites: the report could not be written: " + err.Error())
		}
	}
	if report.Outcome == judge.NotApplicable {
		ginkgo.Fail("suites: none of the scenarios applies to this agent, so nothing was tested: look at Options.Lacks")
	}
}

// resultOf is the result that a spec noted.
func resultOf(spec types.SpecReport) (s reports.Scenario, ran bool, err error) {
	for _, e := range spec.ReportEntries {
		if e.Name != entryName {
			continue
		}
		if own, ok := e.GetRawValue().(entry); ok {
			return own.Scenario, true, nil
		}
		var foreign entry
		err := json.Unmarshal([]byte(e.Value.AsJSON), &foreign)
		return foreign.Scenario, err == nil, err
	}
	return s, false, nil
}

// newReport is the report before its results.
func (s *Suite) newReport(r ginkgo.Report) *reports.Report {
	report := reports.New()
	report.Agent = s.agent()
	report.Harness.Version = version()
	report.Contract = reports.ContractOf(s.stock.table)
	report.Catalogue = reports.CatalogueOf(s.stock.catalogue.All())
	if report.Scale = s.options.Scale; report.Scale == 0 {
		report.Scale = contract.DefaultScale
	}
	report.Limits = contract.Defaults().Scale(report.Scale)
	report.Seed, report.Stack, report.Started = s.stock.seed, "embedded", r.StartTime
	report.Selected = slices.Clone(s.selected)
	report.Repeat = s.repeat("")
	return report
}

// agent is the implementation under test as it is reported.
func (s *Suite) agent() reports.Agent {
	a := reports.Agent{Name: s.options.Name, Kind: reports.KindFunction, Lacks: s.options.Lacks}
	if c, ok := s.options.Agent.(run.Command); ok && len(c.Args) > 0 {
		a.Kind, a.Command = reports.KindCommand, reports.Redact(c.Args)
		if a.Name == "" {
			a.Name = filepath.Base(c.Args[0])
		}
	}
	return a
}

// repeat is the command that runs one scenario of the suite again, or all.
func (s *Suite) repeat(id string) string {
	words := []string{"go", "test", "."}
	if info, ok := debug.ReadBuildInfo(); ok {
		if path, isTest := strings.CutSuffix(info.Path, ".test"); isTest {
			words[2] = path
		}
	}
	words = append(words, "-count=1")
	if s.test != "" {
		words = append(words, "-run", "^"+s.test+"$")
	}
	if id != "" {
		words = append(words, "-ginkgo.label-filter", id)
	}
	if s.options.Seed == 0 {
		words = append(words, "-ginkgo.seed", strconv.FormatUint(s.stock.seed, 10))
	}
	return reports.CommandLine(words)
}

// version is that of the harness in this program.
func version() string {
	const module, unversioned = "github.com/lostreceipt/lostreceipt", "devel"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unversioned
	}
	for _, m := range append(info.Deps, &info.Main) {
		if m.Path == module && m.Version != "" && m.Version != "(devel)" {
			return m.Version
		}
	}
	return unversioned
}
