package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lostreceipt/lostreceipt/suites/adapters"
)

type initVerb struct {
	Lang string `required:"" enum:"go,python,node" help:"The language of the adapter: go, python or node." placeholder:"LANG"`
	Dir  string `arg:"" optional:"" default:"." help:"Where the files are written. Default: here."`
}

// Help is the worked example.
func (initVerb) Help() string {
	return `Example: an agent to start from, with its configuration, a gate policy and a CI workflow:

    lostreceipt init --lang python my-agent

It passes as it stands. Nothing is overwritten. The workflow is meant for the root of a repository.`
}

// Run runs the verb.
func (v *initVerb) Run(in *invocation) error {
	adapter, ok := adapters.Named(v.Lang)
	if !ok {
		return misuse("--lang %s: there is no adapter in that language", v.Lang)
	}
	name := "my-agent"
	if dir, err := filepath.Abs(v.Dir); err == nil && v.Dir != "." {
		name = filepath.Base(dir)
	}
	files := starter(adapter, name)
	for _, f := range files {
		switch _, err := os.Lstat(filepath.Join(v.Dir, f.name)); {
		case err == nil:
			return misuse("%s is there already: take another directory, or move it away; nothing was written", filepath.Join(v.Dir, f.name))
		case !errors.Is(err, fs.ErrNotExist):
			return usage{err}
		}
	}
	for _, f := range files {
		if err := f.write(v.Dir); err != nil {
			return usage{err}
		}
		say(in.out, "%s\n", filepath.Join(v.Dir, f.name))
	}
	var next []string
	if v.Dir != "." {
		next = append(next, "cd "+quote(v.Dir))
	}
	if adapter.Build != nil {
		next = append(next, strings.Join(adapter.Build, " "))
	}
	_, err := fmt.Fprintf(in.out, "\nNext:\n\n    %s\n", strings.Join(append(next, "lostreceipt run no-fault"), " && "))
	return err
}

// file is a file to be written.
type file struct{ name, text string }

// write makes a file that is not there yet.
func (f file) write(dir string) error {
	path := filepath.Join(dir, filepath.FromSlash(f.name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = out.WriteString(f.text)
	return errors.Join(err, out.Close())
}

// starter are the files of an agent to start from.
func starter(a adapters.Adapter, name string) []file {
	var lacks strings.Builder
	for _, capability := range adapters.Lacks() {
		fmt.Fprintf(&lacks, "  %s: false\n", capability)
	}
	config := fmt.Sprintf(`agent:
  name: %q
  command: [%s]   # what lostreceipt run starts when nothing stands after --
# What the agent cannot do. Such scenarios are not applicable, by name, and never count as passed. Absent means true.
capabilities:
%s`, name, strings.Join(a.Command, ", "), lacks.String())
	policy := fmt.Sprintf(`# What a report must prove before a release: lostreceipt gate lostreceipt-out --policy gate.yaml
agent:
  name: %q
allow:
  undetermined: 0
  vacuous: 0
  not_applicable: [%s]   # take a capability out when the agent has it
waivers: []
`, name, strings.Join(adapters.Lacks(), ", "))
	var files []file
	for _, f := range a.Files {
		files = append(files, file{f.Name, string(f.Text)})
	}
	return append(files, file{configName, config}, file{policyName, policy}, file{".github/workflows/lostreceipt.yml", workflow(a)})
}

// workflow runs the whole catalogue and holds its report against the policy.
func workflow(a adapters.Adapter) string {
	setup, build := "", ""
	if a.Setup != "" {
		setup = "      - uses: " + a.Setup + "\n"
	}
	if a.Build != nil {
		build = "      - run: " + strings.Join(a.Build, " ") + "\n"
	}
	return `name: lostreceipt
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  recovery:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-go@v5
        with: {go-version: stable}
` + setup + `      - run: go install github.com/lostreceipt/lostreceipt/harness/cmd/lostreceipt@` + release() + `
` + build + `      # The gate decides, by the policy: what is waived or allowed there must not fail the job here. On a machine that
      # is too slow for its verdicts, give everything more time: lostreceipt run --time-scale 0.2
      - run: lostreceipt run
        continue-on-error: true
      - run: lostreceipt gate lostreceipt-out --policy gate.yaml
      - run: cat lostreceipt-out/summary.md >> "$GITHUB_STEP_SUMMARY"
        if: always()
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: lostreceipt-out
          path: lostreceipt-out
`
}

// release is the version that a workflow installs: this one, if it has a name.
func release() string {
	if v := build().Version; strings.HasPrefix(v, "v") && !strings.Contains(v, "+") {
		return v
	}
	return "latest"
}
