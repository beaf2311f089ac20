package suites_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/run"
)

// agentArg makes this program play the reference agent, so that nothing has to
// be built before the suite runs.
const agentArg = "__agent"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == agentArg {
		if err := fakeagent.Run(context.Background(), fakeagent.Options{Design: os.Args[2], Defect: os.Args[3], Log: os.Stderr}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // or every process of the agent would sleep a second, under the race detector
	os.Exit(m.Run())
}

// builtIn is the reference agent, or a variant of it, in a process of its own.
func builtIn(design, defect string) run.Agent {
	self, err := run.Self(agentArg, design, defect)
	if err != nil {
		panic(err)
	}
	return self
}
