// Package adapters holds agents to start from, one a language: each is a single
// file that needs nothing but the language's standard library, and is correct
// on the catalogue, apart from what [Lacks] names.
//
// They are the text that lostreceipt init writes. Their tests run the basic part
// of the catalogue against each.
package adapters

import (
	"embed"
	"slices"
)

//go:embed go/main.go node/adapter.mjs python/adapter.py
var sources embed.FS

// Adapter is an agent to start from.
type Adapter struct {
	_ struct{}

	// Lang is the language, as lostreceipt init takes it.
	Lang string
	// File is the name that its text is written under.
	File string
	// Build is the command that makes it ready. Nil: it needs none.
	Build []string
	// Command runs it, in the directory of its file.
	Command []string
	// Setup is the step of a GitHub workflow that installs the language.
	Setup string
	// Text is the program.
	Text []byte
}

// All are the adapters, by language.
func All() []Adapter {
	return []Adapter{
		{
			Lang: "go", File: "adapter.go", Text: text("go/main.go"),
			Build: []string{"go", "build", "-o", "adapter", "adapter.go"}, Command: []string{"./adapter"},
		},
		{
			Lang: "node", File: "adapter.mjs", Text: text("node/adapter.mjs"), Command: []string{"node", "adapter.mjs"},
			Setup: "actions/setup-node@v4\n        with: {node-version: 22}",
		},
		{
			Lang: "python", File: "adapter.py", Text: text("python/adapter.py"), Command: []string{"python3", "adapter.py"},
			Setup: "actions/setup-python@v5\n        with: {python-version: \"3.x\"}",
		},
	}
}

// Named is the adapter of a language.
func Named(lang string) (Adapter, bool) {
	all := All()
	i := slices.IndexFunc(all, func(a Adapter) bool { return a.Lang == lang })
	if i < 0 {
		return Adapter{}, false
	}
	return all[i], true
}

// Lacks are the capabilities that no adapter has.
func Lacks() []string { return []string{"decisions", "revise", "several"} }

func text(name string) []byte {
	b, err := sources.ReadFile(name)
	if err != nil {
		panic(err) // embedded: the build would have failed
	}
	return b
}
