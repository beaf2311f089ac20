package agent

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lostreceipt/lostreceipt/harness/agent/supervisor"
)

// killRemnants kills every process that carries mark (a line of the
// environment) and waits until they are gone, at most for the given time. It
// is the last resort for an agent whose supervisor is gone.
func killRemnants(mark string, _ int, within time.Duration) {
	deadline := time.Now().Add(within)
	for time.Now().Before(deadline) {
		fds := remnants(mark)
		if len(fds) == 0 {
			return
		}
		for _, fd := range fds {
			_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0)
		}
		for _, fd := range fds {
			wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			_, _ = unix.Poll(wait, int(max(time.Until(deadline).Milliseconds(), 1)))
			_ = unix.Close(fd)
		}
	}
}

// remnants opens the processes that carry the mark. The environment is read
// after the process was opened, so that a number used again is no mistake.
func remnants(mark string) []int {
	var fds []int
	for _, pid := range supervisor.Processes() {
		if !carries(pid, mark) {
			continue
		}
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			continue
		}
		if carries(pid, mark) {
			fds = append(fds, fd)
		} else {
			_ = unix.Close(fd)
		}
	}
	return fds
}

func carries(pid int, mark string) bool {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ") // empty for a process that has ended
	if err != nil {
		return false
	}
	for line := range bytes.SplitSeq(environ, []byte{0}) {
		if string(line) == mark {
			return true
		}
	}
	return false
}
