package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// An event stream flows: each event reaches its client while the reply lasts,
// its phase comes with the head, and the record of the reply has the events that
// were let go by then, before they were.
func TestEventStreamFlows(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	next := make(chan struct{})
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.(http.Flusher).Flush()
		for i := range 3 {
			<-next
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	}
	c := r.dial()
	ask(t, c, "watch")
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(r.seam.asked()).To(Equal([]string{"watch#1 sent", "watch#1 replied"}), "before any event")
	lines := bufio.NewScanner(res.Body)
	for i := range 3 {
		next <- struct{}{}
		g.Expect(lines.Scan()).To(BeTrue())
		g.Expect(lines.Text()).To(Equal(fmt.Sprintf("data: %d", i)), "while the reply lasts")
		g.Expect(lines.Scan()).To(BeTrue())
		replied := r.records(history.CallReplied)
		g.Expect(replied[len(replied)-1].Facts).NotTo(BeNil(), "what it says is recorded before the client has it")
	}
	g.Expect(lines.Scan()).To(BeFalse())
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.records(history.CallPassed)[0].Wire.Whole).To(BeTrue())
}

// Truncate cuts an event stream where it was ordered, with what flows.
func TestEventStreamIsCut(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	}
	r.seam.at("watch#1 replied", fault.Order{Action: fault.Truncate, Bytes: 12})
	c := r.dial()
	ask(t, c, "watch")
	b, err := io.ReadAll(c)
	g.Expect(err).NotTo(HaveOccurred())
	_, body, _ := strings.Cut(string(b), "\r\n\r\n")
	g.Expect(body).To(Equal("9\r\ndata: 0\n\n\r\n9\r\ndat"))
}

// inBody is a dialect whose operations stand in the body.
type inBody struct{ paths }

func (inBody) InBody(_ string, r *http.Request) bool { return r.URL.Path == "/rpc" }

func (inBody) BodyOperation(_ string, _ *http.Request, body []byte) string {
	op, _, _ := strings.Cut(string(body), " ")
	return op
}

// A request whose operation stands in its body is named when that has come: its
// ordinal counts for the operation, and its faults strike it and nothing else.
func TestOperationInTheBody(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	gate := wire.New(wire.Config{Log: r.log, Seam: r.seam, Dialect: inBody{}})
	defer func() { g.Expect(gate.Close(t.Context())).To(Succeed()) }()
	p, err := gate.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-2", Service: "approval", Upstream: r.service.addr()})
	g.Expect(err).NotTo(HaveOccurred())
	cl := r.client()
	cl.url = p.URL()
	r.seam.at("buy#2 sent", fault.Order{Action: fault.Reset})
	for _, c := range []struct{ op, body, problem string }{
		{"rpc", "buy 1", ""}, {"rpc", "ask 1", ""}, {"buy", "by its path", "reset"}, {"rpc", "buy 2", ""}, {"rpc", "buy " + strings.Repeat("x", 100_000), ""},
	} {
		_, problem := cl.post(t.Context(), c.op, c.body)
		g.Expect(problem).To(Equal(c.problem), c.body[:5])
	}
	g.Expect(r.seam.asked()).To(ContainElements("buy#1 sent", "ask#1 sent", "buy#2 sent", "buy#3 sent", "buy#4 sent"))
	g.Expect(r.service.count("rpc")).To(Equal(4))
	g.Expect(r.service.count("buy")).To(BeZero())
}
