package wire

import (
	"net"
	"syscall"
)

// gone tells whether the other side has ended its direction of c: a FIN or an
// RST has reached the kernel, whether or not a reader has been scheduled since.
// Unread bytes before a FIN hide it. It does not wait for a reader that blocks
// on c, as RawConn.Read would.
func gone(c *net.TCPConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	ended := true // a closed connection is not looked at
	_ = raw.Control(func(fd uintptr) {
		var b [1]byte
		for {
			n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			switch err {
			case syscall.EINTR:
				continue
			case syscall.EAGAIN:
				ended = false
			case nil:
				ended = n == 0
			}
			return
		}
	})
	return ended
}
