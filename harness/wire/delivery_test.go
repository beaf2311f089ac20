package wire_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// call writes one request on a raw connection and reads the reply, if it is to
// be read.
func ask(t *testing.T, c net.Conn, op string) {
	t.Helper()
	if _, err := fmt.Fprintf(c, "POST /%s HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx", op); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, c net.Conn) {
	t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
}

// The next request on the connection proves that the reply before it was taken,
// and so does a FIN.
func TestDelivered(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	c := r.dial()
	ask(t, c, "pay")
	read(t, c)
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.seam.asked()).To(Equal([]string{"pay#1 sent", "pay#1 replied"}))
	ask(t, c, "list")
	read(t, c)
	g.Expect(r.seam.asked()).To(Equal([]string{"pay#1 sent", "pay#1 replied", "pay#1 delivered", "list#1 sent", "list#1 replied"}))
	c.Close()
	g.Eventually(r.seam.asked).WithTimeout(patience).Should(HaveLen(6))
	g.Expect(r.seam.asked()[5]).To(Equal("list#1 delivered"))
	g.Expect(r.ends("conn-1")).To(Equal([]string{"client fin"}))
}

// A client that keeps its connection and says no more has taken the reply when it
// would have given up long since, unless something of it is unread.
func TestAClientThatKeepsItsConnectionHasTakenTheReply(t *testing.T) {
	g := NewWithT(t)
	r := newRigOf(t, 20*time.Millisecond)
	c := r.dial()
	defer c.Close()
	ask(t, c, "pay")
	g.Eventually(r.seam.asked).WithTimeout(patience).Should(Equal([]string{"pay#1 sent", "pay#1 replied"}))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	if runtime.GOOS == "linux" {
		g.Consistently(r.seam.asked, 300*time.Millisecond).Should(Equal([]string{"pay#1 sent", "pay#1 replied"}), "it has read nothing")
	}
	read(t, c)
	g.Eventually(r.seam.asked).WithTimeout(patience).Should(Equal([]string{"pay#1 sent", "pay#1 replied", "pay#1 delivered"}))
	ask(t, c, "list")
	read(t, c)
	g.Eventually(r.seam.asked).WithTimeout(patience).Should(Equal([]string{
		"pay#1 sent", "pay#1 replied", "pay#1 delivered", "list#1 sent", "list#1 replied", "list#1 delivered",
	}))
}

// One that goes without a proof has none by waiting.
func TestAClientThatWentIsNotWaitedFor(t *testing.T) {
	g := NewWithT(t)
	r := newRigOf(t, 50*time.Millisecond)
	c := r.dial()
	ask(t, c, "pay")
	read(t, c)
	c.SetLinger(0)
	c.Close()
	g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"client rst"}))
	g.Consistently(r.seam.asked, 200*time.Millisecond).Should(Equal([]string{"pay#1 sent", "pay#1 replied"}))
}

// An RST after the last byte proves nothing: the reply may be unread.
func TestResetAfterReply(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	c := r.dial()
	ask(t, c, "pay")
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Eventually(func() []string { return r.call("pay", 1) }).WithTimeout(patience).Should(Equal(whole(5)))
	c.SetLinger(0)
	c.Close()
	g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"client rst"}))
	g.Expect(r.seam.asked()).NotTo(ContainElement("pay#1 delivered"))
}

// A reply that comes after the client's FIN or RST is marked as such before it
// is written, although the write succeeds.
func TestReplyAfterClientHasGone(t *testing.T) {
	for _, how := range []string{history.HowFIN, history.HowRST} {
		t.Run(how, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			release := make(chan struct{})
			fired := r.seam.at("pay#1 replied", fault.Order{Wait: release})
			c := r.dial()
			ask(t, c, "pay")
			<-fired
			if how == history.HowRST {
				c.SetLinger(0)
			}
			c.Close()
			g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"client " + how}))
			close(release)
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.call("pay", 1)).To(HaveExactElements("sent", "forwarded", "replied", "passing 5 gone", HavePrefix("passed")))
			g.Expect(r.seam.asked()).NotTo(ContainElement("pay#1 delivered"))
		})
	}
}

