package judge_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws the same histories in every run unless a seed is named, so
// that a failure is one of the code and not of the draw. To look for new ones:
//
//	go test ./harness/judge -run 'Lawful|OneUnlawful' -rapid.seed=0 -rapid.checks=10000
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": "20261129", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	flag.Parse() // what stands on the command line has the last word
	os.Exit(m.Run())
}
