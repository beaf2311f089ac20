package wire

import (
	"io"
	"net"
	"testing"

	. "github.com/onsi/gomega"
)

// The end of the other side is seen in the kernel, with nobody reading.
func TestGone(t *testing.T) {
	for _, c := range []struct {
		name string
		does func(other *net.TCPConn)
		want bool
	}{
		{"open", func(*net.TCPConn) {}, false},
		{"half closed", func(o *net.TCPConn) { o.CloseWrite() }, true},
		{"closed", func(o *net.TCPConn) { o.Close() }, true},
		{"reset", func(o *net.TCPConn) { o.SetLinger(0); o.Close() }, true},
		{"sending", func(o *net.TCPConn) { _, _ = io.WriteString(o, "x") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			g.Expect(err).NotTo(HaveOccurred())
			defer ln.Close()
			other, err := net.Dial("tcp", ln.Addr().String())
			g.Expect(err).NotTo(HaveOccurred())
			defer other.Close()
			conn, err := ln.Accept()
			g.Expect(err).NotTo(HaveOccurred())
			defer conn.Close()
			probe := newProbe(conn.(*net.TCPConn))
			g.Expect(probe.gone()).To(BeFalse())
			c.does(other.(*net.TCPConn))
			// Loopback delivers within the call that sends.
			g.Expect(probe.gone()).To(Equal(c.want))
			conn.Close()
			g.Expect(probe.gone()).To(BeTrue())
		})
	}
}
