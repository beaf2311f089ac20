// Package adapters holds agents to start from, one a language. Each is an
// adapter of a few lines, which is all of the agent protocol, and beside it a
// recovery to be replaced; together they need nothing but the language's
// standard library, and are correct on the catalogue, apart from what [Lacks]
// names.
//
// They are the text that lostreceipt init writes. Their tests run the whole
// catalogue against each.
package adapters

import (
	"embed"
	"slices"
)

//go:embed go/*.go node/*.mjs python/*.py
var sources embed.FS

// Adapter is an agent to start from.
type Adapter struct {
	_ struct{}

	// Lang is the language, as lostreceipt init takes it.
	Lang string
	// Files are its program, the adapter first.
	Files []File
	// Build is the command that makes it ready. Nil: it needs none.
	Build []string
	// Command runs it, in the directory of its file.
	Command []string
	// Setup is the step of a GitHub workflow that installs the language.
	Setup string
}

// File is a file of a program.
type File struct {
	_ struct{}

	Name string
	Text []byte
}

// All are the adapters, by language.
func All() []Adapter {
	program := []string{"adapter.go", "recovery.go", "task.go", "service.go", "handover.go"}
	return []Adapter{
		{
			Lang: "go", Files: files("go", program...),
			Build: append([]string{"go", "build", "-o", "adapter"}, program...), Command: []string{"./adapter"},
		},
		{
			Lang: "node", Files: files("node", "adapter.mjs", "recovery.mjs"), Command: []string{"node", "adapter.mjs"},
			Setup: "actions/setup-node@v4\n        with: {node-version: 22}",
		},
		{
			Lang: "python", Files: files("python", "adapter.py", "recovery.py"), Command: []string{"python3", "adapter.py"},
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
func Lacks() []string { return []string{"decisions", "revise", "several", "model_loop"} }

func files(dir string, names ...string) []File {
	all := make([]File, len(names))
	for i, name := range names {
		text, err := sources.ReadFile(dir + "/" + name)
		if err != nil {
			panic(err) // embedded: the build would have failed
		}
		all[i] = File{Name: name, Text: text}
	}
	return all
}
