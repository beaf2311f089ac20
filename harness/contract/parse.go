package contract

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/lostreceipt/lostreceipt/harness/yamltext"
)

// MaxSize bounds the text of a table, in bytes.
const MaxSize = 256 << 10

// Parse reads a table from YAML, the harness's own or a team's. All mistakes
// are reported at once, a line each, with name:line:column. First what is
// written: unknown fields, standings, facts, actions and duties, rows without an
// id, double ids, conditions that exclude themselves. A table that is free of
// these is checked as a whole: a row that can never match because rows above it
// take all of it, an intent that no row takes, a permit that can never apply,
// and a duty that its row does not allow.
func Parse(name string, text []byte) (*Table, error) {
	if len(text) > MaxSize {
		return nil, fmt.Errorf("%s: the file has %d bytes; a contract has at most %d", name, len(text), MaxSize)
	}
	doc, err := document(name, text)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	p := &parser{name: name}
	t := &Table{Digest: hex.EncodeToString(sum[:])}
	p.fields(doc, map[string]func(*yaml.Node){
		"version": func(n *yaml.Node) { p.decode(n, &t.Version) },
		"rows":    func(n *yaml.Node) { t.Rows = p.rows(n) },
	})
	if t.Version != 1 && len(p.errs) == 0 {
		p.fail(doc, "version is %d, and this harness reads version 1", t.Version)
	}
	if len(p.errs) == 0 {
		p.sound(doc, t)
	}
	if len(p.errs) > 0 {
		return nil, errors.Join(p.errs...)
	}
	return t, nil
}

// document is the content of the one document that the text holds.
func document(name string, text []byte) (*yaml.Node, error) {
	l, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var doc, more yaml.Node
	switch err := l.Load(&doc); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s:1:1: the file is empty: a contract has `version` and `rows`", name)
	case err != nil:
		return nil, syntax(name, text, err)
	}
	switch err := l.Load(&more); {
	case errors.Is(err, io.EOF):
		return doc.Content[0], nil
	case err != nil:
		return nil, syntax(name, text, err)
	}
	return nil, fmt.Errorf("%s:%d:%d: a second document begins here: a file holds one contract", name, more.Line, more.Column)
}

// syntax gives a mistake in the YAML its place.
func syntax(name string, text []byte, err error) error {
	m := yamltext.Explain("a contract", yamltext.Lines(string(text)), err)
	return fmt.Errorf("%s:%d:%d: %s", name, m.Line, m.Column, m.Message)
}

type parser struct {
	name string
	errs []error

	places []place // of the rows
	steps  int     // left to a search for gaps
}

// place is where the parts of a row stand.
type place struct {
	row, must *yaml.Node
	permits   []*yaml.Node
}

func (p *parser) fail(n *yaml.Node, format string, args ...any) {
	p.errs = append(p.errs, fmt.Errorf("%s:%d:%d: %s", p.name, n.Line, n.Column, fmt.Sprintf(format, args...)))
}

func (p *parser) decode(n *yaml.Node, into any) {
	if err := n.Decode(into); err != nil {
		p.fail(n, "%q does not fit here", n.Value)
	}
}

func (p *parser) fields(n *yaml.Node, known map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		p.fail(n, "expected a mapping")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		read, ok := known[key.Value]
		switch {
		case !ok:
			p.fail(key, "unknown field %q: one of %v", key.Value, slices.Sorted(maps.Keys(known)))
		case seen[key.Value]:
			p.fail(key, "field %q stands twice", key.Value)
		default:
			seen[key.Value] = true
			read(n.Content[i+1])
		}
	}
}

func (p *parser) list(n *yaml.Node, each func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		p.fail(n, "expected a list")
		return
	}
	for _, item := range n.Content {
		each(item)
	}
}

