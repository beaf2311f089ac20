package wire

import (
	"net"
	"syscall"
)

// probe looks at a socket without reading from it.
type probe struct {
	raw   syscall.RawConn
	look  func(fd uintptr) // made once
	ended bool
}

func newProbe(c *net.TCPConn) *probe {
	p := new(probe)
	p.raw, _ = c.SyscallConn() // fails for a nil socket only
	p.look = func(fd uintptr) { p.ended = peekEnd(int(fd)) }
	return p
}

// gone tells whether the other side has ended its direction: a FIN or an RST
// has reached the kernel, whether or not a reader has been scheduled since.
// Unread bytes before a FIN hide it. It does not wait for a reader that blocks
// on the socket, as RawConn.Read would. One goroutine at a time calls it.
func (p *probe) gone() bool {
	p.ended = true // a closed connection is not looked at
	_ = p.raw.Control(p.look)
	return p.ended
}

func peekEnd(fd int) bool {
	var b [1]byte
	for {
		n, _, err := syscall.Recvfrom(fd, b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		switch err {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		case nil:
			return n == 0
		}
		return true
	}
}
