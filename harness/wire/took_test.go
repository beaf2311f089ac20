//go:build linux

package wire

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"
)

// What a client did with what it was sent, by what the kernel says.
func TestLeaving(t *testing.T) {
	const sent = 100_000
	all := func(c *net.TCPConn) { _, _ = io.CopyN(io.Discard, c, sent) }
	for _, c := range []struct {
		name string
		does func(client *net.TCPConn) // what it was sent is at the client by then
		want took
	}{
		{"reads all and closes", func(c *net.TCPConn) { all(c); c.Close() }, tookAll},
		{"reads all but a byte and closes", func(c *net.TCPConn) { _, _ = io.CopyN(io.Discard, c, sent-1); c.Close() }, tookUnknown},
		{"reads nothing and closes", func(c *net.TCPConn) { c.Close() }, tookUnknown},
		{"reads nothing and shuts down", func(c *net.TCPConn) { c.CloseWrite() }, tookHalf},
		{"reads all and shuts down", func(c *net.TCPConn) { all(c); c.CloseWrite() }, tookHalf},
		{"reads all, shuts down and closes", func(c *net.TCPConn) { all(c); c.CloseWrite(); c.Close() }, tookAll},
		{"shuts down, and closes over unread bytes", func(c *net.TCPConn) { c.CloseWrite(); c.Close() }, tookLess},
		{"reads all and resets", func(c *net.TCPConn) { all(c); c.SetLinger(0); c.Close() }, tookUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			client, service := pair(t)
			_, err := service.Write(make([]byte, sent))
			g.Expect(err).NotTo(HaveOccurred())
			g.Eventually(func() int { return unsent(t, service) }).WithTimeout(time.Minute).Should(BeZero())
			c.does(client)
			_, err = service.Read(make([]byte, 1))
			g.Expect(err).To(HaveOccurred())
			g.Expect(leaving(service)).To(Equal(c.want))
		})
	}
}

// Bytes that are written after the client has closed are never taken.
func TestTookNothingTooLate(t *testing.T) {
	g := NewWithT(t)
	client, service := pair(t)
	client.Close()
	_, err := service.Read(make([]byte, 1))
	g.Expect(err).To(Equal(io.EOF))
	g.Expect(leaving(service)).To(Equal(tookAll), "nothing was sent")
	_, err = service.Write([]byte("late"))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(leaving(service)).To(Equal(tookLess))
}

func TestOwned(t *testing.T) {
	g := NewWithT(t)
	client, service := pair(t)
	here, _ := addrPort(client.LocalAddr())
	there, _ := addrPort(client.RemoteAddr())
	is, known := owned(here, there)
	g.Expect(known).To(BeTrue())
	g.Expect(is).To(BeTrue())
	client.Close()
	g.Eventually(func() bool { is, _ := owned(here, there); return is }).WithTimeout(time.Minute).Should(BeFalse())
	is, known = owned(here, netip.AddrPortFrom(there.Addr(), 1))
	g.Expect(known).To(BeTrue(), "a socket that does not exist is nobody's")
	g.Expect(is).To(BeFalse())
	service.Close()
}

// unsent counts the bytes that the other side has not acknowledged.
func unsent(t *testing.T, c *net.TCPConn) (n int) {
	t.Helper()
	raw, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(raw.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), unix.SIOCOUTQ) }), err)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func pair(t *testing.T) (client, service *net.TCPConn) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	c, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); s.Close() })
	return c.(*net.TCPConn), s.(*net.TCPConn)
}
