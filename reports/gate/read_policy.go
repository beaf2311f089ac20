package gate

import (
	"maps"
	"slices"

	"go.yaml.in/yaml/v4"
)

// policy reads the whole.
func (r *reader) policy(n *yaml.Node, p *Policy) {
	named := false
	r.fields(n, "a policy", fields{
		"agent": func(n *yaml.Node) {
			named = true
			seen := r.fields(n, "agent", fields{
				"name":            func(n *yaml.Node) { p.Agent = r.text(n, "the agent's name") },
				"allow_reference": func(n *yaml.Node) { p.AllowReference = r.yes(n, "allow_reference") },
			})
			if n.Kind == yaml.MappingNode && !seen["name"] {
				r.fail(n, "the agent has no name: without one, the report of any agent would pass")
			}
		},
		"require": func(n *yaml.Node) { r.require(n, p) },
		"allow":   func(n *yaml.Node) { r.allow(n, p) },
		"waivers": func(n *yaml.Node) { r.waivers(n, p) },
	})
	if !named && n.Kind == yaml.MappingNode {
		r.fail(n, "the policy names no agent: without agent: {name: my-agent}, the report of any agent would pass")
	}
}

func (r *reader) require(n *yaml.Node, p *Policy) {
	r.fields(n, "require", fields{
		"requirements": func(n *yaml.Node) {
			p.AllRequirements, p.Requirements = r.some(n, "requirement", r.known.Requirements)
		},
		"rows":      func(n *yaml.Node) { p.AllRows, p.Rows = r.some(n, "row", r.known.Rows) },
		"self_test": func(n *yaml.Node) { p.SelfTest = r.yes(n, "self_test") },
		"catalogue": func(n *yaml.Node) { p.Catalogue = r.text(n, "the catalogue's digest") },
		"contract":  func(n *yaml.Node) { p.Contract = r.text(n, "the contract's digest") },
		"max_age":   func(n *yaml.Node) { p.MaxAge = r.duration(n, "max_age") },
	})
}

func (r *reader) allow(n *yaml.Node, p *Policy) {
	r.fields(n, "allow", fields{
		"undetermined":   func(n *yaml.Node) { p.Undetermined = r.count(n, "undetermined") },
		"vacuous":        func(n *yaml.Node) { p.Vacuous = r.count(n, "vacuous") },
		"not_applicable": func(n *yaml.Node) { p.NotApplicable = r.words(n, "capability", r.known.Capabilities) },
		"unjudged":       func(n *yaml.Node) { p.Unjudged = r.words(n, "family", r.known.Families) },
	})
}

func (r *reader) waivers(n *yaml.Node, p *Policy) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "waivers is a list, each with scenario, rule, owner, reason and expires")
		return
	}
	type ground struct{ scenario, rule string }
	seen := map[ground]int{}
	for _, n := range n.Content {
		w := Waiver{Line: n.Line}
		has := r.fields(n, "a waiver", fields{
			// A scenario may be one of the team's own, which this lostreceipt does not know.
			"scenario": func(n *yaml.Node) { w.Scenario = r.word(n, "scenario", nil) },
			"rule":     func(n *yaml.Node) { w.Rule = r.word(n, "rule", r.known.Rules) },
			"owner":    func(n *yaml.Node) { w.Owner = r.text(n, "the owner") },
			"reason":   func(n *yaml.Node) { w.Reason = r.text(n, "the reason") },
			"expires":  func(n *yaml.Node) { w.Expires = r.day(n, "expires") },
		})
		for _, name := range []string{"scenario", "rule", "owner", "reason", "expires"} {
			if n.Kind == yaml.MappingNode && !has[name] {
				r.fail(n, "the waiver has no %s: it needs scenario, rule, owner, reason and expires", name)
			}
		}
		g := ground{w.Scenario, w.Rule}
		if line := seen[g]; line > 0 {
			r.fail(n, "rule %q in scenario %q is waived in line %d already", w.Rule, w.Scenario, line)
		}
		seen[g] = n.Line
		p.Waivers = append(p.Waivers, w)
	}
}

// scenarios are the ids of the catalogue that is known.
func (k Known) scenarios() []string { return slices.Sorted(maps.Keys(k.Scenarios)) }
