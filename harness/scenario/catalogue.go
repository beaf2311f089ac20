package scenario

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Catalogue is a folder of scenarios.
type Catalogue struct {
	entries []entry // sorted by path
}

type entry struct {
	path string // below the root, without .yaml
	*Scenario
}

// All are the scenarios, sorted by where they stand.
func (c *Catalogue) All() []*Scenario {
	all := make([]*Scenario, len(c.entries))
	for i, e := range c.entries {
		all[i] = e.Scenario
	}
	return all
}

// Digest is the digest of all scenarios, see [Digest].
func (c *Catalogue) Digest() string { return Digest(c.All()) }

// Find looks a scenario up by its id.
func (c *Catalogue) Find(id string) (*Scenario, bool) {
	for _, e := range c.entries {
		if e.ID == id {
			return e.Scenario, true
		}
	}
	return nil, false
}

// Select returns the scenarios that any of the patterns names, in the order of
// the catalogue. A pattern is an id, a path below the root ("approval/lost-receipt"),
// or a glob over either ("lost-*", "approval/*"). No pattern selects all. A pattern that
// selects nothing is an error.
func (c *Catalogue) Select(patterns ...string) ([]*Scenario, error) {
	if len(patterns) == 0 {
		return c.All(), nil
	}
	chosen := map[string]bool{}
	for _, p := range patterns {
		found := false
		for _, e := range c.entries {
			at, err := path.Match(p, e.path)
			if err != nil {
				return nil, fmt.Errorf("%q is no pattern: %w", p, err)
			}
			id, _ := path.Match(p, e.ID)
			if at || id {
				found, chosen[e.path] = true, true
			}
		}
		if !found {
			return nil, c.unknown(p)
		}
	}
	var selected []*Scenario
	for _, e := range c.entries {
		if chosen[e.path] {
			selected = append(selected, e.Scenario)
		}
	}
	return selected, nil
}

func (c *Catalogue) unknown(pattern string) error {
	var names []string
	for _, e := range c.entries {
		names = append(names, e.ID, e.path)
	}
	slices.Sort(names)
	if strings.ContainsAny(pattern, "*?[") {
		return fmt.Errorf("no scenario matches %q: patterns are matched with ids, and with paths such as approval/lost-receipt", pattern)
	}
	if near := fault.Nearest(pattern, slices.Compact(names)); near != "" {
		return fmt.Errorf("unknown scenario %q (did you mean %q?)", pattern, near)
	}
	return fmt.Errorf("unknown scenario %q: lostreceipt list scenarios names them all", pattern)
}
