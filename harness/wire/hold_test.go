package wire_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A held request arrives at the service after its client has given up: a real
// late success.
func TestLateArrival(t *testing.T) {
	for _, size := range []int{0, 10, 60 << 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			release := make(chan struct{})
			fired := r.seam.at("pay#1 sent", fault.Order{Wait: release})
			ctx, giveUp := context.WithCancel(t.Context())
			cl := r.client()
			body := strings.Repeat("x", size)
			result := make(chan string)
			go func() {
				_, problem := cl.post(ctx, "pay", body)
				result <- problem
			}()
			<-fired
			g.Expect(r.service.count("pay")).To(BeZero())
			g.Expect(r.g.Busy()).To(Equal(1))
			giveUp()
			g.Eventually(result).WithTimeout(patience).Should(Receive(Equal("gave up")))
			g.Eventually(func() []history.Record { return r.records(history.ConnEnded) }).WithTimeout(patience).Should(HaveLen(1))
			g.Expect(r.service.count("pay")).To(BeZero())
			close(release)
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.service.bodies("pay")).To(Equal([]string{body}))
			g.Expect(r.call("pay", 1)).To(ContainElement(And(HavePrefix("passing"), HaveSuffix("gone"))))
		})
	}
}

// A raw client that has sent all of a big request before it leaves is a late
// success too.
func TestLateArrivalOfBigRequest(t *testing.T) {
	for _, how := range []string{"fin", "rst"} {
		t.Run(how, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			release := make(chan struct{})
			fired := r.seam.at("pay#1 sent", fault.Order{Wait: release})
			c := r.dial()
			const size = 3 << 20
			_, err := fmt.Fprintf(c, "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s", size, bytes.Repeat([]byte("x"), size))
			g.Expect(err).NotTo(HaveOccurred())
			<-fired
			g.Expect(c.CloseWrite()).To(Succeed())
			if how == "rst" {
				// An RST overtakes what the kernel still holds, so the FIN waits until the gate has read everything.
				g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"client fin"}))
				g.Expect(c.SetLinger(0)).To(Succeed())
			}
			g.Expect(c.Close()).To(Succeed())
			g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"client fin"}))
			g.Expect(r.service.count("pay")).To(BeZero())
			close(release)
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.service.bodies("pay")).To(HaveExactElements(HaveLen(size)))
			sent := r.sentBy("pay", 1)
			g.Expect(sent.Wire.Whole).To(BeTrue())
			g.Expect(sent.Wire.Body).To(HaveLen(64 << 10))
		})
	}
}

// After a hold the rest of the order is carried out.
func TestHoldAndThen(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	release := make(chan struct{})
	fired := r.seam.at("pay#1 replied", fault.Order{Wait: release, Action: fault.Reset})
	cl := r.client()
	result := make(chan string)
	go func() {
		_, problem := cl.post(t.Context(), "pay", "x")
		result <- problem
	}()
	<-fired
	g.Expect(r.call("pay", 1)).To(Equal([]string{"sent", "forwarded", "replied"}))
	close(release)
	g.Expect(<-result).To(Equal("reset"))
}

// A held reply is passed when it is released; until then nothing of it is.
func TestHeldReply(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	release := make(chan struct{})
	fired := r.seam.at("pay#1 replied", fault.Order{Wait: release})
	cl := r.client()
	answer := make(chan string)
	go func() {
		a, _ := cl.post(t.Context(), "pay", "x")
		answer <- a
	}()
	<-fired
	g.Expect(r.call("pay", 1)).To(ContainElement("replied"))
	g.Expect(r.call("pay", 1)).NotTo(ContainElement(HavePrefix("passing")))
	close(release)
	g.Expect(<-answer).To(Equal("pay:x"))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.call("pay", 1)).To(Equal(whole(5)))
}

// Another call of the same task goes on while one is held.
func TestHoldConcernsOneConnection(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	release := make(chan struct{})
	fired := r.seam.at("pay#1 sent", fault.Order{Wait: release})
	first := make(chan string)
	held, free := r.client(), r.client()
	go func() {
		a, _ := held.post(t.Context(), "pay", "1")
		first <- a
	}()
	<-fired
	answer, problem := free.post(t.Context(), "pay", "2")
	g.Expect(problem).To(BeEmpty())
	g.Expect(answer).To(Equal("pay:2"))
	close(release)
	g.Expect(<-first).To(Equal("pay:1"))
}

// A duplicate is a call of its own: the service gets the identical request, the
// gate drops the reply.
func TestDuplicate(t *testing.T) {
	for _, size := range []int{10, 200 << 10} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			refs := make(chan fault.Ref, 2)
			r.service.came = func(req *http.Request, seq int) {
				ref, ok := r.g.Identify("approval", req.RemoteAddr, seq)
				g.Expect(ok).To(BeTrue())
				refs <- ref
			}
			r.seam.at("pay#1 sent", fault.Order{Action: fault.Duplicate})
			body := strings.Repeat("x", size)
			answer, problem := r.client().post(t.Context(), "pay", body)
			g.Expect(problem).To(BeEmpty())
			g.Expect(answer).To(Equal("pay:" + body))
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.service.bodies("pay")).To(Equal([]string{body, body}))
			g.Expect([]fault.Ref{<-refs, <-refs}).To(ConsistOf(
				fault.Ref{Call: "c-1", Task: "t-1", Work: "w-1", Ordinal: 1},
				fault.Ref{Call: "c-2", Task: "t-1", Work: "w-1", Copy: true},
			))
			var kinds []history.Kind
			var sent []history.Record
			for _, rec := range r.log.Records() {
				if rec.Call == "c-2" {
					kinds = append(kinds, rec.Kind)
					g.Expect(rec.Wire.Copy).To(BeTrue())
				}
				if rec.Kind == history.CallSent {
					sent = append(sent, rec)
				}
			}
			g.Expect(kinds).To(Equal([]history.Kind{history.CallSent, history.CallForwarded, history.CallReplied}))
			g.Expect(sent).To(HaveLen(2))
			g.Expect(sent[1].Wire.Digest).To(Equal(sent[0].Wire.Digest))
			g.Expect(sent[1].Facts).To(Equal(sent[0].Facts))

			// The next request of the task is number 2: copies are not counted.
			_, problem = r.client().post(t.Context(), "pay", "")
			g.Expect(problem).To(BeEmpty())
			g.Expect(r.sentBy("pay", 2).Call).To(Equal("c-3"))
		})
	}
}

func TestDuplicateTooLong(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.seam.at("pay#1 sent", fault.Order{Action: fault.Duplicate, Receipt: &history.Fault{ID: "f-7", Effect: "duplicate"}})
	_, problem := r.client().post(t.Context(), "pay", strings.Repeat("x", 9<<20))
	g.Expect(problem).To(BeEmpty())
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.service.count("pay")).To(Equal(1))
	failed := r.records(history.FaultFailed)
	g.Expect(failed).To(HaveLen(1))
	g.Expect(failed[0].Call).To(Equal("c-1"))
	g.Expect(*failed[0].Fault).To(Equal(history.Fault{ID: "f-7", Effect: "duplicate", Reason: "the request is longer than 8 MiB"}))
}
