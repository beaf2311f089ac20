package container

import (
	"context"
	"net"
	"testing"

	. "github.com/onsi/gomega"
)

// A container that is late may ask about a request on a connection that has
// ended; what it is told must not be another connection from the same address.
func TestAPeerIsOneConnectionForGood(t *testing.T) {
	g := NewWithT(t)
	p, err := newPorter()
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { g.Expect(p.close()).To(Succeed()) }()
	service, err := net.Listen("tcp4", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { _ = service.Close() }()
	p.aim(service.Addr().String())

	g.Expect(p.introduce("10.0.0.1:1000", "first")).To(BeTrue())
	g.Expect(p.introduce("10.0.0.1:1000", "second")).To(BeFalse())
	g.Expect(p.gateOf("10.0.0.1:1000")).To(Equal("first"))

	c, err := new(net.Dialer).DialContext(context.Background(), "tcp", p.addr())
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { _ = c.Close() }()
	_, err = c.Write([]byte("x"))
	g.Expect(err).NotTo(HaveOccurred())
	seen, err := service.Accept()
	g.Expect(err).NotTo(HaveOccurred())
	defer func() { _ = seen.Close() }()
	g.Expect(seen.Read(make([]byte, 1))).To(Equal(1))
	g.Expect(p.gateOf(seen.RemoteAddr().String())).To(Equal(c.LocalAddr().String()))
}
