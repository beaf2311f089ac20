// Package scenarios holds the catalogue and the contract table, as data.
package scenarios

import (
	"embed"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Catalogue is every scenario that ships with the harness, a YAML file each.
//
//go:embed approval
var Catalogue embed.FS

//go:embed contract.yaml
var contractText []byte

// Contract is the table that ships with the harness.
func Contract() (*contract.Table, error) {
	return contract.Parse("scenarios/contract.yaml", contractText)
}
