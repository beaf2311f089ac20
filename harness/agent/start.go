package agent

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent/supervisor"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// orderPipe is the way down to a supervisor. Closing it is the order to kill.
type orderPipe struct{ w *os.File }

// give writes one order. A supervisor that does not read is noticed by whoever
// waits for the effect; the pipe has room for more orders than are ever given.
func (o *orderPipe) give(order string) { _, _ = io.WriteString(o.w, order+"\n") }

// line is what connects a process's goroutines to its supervisor.
type line struct {
	reports *os.File
	in      *bufio.Reader
	text    *os.File // the read end of the agent's output
	drained chan struct{}
}

// start brings up the supervisor and then the agent. Whatever it returns,
// exited and done will be closed.
func (p *Process) start(ctx context.Context, command []string, what supervisor.Spec) error {
	l, err := p.launchSupervisor(command)
	if err != nil {
		p.ended(Exit{Code: -1, Reason: "the supervisor could not be started: " + err.Error()})
		close(p.done)
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = l.reports.SetReadDeadline(time.Unix(1, 0)) })
	err = p.startAgent(l, what)
	if !stop() {
		err = errors.Join(err, ctx.Err())
	}
	_ = l.reports.SetReadDeadline(time.Time{})
	if err != nil {
		p.ended(Exit{Code: -1, Reason: "it could not be started: " + err.Error()})
		p.cleanUp(l, false)
		return err
	}
	go p.follow(l) // Done tells when it has ended
	return nil
}

func (p *Process) launchSupervisor(command []string) (*line, error) {
	var made []*os.File
	pipe := func() (r, w *os.File, err error) {
		r, w, err = os.Pipe()
		made = append(made, r, w)
		return r, w, err
	}
	orders, give, err1 := pipe()
	reports, report, err2 := pipe()
	text, print, err3 := pipe()
	err := errors.Join(err1, err2, err3)
	cmd := exec.Command(command[0], command[1:]...)
	// A supervisor needs one thread of Go, and, built with the race detector, must not sleep a second before it exits.
	cmd.Env = append(os.Environ(), supervisor.Asked+"=1", "GOMAXPROCS=1", "GORACE=atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	cmd.Stdout, cmd.Stderr = print, print
	cmd.ExtraFiles = []*os.File{orders, report}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal to the harness's group must not end it
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		for _, f := range made {
			_ = f.Close() // nil files report an error and nothing else
		}
		return nil, err
	}
	for _, f := range []*os.File{orders, report, print} {
		_ = f.Close()
	}
	p.mu.Lock()
	p.supervisor = cmd
	p.orders = &orderPipe{w: give}
	p.mu.Unlock()
	l := &line{reports: reports, in: bufio.NewReader(reports), text: text, drained: make(chan struct{})}
	p.printing.Lock()
	p.text = text
	p.printing.Unlock()
	go p.drain(l) // awaited by cleanUp
	return l, nil
}

// startAgent gives the order to start once the supervisor is ready, and waits until the program runs.
func (p *Process) startAgent(l *line, what supervisor.Spec) error {
	if r, err := supervisor.ReadReport(l.in); err != nil || r.Kind != supervisor.Ready {
		return fmt.Errorf("the supervisor does not answer: %w", orUnexpected(err))
	}
	if err := p.commit(what); err != nil {
		return err
	}
	r, err := supervisor.ReadReport(l.in)
	switch {
	case err != nil:
		return fmt.Errorf("the supervisor ended: %w", err)
	case r.Kind == supervisor.Failed:
		return errors.New(r.Text + hintFor(r.Text))
	case r.Kind != supervisor.Started:
		return fmt.Errorf("the supervisor reports %q instead of the start", r.Kind)
	}
	p.mu.Lock()
	p.group = r.PID
	p.mu.Unlock()
	return nil
}

// commit records the start and then orders it, unless the process is to end already.
func (p *Process) commit(what supervisor.Spec) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.doomed {
		return ErrClosed
	}
	p.committed = true
	_ = p.orders.w.SetWriteDeadline(time.Now().Add(patience)) // an environment can be larger than the pipe
	defer func() { _ = p.orders.w.SetWriteDeadline(time.Time{}) }()
	p.launch.Record(history.Record{Kind: history.ProcessStarted, Task: p.launch.Task, Process: &history.Process{ID: p.launch.Process}})
	return supervisor.WriteSpec(p.orders.w, what)
}

func orUnexpected(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// hintFor says what to do about the errors that users meet.
func hintFor(text string) string {
	for suffix, hint := range map[string]string{
		syscall.ENOEXEC.Error(): ": it is neither a program of this machine nor a script that begins with #!: start it with its interpreter",
		syscall.ENOENT.Error():  ": the program, the interpreter that its first line names, or the working directory does not exist",
		syscall.EACCES.Error():  ": it is not executable, or its directory may not be entered",
	} {
		if len(text) >= len(suffix) && text[len(text)-len(suffix):] == suffix {
			return hint
		}
	}
	return ""
}

// follow reads what the supervisor reports until it is gone.
func (p *Process) follow(l *line) {
	swept := false
	for {
		r, err := supervisor.ReadReport(l.in)
		if err != nil {
			break
		}
		switch r.Kind {
		case supervisor.Exited:
			exit := Exit{Code: r.Code, Signal: signalName(r.Signal)}
			p.ended(exit)
			_ = l.reports.SetReadDeadline(time.Now().Add(patience)) // what cannot be killed is not waited for
		case supervisor.Swept:
			swept = true
		default:
			p.answer(r.Kind)
		}
	}
	p.ended(Exit{Code: -1, Reason: "its supervisor was killed"})
	p.cleanUp(l, swept)
}

// ended notes and records how the process ended, the first time.
func (p *Process) ended(exit Exit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hasExited {
		return
	}
	p.hasExited = true
	if exit.Reason == "" {
		exit.Reason = p.reason
	}
	p.exit = exit
	if p.committed {
		p.launch.Record(history.Record{Kind: history.ProcessExited, Task: p.launch.Task, Process: &history.Process{
			ID: p.launch.Process, Code: exit.Code, Signal: exit.Signal, Reason: exit.Reason,
		}})
	}
	close(p.exited)
}

// answer hands a report to those who wait for one.
func (p *Process) answer(kind string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, a := range p.answers {
		select {
		case a <- kind:
		default: // it has eight unread already
		}
	}
}

// cleanUp waits for the supervisor and the output, and makes sure that nothing is left.
func (p *Process) cleanUp(l *line, swept bool) {
	p.mu.Lock()
	_ = p.orders.w.Close()
	supervisor, group, more := p.supervisor, p.group, patience
	if !p.committed {
		more = 0 // it has started nothing, and may not be a supervisor at all
	}
	p.mu.Unlock()
	last := time.AfterFunc(more, p.kill)
	_ = supervisor.Wait() // its status says nothing that its reports have not said
	last.Stop()
	if !swept {
		killRemnants(p.mark, group, patience)
	}
	_ = l.reports.Close()
	// Only a process that escaped can still hold the other end.
	_ = l.text.SetReadDeadline(time.Now().Add(patience / 10))
	<-l.drained
	_ = l.text.Close()
	close(p.done)
}
