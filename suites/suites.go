package suites

import (
	"context"
	"io/fs"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/run"
)

// Options say what runs against which implementation. Agent is required.
type Options struct {
	_ struct{}

	// Agent is the implementation under test, see [Command] and [Function].
	Agent run.Agent
	// Name is the agent's in reports. "": that of its program.
	Name string
	// Lacks are capabilities that the agent does not have, see [scenario.Capabilities]. The scenarios that need one
	// are skipped. Nil: it has all.
	Lacks []string
	// Scenarios is a folder of scenarios. Nil: the catalogue that ships with the harness.
	Scenarios fs.FS
	// Select are ids, paths or globs of scenarios, as lostreceipt run takes them. Nil: all.
	Select []string
	// Contract is the table that is judged by. Nil: the one that ships with the harness.
	Contract *contract.Table
	// Scale multiplies every limit; at 1 an attempt takes at most 8 s. 0: [contract.DefaultScale].
	Scale float64
	// Seed is that of everything that is random in the scenarios. 0: Ginkgo's own, which it prints and which
	// -ginkgo.seed sets.
	Seed uint64
	// Concurrency is how many scenarios run at once. 0: as this machine allows, see [run.Concurrency].
	Concurrency int
	// Out is the directory that takes the report in all formats, and the evidence. What an earlier run left there is
	// taken away. It is seen from the package's directory. "": nothing is written.
	Out string
}

// Command is an agent that is one process a task, started by a program and its
// arguments. The program is looked up in PATH, or seen from the package's
// directory if it has a slash. Use a [run.Command] for another directory or
// environment.
func Command(program string, args ...string) run.Agent {
	return run.Command{Args: append([]string{program}, args...)}
}

// Function is an agent that is a Go function of the test program, see
// [run.Function]. Scenarios that kill or restart the agent's process are
// skipped.
func Function(f func(ctx context.Context, url, token string) error) run.Agent { return run.Function(f) }

// Suite is a declared set of specs.
type Suite struct {
	text    string
	options Options
	at      types.CodeLocation // where it was declared
	stock   stock
	ahead   *ahead
	test    string // name of the Go test that runs it
	// selected are the ids that the preview found to be selected, if there was one; atOnce lets them run ahead.
	selected []string
	atOnce   bool
}

// Describe declares one spec for each scenario, in a container of this text.
// Call it at the top level of a test package, as Ginkgo's own Describe; the
// container takes Ginkgo's decorators. It reads nothing yet: what is wrong with
// the options fails the run.
func Describe(text string, o Options, decorators ...any) *Suite {
	s := &Suite{text: text, options: o, at: types.NewCodeLocation(1), ahead: newAhead(run.All)}
	ginkgo.Describe(text, append([]any{s.at, s.declare}, decorators...)...)
	ginkgo.ReportBeforeSuite(s.prepare)
	ginkgo.ReportAfterSuite(text+": report", s.report)
	return s
}

// RunSpecs runs the specs of the package, those that are no scenarios too, as
// Ginkgo's RunSpecs does, and tells whether all passed. It takes the same
// arguments after the description, which is the suite's text. It fails the
// test at once, before anything runs, when scenarios or options cannot be used,
// a label filter cannot be read, or no scenario is selected.
func (s *Suite) RunSpecs(t testing.TB, args ...any) bool {
	t.Helper()
	s.test = t.Name()
	defer s.ahead.stop()
	if err := s.plan(args); err != nil {
		t.Fatal(err)
	}
	gomega.RegisterFailHandler(ginkgo.Fail)
	return ginkgo.RunSpecs(t, s.text, args...)
}

// Await returns what came of a scenario. It runs it if it does not run yet,
// unless ctx ends first. For specs of your own, with the matchers of this
// package.
func (s *Suite) Await(ctx context.Context, id string) (run.Result, error) {
	if err := s.load(); err != nil {
		return run.Result{}, err
	}
	if s.atOnce {
		s.ahead.launch(s.selected)
	}
	return s.ahead.await(ctx, id)
}
