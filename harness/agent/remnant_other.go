//go:build !linux

package agent

import (
	"time"

	"golang.org/x/sys/unix"
)

// killRemnants kills the process group of an agent whose supervisor is gone.
func killRemnants(_ string, group int, _ time.Duration) {
	if group > 1 {
		_ = unix.Kill(-group, unix.SIGKILL)
	}
}