// net/http's client that times out while the reply is held is undelivered by
// the records: its end comes before the last byte.
func TestClientTimesOut(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	release := make(chan struct{})
	fired := r.seam.at("pay#1 replied", fault.Order{Wait: release})
	ctx, giveUp := context.WithCancel(t.Context())
	go func() { <-fired; giveUp() }()
	_, problem := r.client().post(ctx, "pay", "x")
	g.Expect(problem).To(Equal("gave up"))
	g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(HaveLen(1))
	close(release)
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	var order []history.Kind
	for _, rec := range r.records(history.ConnEnded, history.CallPassing) {
		if rec.Wire.By != history.ByService {
			order = append(order, rec.Kind)
		}
	}
	g.Expect(order).To(Equal([]history.Kind{history.ConnEnded, history.CallPassing}))
}

// A pipelined request was sent before the reply: it proves nothing about it.
func TestPipelinedProvesNothing(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	release := make(chan struct{})
	r.seam.at("pay#1 replied", fault.Order{Wait: release})
	c := r.dial()
	ask(t, c, "pay")
	ask(t, c, "list")
	g.Eventually(r.seam.asked).WithTimeout(patience).Should(ContainElement("list#1 sent"))
	close(release)
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.seam.asked()).NotTo(ContainElement(HaveSuffix("delivered")))
	g.Expect(r.call("pay", 1)).To(ContainElement("passed 5"))
	g.Expect(r.call("list", 1)).To(ContainElement("passed 6"))
}

// What is recorded of one call, to the letter.
func TestRecord(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Retry-After", "2")
		w.Header().Set("retry-after-ms", "1250")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte("slow \xff down"))
	}
	c := r.dial()
	_, err := io.WriteString(c, "POST /pay?a=1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer secret\r\nIdempotency-Key: k-1\r\nContent-Length: 4\r\n\r\nbody")
	g.Expect(err).NotTo(HaveOccurred())
	read(t, c)
	c.Close()
	g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(HaveLen(1))
	var last history.Record
	for i, rec := range r.log.Records() {
		g.Expect(rec.At >= last.At).To(BeTrue())
		last = rec
		g.Expect(fmt.Sprintf("%+v", rec)).NotTo(ContainSubstring("secret"))
		g.Expect(rec.Task).To(Equal("t-1"))
		g.Expect(rec.Work).To(Equal("w-1"))
		switch w := rec.Wire; rec.Kind {
		case history.ConnOpened:
			g.Expect(i).To(BeZero())
			g.Expect(*w).To(Equal(history.Wire{Service: "approval", Conn: "conn-1"}))
		case history.CallSent:
			g.Expect(rec.Facts).To(Equal(&history.Facts{Key: "k-1", Object: "BODY"}))
			g.Expect(w.First).To(And(BeNumerically(">", 0), BeNumerically("<=", rec.At)))
			g.Expect(w.Digest).To(HaveLen(16))
			w.First, w.Digest = 0, ""
			g.Expect(*w).To(Equal(history.Wire{
				Service: "approval", Operation: "pay", Ordinal: 1, Conn: "conn-1", Seq: 1,
				Method: "POST", Path: "/pay?a=1", Key: "k-1", Body: "body", Size: 110, Whole: true,
			}))
		case history.CallReplied:
			g.Expect(rec.Facts).To(Equal(&history.Facts{Status: "429", Ref: "slow \xff dow"}))
			g.Expect(w.Status).To(Equal(429))
			g.Expect(w.RetryAfter.Milliseconds()).To(Equal(int64(1250)))
			g.Expect(w.Body).To(Equal("slow � down"))
		}
	}
}

// Two answers to the same bytes have the same digest, a changed byte another.
func TestDigest(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	for range 2 {
		c := r.dial()
		ask(t, c, "pay")
		read(t, c)
	}
	c := r.dial()
	ask(t, c, "pa")
	read(t, c)
	d1, d2, d3 := r.sentBy("pay", 1).Wire.Digest, r.sentBy("pay", 2).Wire.Digest, r.sentBy("pa", 1).Wire.Digest
	g.Expect(d1).To(Equal(d2))
	g.Expect(d1).NotTo(Equal(d3))
}
