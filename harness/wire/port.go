package wire

import (
	"errors"
	"fmt"
	"syscall"
)

// The ports that are searched when those that the kernel offers are to be
// avoided, and how many are tried: it looks for a free port in a small part of
// its range and may offer nothing else.
const (
	portTries = 8
	portStep  = 7919 // a prime: it comes by every port
)

// reserve finds a port that need not be avoided.
func (g *Gateway) reserve(host string) (*reservation, error) {
	var passed []*reservation // kept, so that none is offered twice
	defer func() {
		for _, r := range passed {
			r.release()
		}
	}()
	for range portTries {
		r, err := reserve(host, 0)
		if err != nil || !g.avoid(r.port) {
			return r, err
		}
		passed = append(passed, r)
	}
	ports := lastPort - firstPort + 1
	from := passed[0].port // as good as random
	for i := range ports {
		port := firstPort + (from+i*portStep)%ports
		if g.avoid(port) {
			continue
		}
		r, err := reserve(host, port)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		return r, err
	}
	return nil, fmt.Errorf("reserve a port: each of the %d from %d to %d is in use or to be avoided", ports, firstPort, lastPort)
}
