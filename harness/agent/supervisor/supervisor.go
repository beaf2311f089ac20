package supervisor

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
)

// Arg is the first argument of a program that is started as a supervisor, and
// Asked the variable that its environment has besides.
const (
	Arg   = "__supervise"
	Asked = "LOSTRECEIPT_SUPERVISE"
)

func init() {
	if len(os.Args) == 2 && os.Args[1] == Arg && os.Getenv(Asked) != "" {
		os.Exit(supervise())
	}
}

// supervise starts one process, signals it as it is told, and returns when that
// process and all it started are gone, with the exit status.
func supervise() int {
	// The kernel's death signal follows the thread that forks, so that thread must live as long as this process.
	runtime.LockOSThread()
	syscall.CloseOnExec(orderFile)
	syscall.CloseOnExec(reportFile)
	// Handled and dropped, not ignored: ignored signals would stay ignored in the agent.
	dropped := make(chan os.Signal, 1)
	signal.Notify(dropped, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	s := &supervisor{reports: os.NewFile(reportFile, "reports")}
	orders := bufio.NewReader(os.NewFile(orderFile, "orders"))

	s.report(Report{Kind: Ready})
	what, err := readSpec(orders)
	if err != nil {
		return 1
	}
	if err := s.start(what); err != nil {
		s.report(Report{Kind: Failed, Text: err.Error()})
		return 1
	}
	go s.obey(orders) // ends with this process
	s.wait()
	s.report(Report{Kind: Swept})
	return 0
}

type supervisor struct {
	pid int // of the agent, which leads the process group of that number

	mu      sync.Mutex
	reports *os.File
	stopped bool
	ended   bool
}

func (s *supervisor) report(r Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.say(r)
}

// say reports with the lock held. An error means that the harness is gone,
// which the end of the orders tells as well.
func (s *supervisor) say(r Report) { _, _ = s.reports.WriteString(r.line()) }

func (s *supervisor) start(what Spec) error {
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
	s.say(Report{Kind: Started, PID: s.pid})
	return nil
}

// obey carries out orders until the pipe ends, which means that the harness is
// gone or has no more use for the agent.
func (s *supervisor) obey(orders *bufio.Reader) {
	for {
		order, err := orders.ReadString('\n')
		if err != nil {
			s.signal(syscall.SIGKILL)
			return
		}
		switch order {
		case Kill + "\n":
			s.signal(syscall.SIGKILL)
		case Term + "\n":
			s.signal(syscall.SIGTERM, syscall.SIGCONT)
		case Stop + "\n":
			s.signal(syscall.SIGSTOP)
		case Cont + "\n":
			s.signal(syscall.SIGCONT)
		}
	}
}

func (s *supervisor) signal(signals ...syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	for _, sig := range signals {
		_ = syscall.Kill(-s.pid, sig) // it fails only if the agent has just ended
		signalDescendants(sig, s.pid)
		switch sig {
		case syscall.SIGSTOP:
			if s.stopped { // no change of state will be reported by wait
				s.say(Report{Kind: Stopped})
			}
		case syscall.SIGCONT:
			s.stopped = false
			s.say(Report{Kind: Moving})
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
			signalDescendants(syscall.SIGKILL, 0)
		}
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WUNTRACED, nil)
		for err == nil && pid > 0 {
			s.note(pid, status)
			pid, err = syscall.Wait4(-1, &status, syscall.WUNTRACED|syscall.WNOHANG, nil)
		}
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return // ECHILD: nobody is left
		}
	}
}

func (s *supervisor) note(pid int, status syscall.WaitStatus) {
	if pid != s.pid {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case status.Stopped():
		s.stopped = true
		s.say(Report{Kind: Stopped})
	case status.Exited(), status.Signaled():
		s.ended = true
		_ = syscall.Kill(-s.pid, syscall.SIGKILL) // what it left in its group
		r := Report{Kind: Exited, Code: status.ExitStatus()}
		if status.Signaled() {
			r.Signal = status.Signal()
		}
		s.say(r)
	}
}
