// Package recovery_test is what a team writes in its own module: a suite over
// the catalogue, of an agent that is a Go function.
package recovery_test

import (
	"context"
	"testing"

	. "github.com/onsi/ginkgo/v2"

	"github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/suites"
)

var recovery = suites.Describe("Our purchase agent", suites.Options{
	Agent:  suites.Function(serve),
	Name:   "ours",
	Select: []string{"no-fault", "approval/lost-receipt-*", "approval/lost-request-*", "stale-empty-late-success", "cancel-late-receipt", "killed-twice"},
}, Label("recovery"))

// serve stands for the team's own recovery. Here it is the one that ships with
// the harness.
func serve(ctx context.Context, url, token string) error {
	return agent.Run(ctx, agent.Options{URL: url, Token: token})
}

func TestRecovery(t *testing.T) { recovery.RunSpecs(t) }
