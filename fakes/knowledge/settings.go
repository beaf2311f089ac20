package knowledge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// Config is what a knowledge service is opened with.
type Config struct {
	Frame    service.Config
	Settings Settings
}

// Settings say how one knowledge service behaves, a list of tools each. The
// zero value answers everything.
type Settings struct {
	Denies  []string // answered 403 permission
	Missing []string // answered 404 not_found
	Refuses []string // answered 422 bad_arguments, whatever the arguments are
	// Offers are the tools that MCP lists. The others can be called all the same: who does has been told of them by
	// nobody. Nil: all.
	Offers []string
}

func (s Settings) check() error {
	for _, name := range slices.Concat(s.Denies, s.Missing, s.Refuses, s.Offers) {
		if _, ok := tool.Find(name); !ok {
			return fmt.Errorf("there is no tool %q: one of %s", name, strings.Join(tool.Names(), ", "))
		}
	}
	return nil
}
