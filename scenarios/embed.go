// Package scenarios holds the catalogue, the contract table and the
// requirements, as data.
package scenarios

import (
	"embed"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/requirement"
)

// Catalogue is every scenario that ships with the harness, a YAML file each.
//
//go:embed approval containers readonly
var Catalogue embed.FS

var (
	//go:embed contract.yaml
	contractText []byte
	//go:embed requirements.yaml
	requirementsText []byte
)

// Contract is the table that ships with the harness.
func Contract() (*contract.Table, error) {
	return contract.Parse("scenarios/contract.yaml", contractText)
}

// Requirements are what the project must show.
func Requirements() (*requirement.List, error) {
	return requirement.Parse("scenarios/requirements.yaml", requirementsText)
}
