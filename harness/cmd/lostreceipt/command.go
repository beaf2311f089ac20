package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// verbs are what the command line can be asked.
type verbs struct {
	Run      runVerb      `cmd:"" help:"Run scenarios against an agent and judge what it did."`
	Judge    judgeVerb    `cmd:"" help:"Judge the stored histories of a run again."`
	Rerun    rerunVerb    `cmd:"" help:"Run one stored scenario again: same text, contract, limits and seed."`
	Selftest selftestVerb `cmd:"" help:"Prove that the judge bites: correct designs are clean, and every defect is found by the rule made for it."`
	Gate     gateVerb     `cmd:"" help:"Decide whether a report is good enough for a release."`
	Report   reportVerb   `cmd:"" help:"Join the reports of shards, or draw a report again."`
	Coverage coverageVerb `cmd:"" help:"Show which scenarios, rules and defects show each requirement; a gap is exit status 1."`
	List     listVerb     `cmd:"" help:"List scenarios, rules, defects, designs, effects, rows or requirements."`
	Validate validateVerb `cmd:"" help:"Check scenario files."`
	Explain  explainVerb  `cmd:"" help:"Say in words what a scenario breaks, where, and what is allowed."`
	New      newVerb      `cmd:"" help:"Write a scenario to start from."`
	Schema   schemaVerb   `cmd:"" help:"Print the JSON Schema of scenario files."`
	Docs     docsVerb     `cmd:"" help:"Write the reference pages as Markdown."`
	Init     initVerb     `cmd:"" help:"Write an agent to start from, in Go, Python or Node, with configuration, gate policy and CI workflow."`
	Agent    agentVerb    `cmd:"" help:"Be the built-in reference agent, or a known-bad variant of it."`
	Stack    stackVerb    `cmd:"" help:"Serve a fake service in a process of its own."`
	Version  versionVerb  `cmd:"" help:"Print version, commit, and the digests of contract and catalogue."`
}

// The exit statuses that no verdict gives.
const (
	statusUsage       = 3
	statusHarness     = 4
	statusInterrupted = 130
)

// exit ends the command with a status of its own. Its text has been said.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usage is a mistake of whoever called: exit status 3.
type usage struct{ error }

func (u usage) Unwrap() error { return u.error }

func misuse(format string, args ...any) error { return usage{fmt.Errorf(format, args...)} }

// invocation is what every verb is given.
type invocation struct {
	ctx     context.Context // ends with the first SIGINT or SIGTERM, of a verb that has something to finish
	out     io.Writer       // standard output
	err     io.Writer       // standard error
	command []string        // what stood after --
	dashed  bool            // there was a --
}

// command runs one command line and returns the exit status.
func command(args []string, stdout, stderr io.Writer) (status int) {
	in := &invocation{out: stdout, err: stderr}
	if i := slices.Index(args, "--"); i >= 0 {
		args, in.command, in.dashed = args[:i], args[i+1:], true
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case exit: // kong has shown its help
			status = int(p)
		default:
			panic(p)
		}
	}()
	parser, err := kong.New(&verbs{}, kong.Name("lostreceipt"),
		kong.Description("Proves, or disproves, that an agent's recovery never does anything twice."),
		kong.Writers(stdout, stderr), kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.UsageOnError())
	if err != nil {
		say(stderr, "lostreceipt: %v\n", err)
		return statusHarness
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		say(stderr, "lostreceipt: %v\nlostreceipt --help lists the verbs, lostreceipt VERB --help their flags.\n", err)
		return statusUsage
	}
	if verb := parsed.Selected().Name; in.dashed && verb != "run" && verb != "rerun" {
		say(stderr, "lostreceipt %s: takes no command after --; run and rerun do\n", verb)
		return statusUsage
	}
	told := stderr
	if parsed.Selected().Name == "agent" {
		told = io.Discard // it saves nothing, and whoever runs it knows
	}
	var release func()
	in.ctx, release = interrupts(told, slices.Contains(finishing, parsed.Selected().Name))
	defer release()
	return in.finish(parsed.Run(in))
}

// finish makes an exit status of how a verb ended.
func (in *invocation) finish(err error) int {
	var code exit
	var wrong usage
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &wrong):
		say(in.err, "lostreceipt: %s\n", strings.TrimRight(err.Error(), "\n"))
		return statusUsage
	default:
		say(in.err, "lostreceipt: %s\n", strings.TrimRight(err.Error(), "\n"))
		return statusHarness
	}
}

// say tells people something. Where nobody can be told the verb goes on: its
// exit status and what it writes to disk say the same.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }
