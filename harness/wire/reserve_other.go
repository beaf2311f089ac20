//go:build !linux

package wire

import (
	"fmt"
	"net"
)

// A reservation names a port. Only Linux can keep one while nothing listens on
// it; elsewhere another process may be given the port while its service is
// refused, and then Readmit fails.
type reservation struct {
	addr string
	port int
}

func reserve(host string) (*reservation, error) {
	ln, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, fmt.Errorf("reserve a port: %w", err)
	}
	defer ln.Close()
	port := ln.Addr().(*net.TCPAddr).Port
	return &reservation{addr: hostPort(host, port), port: port}, nil
}

func (r *reservation) release() {}
