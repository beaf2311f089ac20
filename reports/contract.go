package reports

import (
	"slices"
	"strconv"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// ContractOf is what a report says of a table.
func ContractOf(t *contract.Table) Contract {
	c := Contract{Version: strconv.Itoa(t.Version), Digest: t.Digest}
	for _, r := range t.Rows {
		row := Row{ID: r.ID, Summary: r.Summary, Must: r.Must}
		for _, p := range r.Allow {
			if !slices.Contains(row.Allow, string(p.Action)) {
				row.Allow = append(row.Allow, string(p.Action))
			}
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// CatalogueOf is what a report says of the scenarios from which some were
// selected.
func CatalogueOf(all []*scenario.Scenario) Catalogue {
	c := Catalogue{Digest: scenario.Digest(all), Count: len(all)}
	for _, s := range all {
		c.IDs = append(c.IDs, s.ID)
	}
	slices.Sort(c.IDs)
	return c
}
