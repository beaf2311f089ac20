// Package containertest is what the tests of containers have in common: the
// program that images are made of, a skip where there is no Docker engine, and
// the proof that a package's tests leave the engine as they found it.
//
//	func TestMain(m *testing.M) { os.Exit(containertest.Main(m)) }
package containertest

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

// binary is the program; missing says why there are no containers.
var binary, missing string

// Main runs the tests of a package and returns the exit status. The program is
// built first. What the tests leave on the engine, or
// take from it, fails them.
func Main(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "lostreceipt-")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = build(dir)
	}
	before := strangers()
	earlier, _ := container.Left(context.Background()) // without an engine there is nothing
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code = m.Run()
	if err := leftovers(before, earlier); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// Program is the path of the command, built without C.
func Program() string { return binary }

func build(dir string) error {
	missing = unusable()
	binary = filepath.Join(dir, "lostreceipt")
	cmd := exec.Command("go", "build", "-o", binary, "github.com/lostreceipt/lostreceipt/harness/cmd/lostreceipt")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
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

// NeedEngine skips a test where there is no Docker engine, unless there must be
// one.
func NeedEngine(t testing.TB) {
	t.Helper()
	switch {
	case missing == "":
	case os.Getenv(require) != "":
		t.Fatalf("%s is set, and %s", require, missing)
	default:
		t.Skipf("%s (set %s where there must be one)", missing, require)
	}
}
