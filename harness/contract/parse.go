package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// Parse reads a table from YAML. All mistakes are reported at once, each with
// name:line:column: unknown fields, rows without an id, double ids, unknown
// standings, facts, actions or duties, and a standing that no row is sure to
// catch.
func Parse(name string, text []byte) (*Table, error) {
	var doc yaml.Node
	if err := yaml.Load(text, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, fmt.Errorf("%s:1:1: the file is empty: a contract has `version` and `rows`", name)
	}
	sum := sha256.Sum256(text)
	p := &parser{name: name}
	t := &Table{Digest: hex.EncodeToString(sum[:])}
	p.fields(doc.Content[0], map[string]func(*yaml.Node){
		"version": func(n *yaml.Node) { p.decode(n, &t.Version) },
		"rows":    func(n *yaml.Node) { t.Rows = p.rows(n) },
	})
	if t.Version != 1 && len(p.errs) == 0 {
		p.fail(doc.Content[0], "version is %d, and this harness reads version 1", t.Version)
	}
	p.complete(doc.Content[0], t)
	return t, errors.Join(p.errs...)
}

type parser struct {
	name string
	errs []error
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
			p.fail(key, "unknown field %q", key.Value)
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
		r := Row{Line: n.Line}
		p.fields(n, map[string]func(*yaml.Node){
			"id":      func(n *yaml.Node) { p.decode(n, &r.ID) },
			"summary": func(n *yaml.Node) { p.decode(n, &r.Summary) },
			"when":    func(n *yaml.Node) { r.When = p.condition(n) },
			"allow":   func(n *yaml.Node) { p.list(n, func(n *yaml.Node) { r.Allow = append(r.Allow, p.permit(n)) }) },
			"must": func(n *yaml.Node) {
				p.list(n, func(n *yaml.Node) {
					p.name1(n, "duty", Duties(), func(s string) bool { r.Must = append(r.Must, s); return contains(Duties(), s) })
				})
			},
		})
		switch line, double := ids[r.ID]; {
		case r.ID == "":
			p.fail(n, "a row without an id")
		case double:
			p.fail(n, "row %q stands in line %d already", r.ID, line)
		}
		ids[r.ID] = n.Line
		rows = append(rows, r)
	})
	return rows
}

func (p *parser) condition(n *yaml.Node) Condition {
	var c Condition
	p.fields(n, p.conditionFields(&c))
	if both := c.Is & c.Not; both != 0 {
		p.fail(n, "%s can not both hold and not hold: the row can never match", both)
	}
	return c
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

// complete demands that every standing is caught whatever the facts are: a row
// without further conditions stands somewhere below.
func (p *parser) complete(n *yaml.Node, t *Table) {
	if len(p.errs) > 0 {
		return
	}
	for _, name := range standingNames {
		s, _ := ParseStanding(name)
		caught := false
		for i, r := range t.Rows {
			unconditional := r.When.Is == 0 && r.When.Not == 0 && (r.When.Standing == 0 || r.When.Standing.Has(s))
			if caught && r.When.Standing != 0 && r.When.Standing.Only(s) {
				p.errs = append(p.errs, fmt.Errorf("%s:%d:1: row %q can never match: a row above it takes every %s intent", p.name, t.Rows[i].Line, r.ID, s))
			}
			caught = caught || unconditional
		}
		if !caught {
			p.fail(n, "no row is sure to match an intent that is %s: add one without facts", s)
		}
	}
}

func actionNames() []string {
	names := make([]string, 0, len(Actions()))
	for _, a := range Actions() {
		names = append(names, string(a))
	}
	return names
}

func contains(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}
