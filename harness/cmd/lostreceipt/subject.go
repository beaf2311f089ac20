package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// agentFlags say which agent is run.
type agentFlags struct {
	Reference bool   `help:"Run the built-in reference agent instead of a command."`
	Design    string `help:"The design of the reference agent, see lostreceipt list designs." placeholder:"NAME"`
	Defect    string `help:"A defect of the reference agent, see lostreceipt list defects." placeholder:"NAME"`
}

// subject is the implementation under test, as it is run and as it is reported.
type subject struct {
	agent  run.Agent
	report reports.Agent
	flags  []string // that name it on a command line
	args   []string // the command after --
	close  func()   // ends what is shared by its runs
}

// redacted stands for a secret on a reported command line.
const redacted = "[redacted]"

// subject finds out which agent is meant.
func (f agentFlags) subject(command []string) (subject, error) {
	if f.Reference || f.Design != "" || f.Defect != "" {
		if len(command) > 0 {
			return subject{}, misuse("--reference, --design and --defect run the built-in agent, and there is a command after -- as well: take one of them away")
		}
		return reference(f.Design, f.Defect)
	}
	if len(command) == 0 {
		return subject{}, misuse("no agent to run: name its command after --, for example\n" +
			"    lostreceipt run -- python3 adapter.py\n" +
			"or try the built-in one with --reference")
	}
	c := run.Command{Args: command}
	if err := c.Check(); err != nil {
		return subject{}, usage{err}
	}
	return subject{
		agent: c, args: command, close: func() {},
		report: reports.Agent{Name: filepath.Base(nameOf(command)), Kind: reports.KindCommand, Command: redact(command)},
	}, nil
}

// reference is the built-in agent: this program again.
func reference(design, defect string) (subject, error) {
	if design == "" {
		design = fakeagent.Reference
	}
	if err := known("design", design, fakeagent.Designs()); err != nil {
		return subject{}, err
	}
	s := subject{flags: []string{"--reference"}, close: func() {}, report: reports.Agent{Name: design, Kind: reports.KindReference, Design: design, Defect: defect}}
	args := []string{"agent"}
	if design != fakeagent.Reference {
		args, s.flags = append(args, "--design", design), append(s.flags, "--design", design)
	}
	if defect != "" {
		if err := known("defect", defect, fakeagent.Defects()); err != nil {
			return subject{}, err
		}
		s.report.Name += " with " + defect
		args, s.flags = append(args, "--defect", defect), append(s.flags, "--defect", defect)
	}
	self, err := run.Self(args...)
	if err != nil {
		return subject{}, err
	}
	s.agent = self
	return s, nil
}

func known(what, name string, all []fakeagent.Info) error {
	var names []string
	for _, info := range all {
		if info.Name == name {
			return nil
		}
		names = append(names, info.Name)
	}
	if near := fault.Nearest(name, names); near != "" {
		return misuse("unknown %s %q (did you mean %q?)", what, name, near)
	}
	return misuse("unknown %s %q: lostreceipt list %ss names them all", what, name, what)
}

// nameOf is the part of a command line that tells what runs: the script rather
// than its interpreter.
func nameOf(command []string) string {
	interpreters := []string{"python", "python3", "node", "deno", "bun", "ruby", "perl", "java", "sh", "bash", "go", "npx", "uv"}
	if slices.Contains(interpreters, filepath.Base(command[0])) {
		for _, arg := range command[1:] {
			if !strings.HasPrefix(arg, "-") && arg != "run" {
				return arg
			}
		}
	}
	return command[0]
}

// repeat is the command that runs scenarios again.
func (s subject) repeat(scenarios []string, flags ...string) string {
	return quoted(slices.Concat([]string{"lostreceipt", "run"}, scenarios, flags)) + " " + s.tail()
}

// tail is the end of a command line, which names the agent.
func (s subject) tail() string {
	words := slices.Clone(s.flags)
	if len(s.args) > 0 {
		words = append(append(words, "--"), redact(s.args)...)
	}
	return quoted(words)
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = quote(w)
	}
	return strings.Join(out, " ")
}

// isPlain tells whether no shell does anything with this character.
func isPlain(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_./:=@%+,-", c)
}

// quote makes one word of a shell's command line.
func quote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool { return !isPlain(c) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// isSecret tells whether a flag or a variable of this name holds a secret.
func isSecret(name string) bool {
	name = strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
	return slices.ContainsFunc([]string{"token", "secret", "password", "passwd", "apikey", "credential"}, func(s string) bool {
		return strings.Contains(name, s)
	})
}

// redact takes secrets out of a command line that is reported: the values of
// flags and variables whose names say so.
func redact(args []string) []string {
	out := slices.Clone(args)
	for i, arg := range args {
		name, _, assigned := strings.Cut(arg, "=")
		switch {
		case !isSecret(name):
		case assigned:
			out[i] = name + "=" + redacted
		case strings.HasPrefix(arg, "-") && i+1 < len(args):
			out[i+1] = redacted
		}
	}
	return out
}

func isRedacted(arg string) bool { return strings.Contains(arg, redacted) }

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
