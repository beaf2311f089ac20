//go:build !linux

package wire

import (
	"fmt"
	"net"
	"strconv"
)

// The ports that are meant for such use by RFC 6335, section 6.
const firstPort, lastPort = 49152, 65535

// A reservation names a port. Only Linux can keep one while nothing listens on
// it; elsewhere another process may be given the port while its service is
// refused, and then Readmit fails.
type reservation struct {
	addr string
	port int
}

func reserve(host string, port int) (*reservation, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	defer ln.Close()
	port = ln.Addr().(*net.TCPAddr).Port
	return &reservation{addr: hostPort(host, port), port: port}, nil
}

func (r *reservation) release() {}