func (p *parser) rows(n *yaml.Node) []Row {
	var rows []Row
	ids := map[string]int{}
	p.list(n, func(n *yaml.Node) {
		r, at := Row{Line: n.Line}, place{row: n, must: n}
		p.fields(n, map[string]func(*yaml.Node){
			"id":      func(n *yaml.Node) { p.decode(n, &r.ID) },
			"summary": func(n *yaml.Node) { p.decode(n, &r.Summary) },
			"when":    func(n *yaml.Node) { r.When = p.condition(n) },
			"allow": func(n *yaml.Node) {
				p.list(n, func(n *yaml.Node) {
					r.Allow, at.permits = append(r.Allow, p.permit(n)), append(at.permits, n)
				})
			},
			"must": func(n *yaml.Node) {
				at.must = n
				p.list(n, func(n *yaml.Node) {
					p.name1(n, "duty", Duties(), func(s string) bool { r.Must = append(r.Must, s); return slices.Contains(Duties(), s) })
				})
			},
		})
		switch line, double := ids[r.ID]; {
		case r.ID == "":
			p.fail(n, "a row without an id")
		case !rowID.MatchString(r.ID):
			p.fail(n, "the id of a row is of small letters, digits and single dashes, not %q", r.ID)
		case double:
			p.fail(n, "row %q stands in line %d already", r.ID, line)
		}
		ids[r.ID] = n.Line
		rows, p.places = append(rows, r), append(p.places, at)
	})
	if len(rows) > maxRows {
		p.fail(n, "%d rows; a contract has at most %d", len(rows), maxRows)
	}
	return rows
}

// maxRows bounds a table: each row is checked against those above it.
const maxRows = 200

var rowID = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func (p *parser) condition(n *yaml.Node) Condition {
	var c Condition
	p.fields(n, p.conditionFields(&c))
	p.possible(n, c, "the row can never match")
	return c
}

// possible refuses a condition that excludes itself.
func (p *parser) possible(n *yaml.Node, c Condition, so string) {
	if both := c.Is & c.Not; both != 0 {
		p.fail(n, "%s cannot both hold and not hold: %s", both, so)
	}
	if c.Is.Has(Protected) && c.Not.Has(Idempotent) {
		p.fail(n, "what is protected is idempotent: %s", so)
	}
}

func (p *parser) conditionFields(c *Condition) map[string]func(*yaml.Node) {
	facts := func(into *Facts) func(*yaml.Node) {
		return func(n *yaml.Node) {
			p.list(n, func(n *yaml.Node) {
				p.name1(n, "fact", factNames, func(s string) bool {
					f, ok := ParseFact(s)
					*into |= Facts(f)
					return ok
				})
			})
		}
	}
	return map[string]func(*yaml.Node){
		"standing": func(n *yaml.Node) {
			if n.Kind == yaml.SequenceNode && len(n.Content) == 0 {
				p.fail(n, "the list of standings is empty: leave it out where any will do")
			}
			p.list(n, func(n *yaml.Node) {
				p.name1(n, "standing", standingNames, func(s string) bool {
					st, ok := ParseStanding(s)
					c.Standing |= Standings(st)
					return ok
				})
			})
		},
		"is":  facts(&c.Is),
		"not": facts(&c.Not),
	}
}

func (p *parser) permit(n *yaml.Node) Permit {
	var permit Permit
	action := func(n *yaml.Node) {
		p.name1(n, "action", actionNames(), func(s string) bool { permit.Action = Action(s); return Action(s).Known() })
	}
	if n.Kind == yaml.ScalarNode {
		action(n)
		return permit
	}
	known := p.conditionFields(&permit.If)
	known["do"] = action
	p.fields(n, known)
	p.possible(n, permit.If, "the permit can never apply")
	if permit.Action == "" {
		p.fail(n, "a permit needs `do`, the action that it allows")
	}
	return permit
}

// name1 reads one name and says what is known when it is not.
func (p *parser) name1(n *yaml.Node, what string, known []string, take func(string) bool) {
	if n.Kind != yaml.ScalarNode || !take(n.Value) {
		p.fail(n, "unknown %s %q: one of %v", what, n.Value, known)
	}
}

func actionNames() []string {
	names := make([]string, 0, len(Actions()))
	for _, a := range Actions() {
		names = append(names, string(a))
	}
	return names
}
