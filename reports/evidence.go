package reports

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// The names of what a run writes.
const (
	reportName   = "report.json"
	junitName    = "junit.xml"
	summaryName  = "summary.md"
	pageName     = "report.html"
	runsName     = "runs"
	historyName  = "history.jsonl"
	ledgerName   = "ledger.json"
	logName      = "agent.log"
	scenarioName = "scenario.yaml"
	verdictName  = "verdict.json"
	reserveName  = ".reserve"

	// markName marks a directory as one that may be emptied for another run.
	markName = ".lostreceipt"
)

// Out is the directory that a run writes to.
type Out string

// Prepare makes dir ready for a run: it is created, and what an earlier run
// left there is taken away, so that an old report cannot pass for the new one.
// A directory that holds anything and was not made by a run is refused and left
// alone. Room for the report is set aside until it is saved.
func Prepare(dir string) (Out, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	mark := filepath.Join(dir, markName)
	_, err := os.Lstat(mark)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		held, err := os.ReadDir(dir)
		if err != nil {
			return "", err
		}
		if len(held) > 0 {
			return "", fmt.Errorf("%s: already holds %s, which no run of lostreceipt made; name another directory with --out, or an empty one", dir, held[0].Name())
		}
	case err != nil:
		return "", err
	default:
		for _, name := range written() {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				return "", fmt.Errorf("take away what an earlier run left: %w", err)
			}
		}
	}
	text := "This directory is written by lostreceipt run and emptied by its next run.\n"
	if err := os.WriteFile(mark, []byte(text), 0o644); err != nil {
		return "", err
	}
	out := Out(dir)
	out.release() // of a run that was killed
	return out, out.reserve()
}

// written are the names of what a run writes into its directory.
func written() []string { return []string{reportName, pageName, junitName, summaryName, runsName} }

// Earlier tells whether dir holds what an earlier run left: [Prepare] takes it
// away.
func Earlier(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, markName)); err != nil {
		return false
	}
	for _, name := range written() {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Report is the path of the report.
func (o Out) Report() string { return filepath.Join(string(o), reportName) }

// JUnit is the path of the JUnit file.
func (o Out) JUnit() string { return filepath.Join(string(o), junitName) }

// Summary is the path of the Markdown summary.
func (o Out) Summary() string { return filepath.Join(string(o), summaryName) }

// Page is the path of the HTML page.
func (o Out) Page() string { return filepath.Join(string(o), pageName) }

// Run is the directory of repetition n, from 1, of a scenario.
func (o Out) Run(scenario string, n int) RunDir {
	return RunDir(filepath.Join(string(o), filepath.FromSlash(Evidence(scenario, n))))
}

// Evidence is the path of a repetition's directory relative to the run's, with
// slashes: what [Repetition.Evidence] holds.
func Evidence(scenario string, n int) string {
	return runsName + "/" + dirName(scenario) + "/" + strconv.Itoa(n)
}

// dirName makes one path element of an id: what is not a letter, a digit, '-',
// '_' or a '.' inside is written as %xx, so that no id leads elsewhere and no
// two ids meet.
func dirName(id string) string {
	var out strings.Builder
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.' && i > 0:
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "%%%02x", c)
		}
	}
	if out.Len() == 0 {
		return "%"
	}
	return out.String()
}

// Save writes the report in every format. One that cannot be written does not
// keep the others from being.
func (o Out) Save(r *Report) error {
	o.release()
	return errors.Join(
		Write(o.Report(), r),
		writeFile(o.JUnit(), func(w io.Writer) error { return writeText(w, r.JUnit) }),
		writeFile(o.Summary(), func(w io.Writer) error { _, err := io.WriteString(w, r.Markdown()); return err }),
		r.SaveHTML(o.Page(), string(o), nil),
	)
}

func writeText(w io.Writer, f func() ([]byte, error)) error {
	text, err := f()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// RunDir is the evidence of one repetition of one scenario.
type RunDir string

// History is the path of its history.
func (d RunDir) History() string { return filepath.Join(string(d), historyName) }

// Ledger is the path of the services' ledgers.
func (d RunDir) Ledger() string { return filepath.Join(string(d), ledgerName) }

// AgentLog is the path of the agent's output.
func (d RunDir) AgentLog() string { return filepath.Join(string(d), logName) }

// Scenario is the path of the scenario as it was run.
func (d RunDir) Scenario() string { return filepath.Join(string(d), scenarioName) }

// Verdict is the path of its verdict.
func (d RunDir) Verdict() string { return filepath.Join(string(d), verdictName) }

// Create makes the directory.
func (d RunDir) Create() error { return os.MkdirAll(string(d), 0o755) }

// Save writes what is known when a run has ended: its ledger, the scenario's
// text and the verdict, in this order. What can be written is.
func (d RunDir) Save(records []history.Record, scenario []byte, v judge.Verdict) error {
	return errors.Join(d.SaveLedger(records), d.SaveScenario(scenario), d.SaveVerdict(v))
}

// SaveScenario writes the scenario's text.
func (d RunDir) SaveScenario(text []byte) error {
	return writeFile(d.Scenario(), func(w io.Writer) error { _, err := w.Write(text); return err })
}

// SaveLedger writes the ledger rows among the records: what the services hold,
// without the rest of the history.
func (d RunDir) SaveLedger(records []history.Record) error {
	rows := []history.Record{}
	for _, r := range records {
		if r.Kind == history.LedgerRow {
			rows = append(rows, r)
		}
	}
	return d.saveJSON(d.Ledger(), rows)
}

// SaveVerdict writes the verdict. It is written last: a directory without one
// was not judged.
func (d RunDir) SaveVerdict(v judge.Verdict) error { return d.saveJSON(d.Verdict(), v) }

func (d RunDir) saveJSON(path string, v any) error {
	return writeFile(path, func(w io.Writer) error {
		text, err := encode(v, "  ")
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	})
}

// writeFile writes a file beside path and renames it into place, so that path
// holds either all of it or what it held before.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("write %s: %w", path, err), os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
