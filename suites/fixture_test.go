package suites_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/suites"
)

// What a child process is told by its environment.
const (
	fixtureName = "SUITES_FIXTURE"     // which of the fixtures to be
	fixtureOut  = "SUITES_FIXTURE_OUT" // Options.Out
)

// fixtures are suites of which most are broken on purpose.
func fixtures() map[string]suites.Options {
	return map[string]suites.Options{
		"defect":         {Agent: builtIn("", "new-key"), Select: []string{"lost-receipt-reset"}},
		"quiet defect":   {Agent: builtIn("", "exits-at-once"), Select: []string{"no-fault"}},
		"vacuous":        {Agent: builtIn("", ""), Scenarios: file("never-fires.yaml", neverFires)},
		"misspelt":       {Agent: builtIn("", ""), Scenarios: file("misspelt.yaml", misspelt)},
		"panic":          {Agent: panics{builtIn("", ""), "refused"}, Select: []string{"refused", "no-fault"}},
		"lacks":          {Agent: builtIn("", ""), Select: []string{"cancel-late-receipt", "no-fault"}, Lacks: []string{"withdraw"}},
		"lacks all":      {Agent: builtIn("", ""), Select: []string{"cancel-late-receipt"}, Lacks: []string{"withdraw"}},
		"lacks nonsense": {Agent: builtIn("", ""), Lacks: []string{"withdrew"}},
		"no agent":       {},
		"no program":     {Agent: suites.Command("there-is-no-such-program"), Select: []string{"no-fault"}},
		"pair":           {Agent: builtIn("", ""), Select: []string{"refused", "stopped"}, Name: "ours", Seed: 7},
		"meeting":        {Agent: meets{builtIn("", ""), newMeeting(2)}, Select: []string{"refused", "stopped"}},
		"long":           {Agent: builtIn("", "does-nothing"), Select: []string{"no-fault"}, Scale: 10},
	}
}

const neverFires = `
id: never-fires
title: Nothing is withdrawn, so no withdrawal can break
covers: [B30]
task: purchase-approval
faults:
  - at: approval.submit#1 replied
    do: reset
  - at: approval.withdraw#1 replied
    do: reset
expect:
  ends: [completed]
`

const misspelt = `
id: misspelt
title: An effect is misspelt
task: purchase-approval
faults:
  - at: approval.submit#1 replied
    do: rest
expect:
  ends: [completed]
`

func file(name, text string) fs.FS { return fstest.MapFS{name: {Data: []byte(text[1:])}} }

// panics is an agent that panics when one scenario begins.
type panics struct {
	run.Agent
	scenario string
}

func (p panics) Open(log *history.Log) (run.Crew, error) {
	if log.Records()[0].Run.Scenario == p.scenario {
		panic("the adapter's map is nil")
	}
	return p.Agent.Open(log)
}

// meets is an agent of which several must be opened before any goes on.
type meets struct {
	run.Agent
	*meeting
}

type meeting struct {
	missing atomic.Int32
	all     chan struct{}
}

func newMeeting(n int32) *meeting {
	m := &meeting{all: make(chan struct{})}
	m.missing.Store(n)
	return m
}

func (m meets) Open(log *history.Log) (run.Crew, error) {
	if m.missing.Add(-1) == 0 {
		close(m.all)
	}
	select {
	case <-m.all:
		return m.Agent.Open(log)
	case <-time.After(time.Minute):
		return nil, errors.New("nobody else came")
	}
}

// TestFixture is the child process.
func TestFixture(t *testing.T) {
	options, ok := fixtures()[os.Getenv(fixtureName)]
	if !ok {
		t.Skip("for the child processes of other tests")
	}
	options.Out = os.Getenv(fixtureOut)
	globals.Reset() // the catalogue is declared already
	suites.Describe("A fixture", options, Label("fixture")).RunSpecs(t)
}

// played is a child process and what it left.
type played struct {
	child   *exec.Cmd
	out     string // directory of its report
	started chan struct{}
	done    chan struct{}
	output  string // once done
	err     error
}

// slots bound how many children run at once. They mostly wait, so there may be
// more than go test runs tests at once.
var slots = make(chan struct{}, 6)

// children counts the children that are to run or run.
var children atomic.Int32

// play runs a fixture in a child process, with flags of Ginkgo's.
func play(t *testing.T, name string, flags ...string) *played {
	t.Helper()
	self, err := os.Executable()
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	p := prepare(t, name, exec.Command(self, append([]string{"-test.run=^TestFixture$", "-ginkgo.no-color"}, flags...)...))
	p.start(t)
	<-p.done
	return p
}

func prepare(t *testing.T, name string, child *exec.Cmd) *played {
	t.Helper()
	if config, _ := GinkgoConfiguration(); config.ParallelProcess > 1 {
		t.Skip("the first of Ginkgo's processes does it")
	}
	p := &played{child: child, out: t.TempDir(), started: make(chan struct{}), done: make(chan struct{})}
	child.Env = append(os.Environ(), fixtureName+"="+name, fixtureOut+"="+p.out)
	return p
}

// start starts the child as soon as there is room, and lets other tests go on.
func (p *played) start(t *testing.T) {
	t.Helper()
	children.Add(1)
	go func() {
		defer children.Add(-1)
		defer close(p.done)
		slots <- struct{}{}
		defer func() { <-slots }()
		var output bytes.Buffer
		p.child.Stdout, p.child.Stderr = &output, &output
		p.err = p.child.Start()
		close(p.started)
		if p.err != nil {
			return
		}
		last := time.AfterFunc(time.Minute, func() { _ = p.child.Process.Kill() }) // what tests check is then wrong
		defer last.Stop()
		p.err = p.child.Wait()
		p.output = output.String()
	}()
	t.Cleanup(func() { <-p.done })
	t.Parallel()
}

// says checks how a child ended and what it printed.
func (p *played) says(t *testing.T, status int, texts ...string) {
	t.Helper()
	<-p.done
	g := NewWithT(t)
	for _, text := range texts {
		g.Expect(p.output).To(ContainSubstring(text))
	}
	g.Expect(p.child.ProcessState.ExitCode()).To(Equal(status), "%v\n%s", p.err, p.output)
}
