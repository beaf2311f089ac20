package containers_test

import (
	"os"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/stack/container/containertest"
)

func TestMain(m *testing.M) { os.Exit(containertest.Main(m)) }

// needsEngine skips a test where there are no containers, or where the race
// detector would see nothing.
func needsEngine(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("the commands that are compared are built without the race detector: it would see nothing")
	}
	containertest.NeedEngine(t)
}
