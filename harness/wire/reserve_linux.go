package wire

import (
	"fmt"
	"net"
	"syscall"
)

// The ports that Linux gives out by itself, unless it is told otherwise.
const firstPort, lastPort = 32768, 60999

// A reservation keeps a port while nothing listens on it: a bound socket that
// does not listen. Nobody is given the port as a free one, a dial to it is
// refused, and a listener with SO_REUSEADDR, as Go's are, can open on it.
type reservation struct {
	addr string
	port int
	fd   int
}

// A port that is asked for must be nobody's, not even that of another
// reservation: so the socket allows its use by others only once it is bound.
func reserve(host string, port int) (*reservation, error) {
	ip := net.ParseIP(host)
	if ip == nil {
		return nil, fmt.Errorf("host %q is not an IP address", host)
	}
	family := syscall.AF_INET6
	var sa syscall.Sockaddr = &syscall.SockaddrInet6{Port: port, Addr: [16]byte(ip.To16())}
	if v4 := ip.To4(); v4 != nil {
		family, sa = syscall.AF_INET, &syscall.SockaddrInet4{Port: port, Addr: [4]byte(v4)}
	}
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	share := func() error { return syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) }
	if port == 0 {
		err = share()
	}
	if err == nil {
		err = syscall.Bind(fd, sa)
	}
	if err == nil {
		err = share()
	}
	if err == nil {
		sa, err = syscall.Getsockname(fd)
	}
	if err != nil {
		syscall.Close(fd)
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		port = sa.Port
	case *syscall.SockaddrInet6:
		port = sa.Port
	}
	return &reservation{addr: hostPort(host, port), port: port, fd: fd}, nil
}

// release gives the port back. It may be called more than once, by one
// goroutine at a time.
func (r *reservation) release() {
	if r.fd >= 0 {
		syscall.Close(r.fd)
		r.fd = -1
	}
}
