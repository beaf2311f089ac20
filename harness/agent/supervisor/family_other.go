//go:build !linux

package supervisor

import (
	"syscall"
)

// agentAttr puts the agent into a process group of its own. No death signal
// exists here: the end of the orders' pipe is what ends the agent.
func agentAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// becomeReaper does nothing: orphans go to process 1.
func becomeReaper() error { return nil }

// signalDescendants does nothing: descendants outside the group cannot be found.
func signalDescendants(syscall.Signal, int) {}
