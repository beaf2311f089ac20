package agent

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

// The orders, after the first line, which is the order to start (a spec). The
// end of the pipe is the order to kill.
const (
	orderKill = "kill" // SIGKILL
	orderTerm = "term" // SIGTERM, and SIGCONT so that it is noticed
	orderStop = "stop" // SIGSTOP
	orderCont = "cont" // SIGCONT
)

// The reports.
const (
	reportReady   = "ready"   // the supervisor reads orders
	reportStarted = "started" // the program runs; its process id
	reportFailed  = "failed"  // it cannot be started; why, quoted
	reportStopped = "stopped" // it stands still
	reportMoving  = "moving"  // it was told to go on
	reportExited  = "exited"  // it has ended; exit code and signal number
	reportSwept   = "swept"   // nothing that it started is left
)

// spec is the order to start.
type spec struct {
	Path string   `json:"path"`
	Args []string `json:"args"`
	Dir  string   `json:"dir"`
	Env  []string `json:"env"`
}

func writeSpec(w io.Writer, s spec) error {
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

func readSpec(r *bufio.Reader) (spec, error) {
	var s spec
	line, err := r.ReadBytes('\n')
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(line, &s)
}

// report is one line from a supervisor.
type report struct {
	kind   string
	pid    int
	code   int
	signal syscall.Signal
	text   string
}

func (r report) line() string {
	switch r.kind {
	case reportStarted:
		return fmt.Sprintf("%s %d\n", r.kind, r.pid)
	case reportExited:
		return fmt.Sprintf("%s %d %d\n", r.kind, r.code, int(r.signal))
	case reportFailed:
		return fmt.Sprintf("%s %q\n", r.kind, r.text)
	}
	return r.kind + "\n"
}

// readReport reads the next report. It returns io.EOF when the supervisor is gone.
func readReport(in *bufio.Reader) (report, error) {
	line, err := in.ReadString('\n')
	if err != nil {
		if errors.Is(err, os.ErrClosed) {
			err = io.EOF
		}
		return report{}, err
	}
	kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
	r, signal := report{kind: kind}, 0
	switch kind {
	case reportStarted:
		_, err = fmt.Sscanf(rest, "%d", &r.pid)
	case reportExited:
		_, err = fmt.Sscanf(rest, "%d %d", &r.code, &signal)
		r.signal = syscall.Signal(signal)
	case reportFailed:
		_, err = fmt.Sscanf(rest, "%q", &r.text)
	case reportReady, reportStopped, reportMoving, reportSwept:
	default:
		err = fmt.Errorf("%q", line)
	}
	if err != nil {
		return r, fmt.Errorf("the supervisor says what is not understood: %w", err)
	}
	return r, nil
}
