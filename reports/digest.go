package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/intake"
)

// HistoryFile is the history of one repetition while it is written. It is safe
// for concurrent use.
type HistoryFile struct {
	mu   sync.Mutex
	file *os.File
	sum  hash.Hash
}

// CreateHistory opens the history of a repetition for writing; what stood there
// is lost. The directory must be there.
func (d RunDir) CreateHistory() (*HistoryFile, error) {
	f, err := os.Create(d.History())
	if err != nil {
		return nil, err
	}
	return &HistoryFile{file: f, sum: sha256.New()}, nil
}

// Write appends to the file.
func (h *HistoryFile) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	n, err := h.file.Write(p)
	h.sum.Write(p[:n])
	return n, err
}

// Close ends the file. What is written afterwards is refused.
func (h *HistoryFile) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.file.Close()
}

// Digest is that of what has reached the file, as [Repetition.HistoryDigest]
// holds it; on a full disk that is less than was to be written.
func (h *HistoryFile) Digest() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return digestText(h.sum)
}

func digestText(h hash.Hash) string { return "sha256:" + hex.EncodeToString(h.Sum(nil)) }

// HistoryDigest reads the stored history once, in bounded memory, and returns
// its digest.
func (d RunDir) HistoryDigest() (string, error) {
	f, err := intake.Open(d.History())
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", d.History(), err)
	}
	return digestText(h), nil
}

// What can be wrong with a history that a report names.
const (
	HistoryMissing    = "missing"    // it is not there
	HistoryChanged    = "changed"    // it is not what the run wrote
	HistoryUnreadable = "unreadable" // it is there and cannot be read
	HistoryUndigested = "undigested" // the report holds the digests of others and not its own
)

// HistoryProblem is one history that is not as its report says.
type HistoryProblem struct {
	_ struct{}

	Scenario string
	N        int    // of the repetition
	Path     string // of the history, relative to the report, slashes
	What     string // [HistoryMissing] and so on
	Why      string // what the system said of one that is unreadable
}

// String is the problem as a sentence without an end.
func (p HistoryProblem) String() string {
	file := plain(p.Path, maxSentence)
	switch p.What {
	case HistoryMissing:
		return file + " is missing"
	case HistoryChanged:
		return file + " was changed after the run: its SHA-256 is not the one that the report holds"
	case HistoryUndigested:
		return file + " has no SHA-256 in the report, and others have: the report was changed"
	}
	return file + " cannot be read: " + plain(p.Why, maxSentence)
}

// EvidenceCheck is what came of holding a report against the histories that
// stand beside it.
type EvidenceCheck struct {
	_ struct{}

	// Same is how many histories are what the run wrote.
	Same int
	// Problems are those that are not.
	Problems []HistoryProblem
	// Unseen is how many histories were not looked at, and Why says why; "" when there are none.
	Unseen int
	Why    string
}

// String is the result as one line.
func (c EvidenceCheck) String() string {
	text := fmt.Sprintf("the evidence of %s is what the run wrote (SHA-256)", many(c.Same, "run"))
	if c.Unseen == 0 {
		return text
	}
	unseen := fmt.Sprintf("the evidence of %s was not looked at: %s", many(c.Unseen, "run"), c.Why)
	if c.Same == 0 && len(c.Problems) == 0 {
		return unseen
	}
	return text + "; " + unseen
}

// CheckEvidence holds the report against the histories that it names below dir,
// the directory that the report stands in. expected says that they have to be
// there; otherwise a report with no runs at all beside it is one that came
// alone, and nothing is looked at. A report that holds no digest was made by an
// older lostreceipt: of its histories nothing is known.
func (r *Report) CheckEvidence(dir string, expected bool) EvidenceCheck {
	var c EvidenceCheck
	unseen := func(why string) {
		c.Unseen++
		if c.Why == "" {
			c.Why = why
		}
	}
	digests := r.digests()
	_, err := os.Stat(filepath.Join(dir, runsName))
	alone := !expected && errors.Is(err, fs.ErrNotExist)
	for _, s := range r.Scenarios {
		for _, rep := range s.Repetitions {
			p := HistoryProblem{Scenario: s.ID, N: rep.N, Path: path.Join(rep.Evidence, historyName)}
			switch {
			case rep.Evidence == "" && rep.HistoryDigest == "":
				continue // nothing was recorded
			case rep.Evidence == "":
				unseen("it was not joined with the report")
				continue
			case !digests:
				unseen("the report holds no digests of its histories, as those of an older lostreceipt")
				continue
			case alone:
				unseen("no runs stand beside the report")
				continue
			case rep.HistoryDigest == "" && rep.Problem != "":
				continue // said of the repetition already
			case rep.HistoryDigest == "":
				p.What = HistoryUndigested
			default:
				p.What, p.Why = rep.compare(dir)
			}
			if p.What == "" {
				c.Same++
				continue
			}
			c.Problems = append(c.Problems, p)
		}
	}
	return c
}

// digests tells whether the report holds the digest of any history.
func (r *Report) digests() bool {
	return slices.ContainsFunc(r.Scenarios, func(s Scenario) bool {
		return slices.ContainsFunc(s.Repetitions, func(rep Repetition) bool { return rep.HistoryDigest != "" })
	})
}

// compare says what is wrong with the stored history; "" for nothing.
func (rep Repetition) compare(dir string) (what, why string) {
	below := filepath.FromSlash(rep.Evidence)
	if !filepath.IsLocal(below) {
		return HistoryUnreadable, "its path leads out of the directory of the report"
	}
	got, err := RunDir(filepath.Join(dir, below)).HistoryDigest()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return HistoryMissing, ""
	case err != nil:
		return HistoryUnreadable, err.Error()
	case got != rep.HistoryDigest:
		return HistoryChanged, ""
	}
	return "", ""
}

// listed names problems, a line each, the first ones of many.
func listed(problems []HistoryProblem) string {
	const most = 20
	var out strings.Builder
	for _, p := range problems[:min(most, len(problems))] {
		out.WriteString("\n  " + p.String())
	}
	if n := len(problems) - most; n > 0 {
		fmt.Fprintf(&out, "\n  and %d more", n)
	}
	return out.String()
}
