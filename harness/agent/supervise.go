package agent

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// SuperviseArg is the first argument that makes a program call [Supervise].
const SuperviseArg = "__supervise"

// SuperviseIfAsked runs the supervisor and exits if this program was started
// as one. Call it first in main, and in TestMain of tests that start agents.
func SuperviseIfAsked() {
	if len(os.Args) > 1 && os.Args[1] == SuperviseArg {
		os.Exit(Supervise(os.Args[2:]))
	}
}

// Supervise is the supervisor's main function: it starts one process, signals
// it as it is told, and returns when that process and all it started are gone.
// It takes no arguments and returns the exit status.
func Supervise([]string) int {
	// The kernel's death signal follows the thread that forks, so that thread must live as long as this process.
	runtime.LockOSThread()
	syscall.CloseOnExec(orderFile)
	syscall.CloseOnExec(reportFile)
	// Handled and dropped, not ignored: ignored signals would stay ignored in the agent.
	dropped := make(chan os.Signal, 1)
	signal.Notify(dropped, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	s := &supervisor{reports: os.NewFile(reportFile, "reports")}
	orders := bufio.NewReader(os.NewFile(orderFile, "orders"))

	s.report(report{kind: reportReady})
	what, err := readSpec(orders)
	if err != nil {
		return 1
	}
	if err := s.start(what); err != nil {
		s.report(report{kind: reportFailed, text: err.Error()})
		return 1
	}
	go s.obey(orders) // ends with this process
	s.wait()
	s.report(report{kind: reportSwept})
	return 0
}

type supervisor struct {
	pid int // of the agent, which leads the process group of that number

	mu      sync.Mutex
	reports *os.File
	stopped bool
	ended   bool
}

func (s *supervisor) report(r report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say(r)
}

// say reports with the lock held. An error means that the harness is gone,
// which the end of the orders tells as well.
func (s *supervisor) say(r report) { _, _ = s.reports.WriteString(r.line()) }

func (s *supervisor) start(what spec) error {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	defer null.Close()
	if err := becomeReaper(); err != nil {
		return fmt.Errorf("adopting orphans: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pid, err = syscall.ForkExec(what.Path, what.Args, &syscall.ProcAttr{
		Dir: what.Dir, Env: what.Env, Files: []uintptr{null.Fd(), 1, 2}, Sys: agentAttr(),
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what.Path, err)
	}
	s.say(report{kind: reportStarted, pid: s.pid})
	return nil
}

// obey carries out orders until the pipe ends, which means that the harness is
// gone or has no more use for the agent.
func (s *supervisor) obey(orders *bufio.Reader) {
	for {
		order, err := orders.ReadString('\n')
		if err != nil {
			s.signal(unix.SIGKILL)
			return
		}
		switch order {
		case orderKill + "\n":
			s.signal(unix.SIGKILL)
		case orderTerm + "\n":
			s.signal(unix.SIGTERM, unix.SIGCONT)
		case orderStop + "\n":
			s.signal(unix.SIGSTOP)
		case orderCont + "\n":
			s.signal(unix.SIGCONT)
		}
	}
}

func (s *supervisor) signal(signals ...unix.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	for _, sig := range signals {
		_ = unix.Kill(-s.pid, sig) // it fails only if the agent has just ended
		signalDescendants(sig, s.pid)
		switch sig {
		case unix.SIGSTOP:
			if s.stopped { // no change of state will be reported by wait
				s.say(report{kind: reportStopped})
			}
		case unix.SIGCONT:
			s.stopped = false
			s.say(report{kind: reportMoving})
		}
	}
}

// wait reaps the agent and every orphan that comes to this process. Once the
// agent has ended, it kills what is left before each wait: a process with a
// pending SIGKILL cannot fork, and the children of one that is gone come here,
// so every round finds what the one before could not see.
func (s *supervisor) wait() {
	for {
		if s.ended {
			signalDescendants(unix.SIGKILL, 0)
		}
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WUNTRACED, nil)
		for err == nil && pid > 0 {
			s.note(pid, status)
			pid, err = unix.Wait4(-1, &status, unix.WUNTRACED|unix.WNOHANG, nil)
		}
		if err != nil && !errors.Is(err, unix.EINTR) {
			return // ECHILD: nobody is left
		}
	}
}

func (s *supervisor) note(pid int, status unix.WaitStatus) {
	if pid != s.pid {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case status.Stopped():
		s.stopped = true
		s.say(report{kind: reportStopped})
	case status.Exited(), status.Signaled():
		s.ended = true
		_ = unix.Kill(-s.pid, unix.SIGKILL) // what it left in its group
		r := report{kind: reportExited, code: status.ExitStatus()}
		if status.Signaled() {
			r.signal = status.Signal()
		}
		s.say(r)
	}
}
