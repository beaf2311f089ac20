package wire_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A reply is cut at every byte of its head, at the boundary, at every byte of its
// body, and in the middle of each chunk: the client gets exactly what stands
// before the place, and the receipt names it.
func TestCutAtEveryByte(t *testing.T) {
	const body = "0123456789"
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, req *http.Request, _ []byte) {
		w.Header()["Date"] = nil
		for _, part := range []string{body[:6], body[6:]} {
			if req.URL.Path == "/chunked" {
				_, _ = io.WriteString(w, part)
				w.(http.Flusher).Flush()
			}
		}
		if req.URL.Path == "/pay" {
			_, _ = io.WriteString(w, body)
		}
	}
	n := map[string]int{}
	whole := func(op string) string {
		n[op]++
		c := r.dial()
		ask(t, c, op)
		_ = c.CloseWrite() // so that the service ends it
		b, err := io.ReadAll(c)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	cut := func(op string, o fault.Order) string {
		o.Action, o.Receipt = fault.Truncate, &history.Fault{ID: fmt.Sprintf("%s %s %d", op, o.Cut, o.Bytes)}
		r.seam.at(fmt.Sprintf("%s#%d replied", op, n[op]+1), o)
		return whole(op)
	}
	struck := func(id string) int64 {
		var at int64 = -1
		NewWithT(t).Eventually(func() bool {
			for _, rec := range r.records(history.FaultStruck) {
				if rec.Fault.ID == id {
					at = rec.Fault.Byte
				}
			}
			return at >= 0
		}).WithTimeout(patience).Should(BeTrue(), id)
		return at
	}
	g := NewWithT(t)
	all := whole("pay")
	head := strings.Index(all, "\r\n\r\n") + 4
	for i := 1; i < head; i++ {
		g.Expect(cut("pay", fault.Order{Cut: fault.InHead, Bytes: i})).To(Equal(all[:i]))
		g.Expect(struck(fmt.Sprintf("pay head %d", i))).To(Equal(int64(i)))
	}
	for i := range len(body) {
		g.Expect(cut("pay", fault.Order{Bytes: i})).To(Equal(all[:head+i]))
		g.Expect(struck(fmt.Sprintf("pay  %d", i))).To(Equal(int64(head + i)))
	}
	chunked := whole("chunked")
	for i, upTo := range []string{"6\r\n012", "6\r\n012345\r\n4\r\n67"} {
		want := chunked[:strings.Index(chunked, "\r\n\r\n")+4] + upTo
		g.Expect(cut("chunked", fault.Order{Cut: fault.InChunk, Bytes: i + 1})).To(Equal(want))
		g.Expect(struck(fmt.Sprintf("chunked chunk %d", i+1))).To(Equal(int64(len(want))))
	}
}

// A place that the reply does not have is a fault that failed, and the reply
// passes whole.
func TestAPlaceThatIsNotThere(t *testing.T) {
	for _, c := range []struct {
		order  fault.Order
		reason string
	}{
		{fault.Order{Cut: fault.InHead, Bytes: 4000}, "the head has only"},
		{fault.Order{Cut: fault.InChunk, Bytes: 1}, "the body is not chunked"},
		{fault.Order{Bytes: 4000}, "the body has only 5 bytes"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			c.order.Action, c.order.Receipt = fault.Truncate, &history.Fault{ID: "f-1"}
			r.seam.at("pay#1 replied", c.order)
			answer, problem := r.client().post(t.Context(), "pay", "x")
			g.Expect(problem).To(BeEmpty())
			g.Expect(answer).To(Equal("pay:x"))
			failed := r.records(history.FaultFailed)
			g.Expect(failed).To(HaveLen(1))
			g.Expect(failed[0].Fault.Reason).To(ContainSubstring(c.reason))
			g.Eventually(func() []history.Record { return r.records(history.FaultStruck) }).Should(BeEmpty())
		})
	}
}
