package gate

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// groups gather scenarios by what they have in common, so that one cause is one
// reason.
type groups []group

type group struct {
	name      string
	scenarios []string
	example   string // of the first
}

func (g *groups) add(name, scenario, example string) {
	i := slices.IndexFunc(*g, func(o group) bool { return o.name == name })
	if i < 0 {
		i = len(*g)
		*g = append(*g, group{name: name, example: example})
	}
	if list := &(*g)[i].scenarios; !slices.Contains(*list, scenario) {
		*list = append(*list, scenario)
	}
}

// byCount puts what stands in most scenarios first.
func (g groups) byCount() groups {
	slices.SortStableFunc(g, func(a, b group) int { return len(b.scenarios) - len(a.scenarios) })
	return g
}

// grouped makes a reason of each group.
func (d *decider) grouped() {
	for _, g := range d.rules.byCount() {
		text := fmt.Sprintf("%s: %s: %s", line(g.scenarios[0]), line(g.name), harmless.Line(g.example, 500))
		if n := len(g.scenarios); n > 1 {
			text = fmt.Sprintf("%s in %s: %s", line(g.name), count(n, "scenario"), some(g.scenarios))
		}
		r := d.fail("violation", "", fixAgent, "%s", text)
		r.Rule, r.Scenarios = line(g.name), clean(g.scenarios)
	}
	for _, g := range d.lacking.byCount() {
		was := map[bool]string{true: "was", false: "were"}[len(g.scenarios) == 1]
		r := d.fail("not-applicable", "", fmt.Sprintf("give the agent the capability, or allow its absence with allow.not_applicable: [%s]", line(g.name)),
			"%s %s not applicable: the agent does not declare %q", some(g.scenarios), was, line(g.name))
		r.Scenarios = clean(g.scenarios)
	}
}

func clean(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = line(n)
	}
	return list
}
