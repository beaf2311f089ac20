package wire

import (
	"net"
	"syscall"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Between fork and exec a child has every descriptor of this process, the
// listener's too. While it is so, and a busy machine makes it long, the door must
// be shut all the same, and can be opened again.
func TestADoorIsShutAlthoughAChildHasIt(t *testing.T) {
	g := NewWithT(t)
	service, err := net.Listen("tcp", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	defer service.Close()
	w := New(Config{Log: history.NewLog(nil), Seam: fault.NewInjector(fault.Config{Log: history.NewLog(nil)})})
	defer func() { g.Expect(w.Close(t.Context())).To(Succeed()) }()
	p, err := w.Open(t.Context(), Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: service.Addr().String()})
	g.Expect(err).NotTo(HaveOccurred())
	dial := func() error {
		c, err := net.Dial("tcp", p.addr)
		if err == nil {
			c.Close()
		}
		return err
	}
	g.Expect(dial()).To(Succeed())

	child, err := p.ln.(*net.TCPListener).File() // what a fork does
	g.Expect(err).NotTo(HaveOccurred())
	defer child.Close()
	g.Expect(w.Refuse("t-1", "approval")).To(Succeed())
	g.Expect(dial()).To(MatchError(syscall.ECONNREFUSED))
	g.Expect(w.Readmit("t-1", "approval")).To(Succeed())
	g.Expect(dial()).To(Succeed())
}
