package scenario

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// MaxSize bounds a scenario file, in bytes.
const MaxSize = 256 << 10

// The files of a catalogue's root that are no scenarios.
const (
	ContractFile     = "contract.yaml"     // the contract table
	RequirementsFile = "requirements.yaml" // what scenarios cover
)

// Options say what a scenario is checked against beside its own format.
type Options struct {
	_ struct{}

	// Rows are the contract table's rows, for expect.rows. Nil: any name is taken.
	Rows []string
	// Rules are the judge's rules, for expect.never. Nil: any name is taken.
	Rules []string
	// Requirements are the ids that covers: can name. Nil: any name is taken.
	Requirements []string
	// Root stands before the names of files in messages, such as "scenarios". Empty: nothing.
	Root string
}

// Parse reads the text of one scenario. file is its name in messages. The error
// is an [*Errors] with everything that is wrong.
func Parse(file string, text []byte, o Options) (*Scenario, error) {
	var e Errors
	if len(text) > MaxSize {
		e.add(Problem{File: file, Message: fmt.Sprintf("the file has %d bytes; a scenario has at most %d", len(text), MaxSize)})
		return nil, e.err()
	}
	src, problems := parseSource(file, text)
	if src == nil {
		e.add(problems...)
		return nil, e.err()
	}
	s := &Scenario{File: file, Text: string(text), source: src}
	r := fault.NewReader(src.root)
	s.read(r, o)
	for _, m := range r.Problems() {
		e.add(src.problem(m))
	}
	if !concerns(r.Problems(), "task", "tasks", "given") {
		if _, err := s.Compile(contract.Defaults()); err != nil {
			e.join(file, err)
		}
	}
	e.problems = append(src.untrapped(e.problems), problems...)
	if err := e.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// concerns tells whether a misuse stands below one of these fields.
func concerns(misuses []*fault.Misuse, fields ...string) bool {
	return slices.ContainsFunc(misuses, func(m *fault.Misuse) bool {
		return len(m.Path) == 0 || slices.Contains(fields, m.Path[0])
	})
}

// Load reads one file.
func Load(fsys fs.FS, name string, o Options) (*Scenario, error) {
	shown := path.Join(o.Root, name)
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, unwrapPath(err))
	}
	defer f.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown, unwrapPath(err))
	}
	return Parse(shown, text, o)
}

func unwrapPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// LoadDir reads every *.yaml file below the root of fsys, but for
// [ContractFile] and [RequirementsFile] there. A file is named after its scenario's id, and ids
// differ. The error is an [*Errors] with everything that is wrong in all files.
func LoadDir(fsys fs.FS, o Options) (*Catalogue, error) {
	var e Errors
	c := &Catalogue{}
	files := map[string]string{} // id -> file
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() || path.Ext(name) != ".yaml" || name == ContractFile || name == RequirementsFile {
			return nil
		}
		s, err := Load(fsys, name, o)
		if err != nil {
			e.join(path.Join(o.Root, name), err)
			return nil
		}
		e.add(Misnamed(s, files)...)
		files[s.ID] = s.File
		c.entries = append(c.entries, entry{strings.TrimSuffix(name, ".yaml"), s})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(o.Root, "."), err)
	}
	if err := e.err(); err != nil {
		return nil, err
	}
	slices.SortFunc(c.entries, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return c, nil
}

// Misnamed says what is wrong with the id of a scenario that was read from a
// file: the file is not named after it, or another has the same. files are those
// that were read before, by id. A scenario that came from no file of its own,
// as from standard input, has the name that it gives itself.
func Misnamed(s *Scenario, files map[string]string) (problems []Problem) {
	line, column := s.source.at("id")
	p := Problem{File: s.File, Line: line, Column: column, Text: s.source.line(line)}
	base := path.Base(filepath.ToSlash(s.File))
	if want := strings.TrimSuffix(strings.TrimSuffix(base, ".yaml"), ".yml"); s.ID != want && want != base {
		q := p
		q.Message, q.Suggestion = fmt.Sprintf("the file is named after its scenario: the id of %s is not %q", base, s.ID), want
		problems = append(problems, q)
	}
	if first, ok := files[s.ID]; ok {
		p.Message = fmt.Sprintf("the id %q is taken by %s", s.ID, first)
		problems = append(problems, p)
	}
	return problems
}

// Digest is a digest of scenarios: of their ids and texts, in the order of the
// ids, so that it does not depend on where they were read from.
func Digest(scenarios []*Scenario) string {
	sorted := slices.Clone(scenarios)
	slices.SortFunc(sorted, func(a, b *Scenario) int { return strings.Compare(a.ID, b.ID) })
	h := sha256.New()
	for _, s := range sorted {
		_, _ = fmt.Fprintf(h, "%d:%s%d:%s", len(s.ID), s.ID, len(s.Text), s.Text)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
