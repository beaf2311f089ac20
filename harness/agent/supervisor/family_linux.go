package supervisor

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// agentAttr puts the agent into a process group of its own and ends it with
// its supervisor.
func agentAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// setChildSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2).
const setChildSubreaper = 36

// becomeReaper makes orphans below this process its children.
func becomeReaper() error {
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		return errno
	}
	return nil
}

// signalDescendants signals every process below this one that is not in the
// given group, which has been signalled as a whole.
func signalDescendants(sig syscall.Signal, exceptGroup int) {
	children := map[int][]int{}
	group := map[int]int{}
	for _, pid := range Processes() {
		if parent, pgrp, ok := kinOf(pid); ok {
			children[parent] = append(children[parent], pid)
			group[pid] = pgrp
		}
	}
	queue := children[os.Getpid()]
	for len(queue) > 0 {
		pid := queue[0]
		queue = append(queue[1:], children[pid]...)
		if exceptGroup == 0 || group[pid] != exceptGroup {
			_ = syscall.Kill(pid, sig) // gone meanwhile, or another user's
		}
	}
}

// Processes are the ids of all processes.
func Processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	pids := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// kinOf reads a process's parent and process group from proc(5), .../stat.
func kinOf(pid int) (parent, group int, ok bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0, false
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name before it may hold anything
	if len(fields) < 3 {
		return 0, 0, false
	}
	parent, err1 := strconv.Atoi(string(fields[1]))
	group, err2 := strconv.Atoi(string(fields[2]))
	return parent, group, err1 == nil && err2 == nil
}
