package wire_test

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

func TestAPortThatIsToBeAvoidedIsNotUsed(t *testing.T) {
	g := NewWithT(t)
	var met []int
	avoid := func(port int) bool {
		met = append(met, port)
		return len(met)%3 != 0
	}
	gate := wire.New(wire.Config{Log: history.NewLog(nil), Avoid: avoid})
	defer func() { g.Expect(gate.Close(context.Background())).To(Succeed()) }()
	for n := 1; n <= 3; n++ {
		p, err := gate.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: "127.0.0.1:1"})
		g.Expect(err).NotTo(HaveOccurred())
		u, err := url.Parse(p.URL())
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(met).To(HaveLen(3 * n))
		g.Expect(u.Port()).To(Equal(strconv.Itoa(met[3*n-1])))
	}
}

func TestThereIsAnEndToAvoidingPorts(t *testing.T) {
	g := NewWithT(t)
	gate := wire.New(wire.Config{Log: history.NewLog(nil), Avoid: func(int) bool { return true }})
	defer func() { g.Expect(gate.Close(context.Background())).To(Succeed()) }()
	_, err := gate.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: "127.0.0.1:1"})
	g.Expect(err).To(MatchError("wire: door of w-1 to approval: reserve a port: the 1000 that were found have all been used just now"))
	g.Expect(errors.Is(err, wire.ErrClosed)).To(BeFalse())
}
