// Package suites runs scenarios as Ginkgo specs, one spec a scenario, in a
// team's own repository and in this one:
//
//	package recovery_test
//
//	import (
//		"testing"
//
//		. "github.com/onsi/ginkgo/v2"
//
//		"github.com/lostreceipt/lostreceipt/suites"
//	)
//
//	var recovery = suites.Describe("Our purchase agent", suites.Options{
//		Agent: suites.Command("python3", "../agent/adapter.py"),
//		Out:   "lostreceipt-out",
//	}, Label("recovery"))
//
//	func TestRecovery(t *testing.T) { recovery.RunSpecs(t) }
//
// That is the whole file. It runs by go test and by the ginkgo command, alone
// or with other specs of the package:
//
//	go test .
//	go test . -ginkgo.label-filter 'C1 && !kill'
//	go test . -ginkgo.label-filter lost-receipt-reset -ginkgo.seed 17
//	ginkgo -procs 2 .
//
// A spec is named by its scenario's title; its labels are the scenario's id,
// the requirements that it covers, and its own labels. (The ginkgo command
// takes a package for a Ginkgo suite if a test file imports Ginkgo.)
//
// # What a spec shows
//
// A spec passes if and only if its scenario's verdict is a pass. A violation
// fails with the findings, told for people; a scenario whose fault did not
// fire, that could not be judged, or in which the harness failed, fails with
// the reasons. A scenario that needs what the agent does not have is skipped
// by name. A suite that selects no scenario fails, and so does one of which
// none applies: a run that tests nothing is not green.
//
// # When scenarios run
//
// A scenario spends its time waiting, and Ginkgo runs one spec after another.
// So in one process all selected scenarios run at once, from the moment when
// the first spec of the suite begins, and each spec awaits its own. Whatever
// BeforeSuite prepares, the agent's build say, is done by then. With several
// processes (-procs) each runs what it is handed, when it is handed it, which
// takes longer: the whole is known to none of them. Either way a scenario runs
// once: -ginkgo.flake-attempts asks for the same verdict
// again and cannot wash it.
//
// [Suite.RunSpecs] first previews the specs to know which are selected; the
// preview calls reporting nodes, as Ginkgo's dry run does. With Ginkgo's own
// RunSpecs instead, every spec runs its scenario when its turn comes.
//
// # An agent that is a Go function
//
// It needs no process: the suite calls it with the address and the token that a
// process would find in its environment.
//
//	suites.Options{Agent: suites.Function(func(ctx context.Context, url, token string) error {
//		return recovery.Serve(ctx, url, token) // until there is no more work (410), or ctx ends
//	})}
//
// suites/example is such a module, with a go.mod of its own.
//
// # Processes
//
// The agent's processes are supervised by this program, started again: see
// harness/agent/supervisor.
package suites
