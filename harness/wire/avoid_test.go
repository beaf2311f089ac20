package wire_test

import (
	"context"
	"net"
	"net/url"
	"strconv"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

func portOf(g *WithT, p *wire.Proxy) int {
	u, err := url.Parse(p.URL())
	g.Expect(err).NotTo(HaveOccurred())
	port, err := strconv.Atoi(u.Port())
	g.Expect(err).NotTo(HaveOccurred())
	return port
}

func TestAPortThatIsToBeAvoidedIsNotUsed(t *testing.T) {
	g := NewWithT(t)
	for _, passes := range []int{0, 1, 5, 8, 100, 20_000} { // at first the kernel's choice, then a search
		met := 0
		avoid := func(int) bool { met++; return met <= passes }
		gate := wire.New(wire.Config{Log: history.NewLog(nil), Avoid: avoid})
		p, err := gate.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: "127.0.0.1:1"})
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(met).To(BeNumerically(">", passes))
		g.Expect(portOf(g, p)).To(BeNumerically(">", 1024))
		g.Expect(gate.Close(context.Background())).To(Succeed())
	}
}

// Everything is to be avoided but three ports: each gateway finds one of them,
// and none that another one has, also while its service is refused.
func TestASearchedPortIsNobodyElses(t *testing.T) {
	g := NewWithT(t)
	free := map[int]bool{}
	for len(free) < 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		g.Expect(err).NotTo(HaveOccurred())
		free[l.Addr().(*net.TCPAddr).Port] = true
		l.Close()
	}
	found := map[int]bool{}
	for n := range 4 {
		gate := wire.New(wire.Config{Log: history.NewLog(nil), Avoid: func(port int) bool { return !free[port] }})
		defer func() { g.Expect(gate.Close(context.Background())).To(Succeed()) }()
		g.Expect(gate.Refuse("t-1", "approval")).To(Succeed())
		p, err := gate.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: "127.0.0.1:1"})
		if err != nil { // at the fourth; earlier if another program has taken one meanwhile
			g.Expect(err).To(MatchError(MatchRegexp(`^wire: door of w-1 to approval: reserve a port: each of the \d+ from \d+ to \d+ is in use or to be avoided$`)))
			break
		}
		port := portOf(g, p)
		g.Expect(free).To(HaveKey(port))
		g.Expect(found).NotTo(HaveKey(port))
		found[port] = true
		if n == 0 {
			g.Expect(gate.Readmit("t-1", "approval")).To(Succeed(), "it can be listened on")
		}
	}
	g.Expect(len(found)).To(And(BeNumerically(">=", 2), BeNumerically("<=", 3)))
}
