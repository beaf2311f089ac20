package supervisor

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// The runner and a supervisor talk in lines over two pipes: orders go down
// file 3, reports come up file 4.
const (
	orderFile  = 3
	reportFile = 4
)

// The orders, after the first line, which is the order to start (a [Spec]). The
// end of the pipe is the order to kill.
const (
	Kill = "kill" // SIGKILL
	Term = "term" // SIGTERM, and SIGCONT so that it is noticed
	Stop = "stop" // SIGSTOP
	Cont = "cont" // SIGCONT
)

// The reports.
const (
	Ready   = "ready"   // the supervisor reads orders
	Started = "started" // the program runs; its process id
	Failed  = "failed"  // it cannot be started; why, quoted
	Stopped = "stopped" // it stands still
	Moving  = "moving"  // it was told to go on
	Exited  = "exited"  // it has ended; exit code and signal number
	Swept   = "swept"   // nothing that it started is left
)

// Spec is the order to start.
type Spec struct {
	Path string   `json:"path"`
	Args []string `json:"args"`
	Dir  string   `json:"dir"`
	Env  []string `json:"env"`
}

// WriteSpec gives the order to start.
func WriteSpec(w io.Writer, s Spec) error {
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

func readSpec(r *bufio.Reader) (Spec, error) {
	var s Spec
	line, err := r.ReadBytes('\n')
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(line, &s)
}

// Report is one line from a supervisor.
type Report struct {
	Kind   string
	PID    int
	Code   int
	Signal syscall.Signal
	Text   string
}

func (r Report) line() string {
	switch r.Kind {
	case Started:
		return fmt.Sprintf("%s %d\n", r.Kind, r.PID)
	case Exited:
		return fmt.Sprintf("%s %d %d\n", r.Kind, r.Code, int(r.Signal))
	case Failed:
		return fmt.Sprintf("%s %q\n", r.Kind, r.Text)
	}
	return r.Kind + "\n"
}

// ReadReport reads the next report. It returns io.EOF when the supervisor is gone.
func ReadReport(in *bufio.Reader) (Report, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		if errors.Is(err, os.ErrClosed) {
			err = io.EOF
		}
		return Report{}, err
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	r, signal := Report{Kind: kind}, 0
	switch kind {
	case Started:
		_, err = fmt.Sscanf(rest, "%d", &r.PID)
	case Exited:
		_, err = fmt.Sscanf(rest, "%d %d", &r.Code, &signal)
		r.Signal = syscall.Signal(signal)
	case Failed:
		_, err = fmt.Sscanf(rest, "%q", &r.Text)
	case Ready, Stopped, Moving, Swept:
	default:
		err = fmt.Errorf("%q", line)
	}
	if err != nil {
		return r, fmt.Errorf("the supervisor says what is not understood: %w", err)
	}
	return r, nil
}
