package reports

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/intake"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Stored is one repetition, read back from its evidence.
type Stored struct {
	_ struct{}

	Dir     RunDir
	ID      string // of the scenario, as its first record says
	N       int    // of the repetition, from the directory's name
	Records []history.Record
	// Torn is set when the history ends in the middle of a record: what stands before it is whole.
	Torn bool
	// Digest is that of the history, as [Repetition.HistoryDigest]; of one that is there it is known after an error too.
	Digest string
	// Text is the scenario as it was, nil when it was not saved.
	Text []byte
	// Verdict is the stored one, nil when the run was never judged.
	Verdict *judge.Verdict
}

// Load reads one repetition's directory. Only the history must be there.
func (d RunDir) Load() (Stored, error) {
	s := Stored{Dir: d, N: 1}
	if n, err := strconv.Atoi(filepath.Base(string(d))); err == nil && n > 0 {
		s.N = n
	}
	f, err := intake.Open(d.History())
	if err != nil {
		return s, err
	}
	defer f.Close()
	sum := sha256.New()
	s.Records, err = history.Read(io.TeeReader(f, sum))
	if _, rest := io.Copy(sum, f); rest != nil {
		return s, fmt.Errorf("%s: %w", d.History(), errors.Join(err, rest))
	}
	s.Digest = digestText(sum)
	if errors.Is(err, history.ErrTorn) {
		s.Torn, err = true, nil
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w", d.History(), err)
	}
	if len(s.Records) == 0 || s.Records[0].Kind != history.RunStarted || s.Records[0].Run == nil {
		return s, fmt.Errorf("%s: does not begin with %s: this is not the history of a run", d.History(), history.RunStarted)
	}
	s.ID = s.Records[0].Run.Scenario
	if s.Text, err = intake.ReadFile(d.Scenario()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	text, err := intake.ReadFile(d.Verdict())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	var v judge.Verdict
	if err := unmarshal(text, &v); err != nil {
		return s, fmt.Errorf("%s:%w", d.Verdict(), err)
	}
	s.Verdict = &v
	return s, nil
}

// maxDepth is how far below the given directory histories are looked for:
// DIR/runs/SCENARIO/N.
const maxDepth = 3

// FindRuns are the directories at or below dir that hold a history, in the
// order of scenario and number: dir may be that of a whole run, its runs/, that
// of one scenario or of one repetition.
func FindRuns(dir string) ([]RunDir, error) {
	type found struct {
		dir  RunDir
		name string
		n    int
	}
	var list []found
	var walk func(dir string, depth int) error
	walk = func(dir string, depth int) error {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			switch {
			case e.Name() == historyName && !e.IsDir():
				n, _ := strconv.Atoi(filepath.Base(dir))
				list = append(list, found{RunDir(dir), filepath.Dir(dir), n})
			case e.IsDir() && depth < maxDepth:
				if err := walk(path, depth+1); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := walk(filepath.Clean(dir), 0); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: holds no %s; name the directory that a run wrote with --out, or one of its runs", dir, historyName)
	}
	slices.SortFunc(list, func(a, b found) int {
		if a.name != b.name {
			return strings.Compare(a.name, b.name)
		}
		return a.n - b.n
	})
	dirs := make([]RunDir, len(list))
	for i, f := range list {
		dirs[i] = f.dir
	}
	return dirs, nil
}
