package containers_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/stack/container"
)

// require is set where a Docker engine must be there: then nothing is skipped.
const require = "LOSTRECEIPT_REQUIRE_DOCKER"

// binary is the command; missing says why there are no containers.
var binary, missing string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "lostreceipt-")
	if err == nil {
		err = build(dir)
	}
	code, before := 1, strangers()
	earlier, _ := container.Left(context.Background()) // without an engine there is nothing
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
		if err := leftovers(before, earlier); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func build(dir string) error {
	if missing = unusable(); missing != "" {
		return nil
	}
	binary = filepath.Join(dir, "lostreceipt")
	cmd := exec.Command("go", "build", "-o", binary, "github.com/lostreceipt/lostreceipt/harness/cmd/lostreceipt")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the command: %w\n%s", err, out)
	}
	return nil
}

// unusable says why there is no engine.
func unusable() string {
	if err := container.Usable(context.Background()); err != nil {
		return err.Error()
	}
	return ""
}

// strangers are all that is on the engine and not ours, images apart. What is
// ours may be another package's, which is tested at the same time.
func strangers() string {
	if missing != "" {
		return ""
	}
	var all []string
	for _, list := range [][]string{
		{"ps", "-a", "--format", "container {{.ID}} {{.Labels}}"},
		{"network", "ls", "--format", "network {{.ID}} {{.Labels}}"},
		{"volume", "ls", "--format", "volume {{.Name}} {{.Labels}}"},
	} {
		out, err := exec.Command("docker", list...).CombinedOutput()
		if err != nil {
			return err.Error() + string(out)
		}
		for line := range strings.Lines(string(out)) {
			if !strings.Contains(line, container.Label) {
				all = append(all, line)
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// leftovers says what the tests left on the engine, or took from others.
func leftovers(before string, earlier []string) error {
	if missing != "" {
		return nil
	}
	if after := strangers(); after != before {
		return fmt.Errorf("the tests left something on the Docker engine, or took something away.\nbefore:\n%s\nafter:\n%s", before, after)
	}
	left, err := container.Left(context.Background())
	left = slices.DeleteFunc(left, func(name string) bool { return slices.Contains(earlier, name) })
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("the tests left on the Docker engine: %s", strings.Join(left, ", "))
	}
	return err
}

// needsEngine skips a test where there is no Docker engine, unless there must
// be one.
func needsEngine(t *testing.T) {
	t.Helper()
	switch {
	case raced:
		t.Skip("the commands that are compared are built without the race detector: it would see nothing")
	case missing == "":
	case os.Getenv(require) != "":
		t.Fatalf("%s is set, and %s", require, missing)
	default:
		t.Skipf("%s (set %s where there must be one)", missing, require)
	}
}
