package container_test

import (
	"os"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/stack/container/containertest"
)

func TestMain(m *testing.M) { os.Exit(containertest.Main(m)) }
