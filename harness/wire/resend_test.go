package wire_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// net/http sends a request again without a word to its caller when a reused
// connection ends before a byte of the reply: a GET, and a POST with an
// Idempotency-Key. Each such resend is a call of its own in the record, with
// the bytes of the one before it and the next ordinal, so a fault never strikes
// it that was planned for the first. Once a byte of the reply has come there is
// none, nor on a fresh connection, nor of a POST without a key.
func TestHiddenResends(t *testing.T) {
	for _, c := range []struct {
		name    string
		method  string
		key     string
		fresh   bool
		phase   string
		order   fault.Order
		problem string
		sends   int
		arrives int
	}{
		{name: "GET, reply reset", method: "GET", phase: "replied", order: fault.Order{Action: fault.Reset}, sends: 2, arrives: 2},
		{name: "GET, reply closed", method: "GET", phase: "replied", order: fault.Order{Action: fault.Close}, sends: 2, arrives: 2},
		{name: "POST with a key, reply reset", method: "POST", key: "k-1", phase: "replied", order: fault.Order{Action: fault.Reset}, sends: 2, arrives: 2},
		{name: "POST with a key, request reset", method: "POST", key: "k-1", phase: "sent", order: fault.Order{Action: fault.Reset}, sends: 2, arrives: 1},
		{name: "POST with a key, cut after the head", method: "POST", key: "k-1", phase: "replied", order: fault.Order{Action: fault.Truncate}, problem: "cut short", sends: 1, arrives: 1},
		{name: "POST with a key, fresh", method: "POST", key: "k-1", fresh: true, phase: "replied", order: fault.Order{Action: fault.Reset}, problem: "reset", sends: 1, arrives: 1},
		{name: "POST without a key", method: "POST", phase: "replied", order: fault.Order{Action: fault.Reset}, problem: "reset", sends: 1, arrives: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			cl := r.client()
			if !c.fresh {
				_, problem := cl.post(t.Context(), "warm", "")
				g.Expect(problem).To(BeEmpty())
			}
			c.order.Receipt = &history.Fault{ID: "f-1"}
			r.seam.at("pay#1 "+c.phase, c.order)
			req, err := http.NewRequestWithContext(t.Context(), c.method, cl.url+"/pay", strings.NewReader(""))
			g.Expect(err).NotTo(HaveOccurred())
			if c.key != "" {
				req.Header.Set("Idempotency-Key", c.key)
			}
			var problem string
			if res, err := cl.c.Do(req); err != nil {
				problem = class(err)
			} else {
				_, err := io.Copy(io.Discard, res.Body)
				problem = class(err)
				res.Body.Close()
			}
			g.Expect(problem).To(Equal(c.problem))
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.service.count("pay")).To(Equal(c.arrives))
			var digests []string
			for _, rec := range r.records(history.CallSent) {
				if rec.Wire.Operation == "pay" {
					digests = append(digests, rec.Wire.Digest)
					g.Expect(rec.Wire.Ordinal).To(Equal(len(digests)))
				}
			}
			g.Expect(digests).To(HaveLen(c.sends))
			g.Expect(digests[0]).To(Equal(digests[len(digests)-1]), "byte for byte")
			struck := r.records(history.FaultStruck)
			g.Expect(struck).To(HaveLen(1))
			g.Expect(struck[0].Call).To(Equal(r.sentBy("pay", 1).Call))
		})
	}
}
