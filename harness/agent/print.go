package agent

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// chunk is how much of the output is read at once. A pipe holds as much.
const chunk = 64 << 10

// drain reads the agent's output to its end, so that printing never blocks.
func (p *Process) drain(l *line) {
	defer close(l.drained)
	raw, err := l.text.SyscallConn()
	if err != nil {
		return
	}
	buf := make([]byte, chunk)
	for more := true; more; {
		// What was read is kept before Turn can come between.
		err := raw.Read(func(fd uintptr) (done bool) {
			p.printing.Lock()
			defer p.printing.Unlock()
			n, err := p.read(int(fd), buf)
			more = n > 0
			return !errors.Is(err, unix.EAGAIN)
		})
		if err != nil {
			return
		}
	}
}

// read takes what is there. The caller holds printing.
func (p *Process) read(fd int, buf []byte) (int, error) {
	for {
		n, err := unix.Read(fd, buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if n > 0 {
			p.out.add(p.printer, buf[:n])
		}
		return n, err
	}
}

// Turn lets what the process prints from now on be of another task: out takes
// it, as printed by the process of that id. What was printed before goes where
// it belongs, up to as much as the pipe holds.
func (p *Process) Turn(process string, out *Output) {
	p.printing.Lock()
	defer p.printing.Unlock()
	if p.text != nil {
		p.takeRest(p.text)
	}
	p.printer, p.out = process, out
}

// takeRest reads what is in the pipe and does not wait. The caller holds printing.
func (p *Process) takeRest(text *os.File) {
	raw, err := text.SyscallConn()
	if err != nil {
		return
	}
	buf := make([]byte, chunk)
	_ = raw.Control(func(fd uintptr) { // a closed pipe has been read to its end
		for range 4 { // a process that prints without end is not waited for
			if n, err := p.read(int(fd), buf); n <= 0 || err != nil {
				return
			}
		}
	})
}
