package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Launch is one process to start.
type Launch struct {
	_ struct{}

	Process string   // its id in the history: p-1, p-2, ...
	Task    string   // whose output it adds to
	URL     string   // LOSTRECEIPT_URL
	Token   string   // LOSTRECEIPT_TOKEN
	Env     []string // in place of variables of these names, for a library may read the first of two

	// Record takes the records of this process instead of the runner's log. It must not call the process.
	Record func(history.Record)
	// Output takes what it prints instead of the output that the runner keeps for the task.
	Output *Output
}

const (
	prefix  = "LOSTRECEIPT_"
	marking = prefix + "RUN" // marks the processes of one launch
)

// environment makes the agent's environment.
func environment(base []string, l Launch, mark string) []string {
	noProxy := map[string]string{"NO_PROXY": "", "no_proxy": ""}
	own := map[string]bool{}
	for _, entry := range l.Env {
		name, _, _ := strings.Cut(entry, "=")
		own[name] = true
	}
	var env []string
	for _, entry := range base {
		name, value, _ := strings.Cut(entry, "=")
		if _, ok := noProxy[name]; ok {
			noProxy[name] = value
			continue
		}
		if !strings.HasPrefix(name, prefix) && !own[name] {
			env = append(env, entry)
		}
	}
	for _, name := range []string{"NO_PROXY", "no_proxy"} {
		value := noProxy[name]
		if value != "" {
			value += ","
		}
		env = append(env, name+"="+value+"127.0.0.1,localhost,::1")
	}
	env = append(env, prefix+"URL="+l.URL, prefix+"TOKEN="+l.Token, mark)
	return append(env, l.Env...)
}

// findProgram resolves the agent's program to an absolute path.
func findProgram(command []string) (string, error) {
	if len(command) == 0 || command[0] == "" {
		return "", errors.New("agent: no command: name the agent's program after --, for example: -- python3 adapter.py")
	}
	path, err := exec.LookPath(command[0])
	if err == nil || errors.Is(err, exec.ErrDot) {
		if path, err = filepath.Abs(path); err == nil {
			return path, nil
		}
	}
	switch {
	case !strings.Contains(command[0], "/"):
		hint := ""
		if _, err := os.Stat(command[0]); err == nil {
			hint = fmt.Sprintf(" (there is one in the working directory: write ./%s)", command[0])
		}
		return "", fmt.Errorf("agent: command %q: no such program in any of the %d directories of PATH%s: install it, or give its path",
			command[0], len(filepath.SplitList(os.Getenv("PATH"))), hint)
	case errors.Is(err, fs.ErrPermission):
		return "", fmt.Errorf("agent: command %q: it is not executable: chmod +x it, or start it with its interpreter, for example: -- python3 %s",
			command[0], command[0])
	default:
		dir, _ := os.Getwd()
		return "", fmt.Errorf("agent: command %q: there is no such file, seen from %s: check the path: %w", command[0], dir, err)
	}
}
