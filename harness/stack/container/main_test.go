package container_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/stack/container"
)

// require is set where a Docker engine must be there: then nothing is skipped.
const require = "LOSTRECEIPT_REQUIRE_DOCKER"

// binary is the program that images are made of; "": there is no engine.
var binary, missing string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "lostreceipt-")
	if err == nil {
		err = build(dir)
	}
	code, before := 1, onEngine()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
		if after := onEngine(); after != before {
			fmt.Fprintf(os.Stderr, "the tests left something on the Docker engine, or took something away.\nbefore:\n%s\nafter:\n%s\n", before, after)
			code = 1
		}
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func build(dir string) error {
	if err := container.Usable(context.Background()); err != nil {
		missing = err.Error()
		return nil
	}
	binary = filepath.Join(dir, "lostreceipt")
	cmd := exec.Command("go", "build", "-o", binary, "github.com/lostreceipt/lostreceipt/harness/cmd/lostreceipt")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program for the image: %w\n%s", err, out)
	}
	return nil
}

// onEngine is all that there is on the engine, images apart.
func onEngine() string {
	var all string
	for _, list := range [][]string{{"ps", "-aq"}, {"network", "ls", "-q"}, {"volume", "ls", "-q"}} {
		out, err := exec.Command("docker", list...).CombinedOutput()
		if err != nil && missing == "" {
			return err.Error() + string(out)
		}
		all += strings.Join(list, " ") + ":\n" + string(out)
	}
	return all
}

// needsEngine skips a test where there is no Docker engine, unless there must
// be one.
func needsEngine(t *testing.T) {
	t.Helper()
	switch {
	case missing == "":
	case os.Getenv(require) != "":
		t.Fatalf("%s is set, and %s", require, missing)
	default:
		t.Skipf("%s (set %s where there must be one)", missing, require)
	}
}
