package run

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
)

// panicName is the file of the evidence that holds the stack of a panic.
const panicName = "panic.txt"

// panicked says that something of a job panicked, and keeps the stack with its
// evidence.
func panicked(j Job, p any) string {
	stack := debug.Stack()
	if j.Dir == "" {
		return fmt.Sprintf("panic: %v\n%s", p, stack)
	}
	text := fmt.Appendf(nil, "panic: %v\n\n%s", p, stack)
	if err := os.WriteFile(filepath.Join(string(j.Dir), panicName), text, 0o644); err != nil {
		return fmt.Sprintf("panic: %v\n%s\n%v", p, stack, err)
	}
	return fmt.Sprintf("panic: %v (its stack stands in %s)", p, panicName)
}
