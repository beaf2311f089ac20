package wire

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// slowToAsk is a service that reads a request of each connection, and answers
// when it is told to.
type slowToAsk struct {
	net.Listener
	came chan *net.TCPConn
}

func newSlowToAsk(t *testing.T) *slowToAsk {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &slowToAsk{Listener: ln, came: make(chan *net.TCPConn, 64)}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				if _, err := http.ReadRequest(bufio.NewReader(c)); err != nil {
					c.Close() // it was tried, and another was taken
					return
				}
				s.came <- c.(*net.TCPConn)
			}()
		}
	}()
	return s
}

func (s *slowToAsk) next(t *testing.T) (c *net.TCPConn, peer string) {
	t.Helper()
	select {
	case c = <-s.came:
	case <-time.After(time.Minute):
		t.Fatal("no request came")
	}
	return c, c.RemoteAddr().String()
}

// answers answers, or breaks the connection.
func answers(c *net.TCPConn, answer bool) {
	if answer {
		_, _ = c.Write([]byte("HTTP/1.1 204 No Content\r\n\r\n"))
	} else {
		_ = c.SetLinger(0)
	}
	_ = c.Close()
}

// dialing is a gateway whose connections to services come from a port of the
// test's choice, 0: the system's.
func dialing(t *testing.T, port func() int) (*Gateway, *history.Log) {
	log := history.NewLog(nil)
	g := New(Config{Log: log})
	t.Cleanup(func() { _ = g.Close(context.Background()) })
	g.dial = func(ctx context.Context, upstream string) (net.Conn, error) {
		d := net.Dialer{
			LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port()},
			Control: func(_, _ string, raw syscall.RawConn) error {
				return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1) })
			},
		}
		return d.DialContext(ctx, "tcp", upstream)
	}
	return g, log
}

// ask sends one request through a door, on a connection of its own.
func ask(t *testing.T, g *Gateway, service, upstream string) (done <-chan error) {
	t.Helper()
	p, err := g.Open(t.Context(), Door{Task: "t-1", Work: "w-1", Service: service, Upstream: upstream})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := c.Get(p.URL())
		if err == nil {
			res.Body.Close()
		}
		ended <- err
	}()
	return ended
}

func freePort(t *testing.T) int {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

// Two services see the same address as their peer's, at the same time.
func TestOneAddressTowardsTwoServices(t *testing.T) {
	g := NewWithT(t)
	port := freePort(t)
	gw, _ := dialing(t, func() int { return port })
	services := map[string]*slowToAsk{"approval": newSlowToAsk(t), "purchase": newSlowToAsk(t)}
	refs := map[string]fault.Ref{}
	conns := map[string]*net.TCPConn{}
	var ends []<-chan error
	for name, s := range services {
		ends = append(ends, ask(t, gw, name, s.Addr().String()))
		conns[name], _ = s.next(t)
	}
	for name, c := range conns {
		g.Expect(c.RemoteAddr().(*net.TCPAddr).Port).To(Equal(port))
		ref, ok := gw.Identify(name, c.RemoteAddr().String(), 1)
		g.Expect(ok).To(BeTrue())
		refs[name] = ref
	}
	for _, c := range conns {
		answers(c, true)
	}
	for _, end := range ends {
		g.Expect(<-end).To(Succeed())
	}
	for _, r := range gw.log.Records() {
		if r.Kind == history.CallSent {
			g.Expect(refs[r.Wire.Service].Call).To(Equal(r.Call), r.Wire.Service)
		}
	}
	g.Expect(refs).To(HaveLen(2))
	_, ok := gw.Identify("desk", conns["approval"].RemoteAddr().String(), 1)
	g.Expect(ok).To(BeFalse(), "nothing came to that service")
}

// A service that asks late is told the call that it was asked for, though the
// system has given the address away again.
func TestAnAddressThatIsUsedAgain(t *testing.T) {
	g := NewWithT(t)
	port := freePort(t)
	dials := 0
	gw, _ := dialing(t, func() int {
		dials++
		if dials <= 2 {
			return port
		}
		return 0
	})
	s := newSlowToAsk(t)
	end := ask(t, gw, "approval", s.Addr().String())
	c, peer := s.next(t)
	answers(c, false)
	g.Expect(<-end).NotTo(Succeed())
	end = ask(t, gw, "approval", s.Addr().String())
	c, other := s.next(t)
	g.Expect(dials).To(Equal(3), "the address was offered again")
	g.Expect(other).NotTo(Equal(peer))
	for at, call := range map[string]string{peer: "c-1", other: "c-2"} {
		ref, ok := gw.Identify("approval", at, 1)
		g.Expect(ok).To(BeTrue())
		g.Expect(ref.Call).To(Equal(call))
	}
	answers(c, true)
	g.Expect(<-end).To(Succeed())
}

// When the system has no other address the same is taken again, about which the
// service has asked all; while it has not, the call cannot be carried on.
func TestTheOnlyAddressThereIs(t *testing.T) {
	g := NewWithT(t)
	port := freePort(t)
	gw, log := dialing(t, func() int { return port })
	s := newSlowToAsk(t)
	for n, asks := range []bool{true, false} {
		end := ask(t, gw, "approval", s.Addr().String())
		c, peer := s.next(t)
		if asks {
			ref, _ := gw.Identify("approval", peer, 1)
			g.Expect(ref.Call).To(Equal(fmt.Sprint("c-", n+1)))
		}
		answers(c, false)
		g.Expect(<-end).NotTo(Succeed())
	}
	g.Expect(<-ask(t, gw, "approval", s.Addr().String())).NotTo(Succeed())
	records := log.Records()
	last := records[len(records)-1]
	g.Expect(last.Kind).To(Equal(history.ConnEnded))
	g.Expect([]string{last.Wire.By, last.Wire.How}).To(Equal([]string{history.ByHarness, history.HowRST}))
}
