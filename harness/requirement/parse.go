package requirement

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// version of the file's format.
const version = 1

// file is the written list.
type file struct {
	Version  int `yaml:"version"`
	Sections []struct {
		ID           text   `yaml:"id"`
		Title        string `yaml:"title"`
		Requirements []struct {
			ID        text   `yaml:"id"`
			Statement string `yaml:"statement"`
			ShownBy   *struct {
				InsteadOf []text `yaml:"instead_of"`
				Why       string `yaml:"why"`
				Tests     []text `yaml:"tests"`
			} `yaml:"shown_by"`
		} `yaml:"requirements"`
	} `yaml:"sections"`
}

// text is a scalar that knows where it stands.
type text struct {
	value        string
	line, column int
}

// UnmarshalYAML reads a scalar.
func (t *text) UnmarshalYAML(n *yaml.Node) error {
	t.line, t.column = n.Line, n.Column
	return n.Decode(&t.value)
}

var (
	letter   = regexp.MustCompile(`^[A-Z]$`)
	testName = regexp.MustCompile(`^[a-z]+(/[a-z]+)*\.Test[A-Z]\w*$`)
)

// Parse reads a list from YAML, strictly: an unknown field, an id that stands
// twice or in the wrong section, an empty statement, and words that excuse
// nothing are errors. name is the file's name in messages; each has line and
// column where there is one, and all come at once.
func Parse(name string, written []byte) (*List, error) {
	var f file
	if err := yaml.Load(written, &f, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.Version != version {
		return nil, fmt.Errorf("%s: version is %d, and this program reads version %d", name, f.Version, version)
	}
	p := &parser{name: name, lines: map[string]int{}}
	l := &List{}
	for _, s := range f.Sections {
		if !letter.MatchString(s.ID.value) {
			p.fail(s.ID, "the id of a section is a capital letter, not %q", s.ID.value)
		}
		p.once(s.ID)
		section := Section{ID: s.ID.value, Title: s.Title}
		for _, r := range s.Requirements {
			if id := r.ID.value; len(id) < 2 || id[:1] != section.ID || strings.Trim(id[1:], "0123456789") != "" {
				p.fail(r.ID, "the id of a requirement of section %s is %s and a number, not %q", section.ID, section.ID, id)
			}
			p.once(r.ID)
			if strings.TrimSpace(r.Statement) == "" {
				p.fail(r.ID, "%s says nothing: its statement is empty", r.ID.value)
			}
			requirement := Requirement{ID: r.ID.value, Statement: r.Statement}
			if by := r.ShownBy; by != nil {
				requirement.ShownBy = p.shown(r.ID, by.InsteadOf, by.Why, by.Tests)
			}
			section.Requirements = append(section.Requirements, requirement)
		}
		if len(section.Requirements) == 0 {
			p.fail(s.ID, "section %s has no requirements", section.ID)
		}
		l.Sections = append(l.Sections, section)
	}
	if len(l.Sections) == 0 {
		p.errs = append(p.errs, fmt.Errorf("%s: the file has no sections", name))
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return l, nil
}

type parser struct {
	name  string
	lines map[string]int // of each id
	errs  []error
}

func (p *parser) fail(at text, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d:%d: %s", p.name, at.line, at.column, fmt.Sprintf(format, args...)))
}

func (p *parser) once(id text) {
	if line, taken := p.lines[id.value]; taken {
		p.fail(id, "%s stands in line %d already", id.value, line)
		return
	}
	p.lines[id.value] = id.line
}

func (p *parser) shown(id text, insteadOf []text, why string, tests []text) ShownBy {
	by := ShownBy{Why: why}
	for _, c := range insteadOf {
		if !slices.Contains(Columns(), Column(c.value)) {
			p.fail(c, "%q is no column: one of %v", c.value, Columns())
		}
		by.InsteadOf = append(by.InsteadOf, Column(c.value))
	}
	for _, t := range tests {
		if !testName.MatchString(t.value) {
			p.fail(t, "%q names no test: write its folder and its name, such as reports.TestIt", t.value)
		}
		by.Tests = append(by.Tests, t.value)
	}
	if len(insteadOf) == 0 || strings.TrimSpace(why) == "" || len(tests) == 0 {
		p.fail(id, "shown_by of %s says instead of which columns, why, and by which tests", id.value)
	}
	return by
}
