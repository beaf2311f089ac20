package wire_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// A service knows each call by its peer and the number of the request, before
// the request has reached it.
func TestIdentify(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	var mu sync.Mutex
	seen := map[string]fault.Ref{}
	r.service.came = func(req *http.Request, seq int) {
		ref, ok := r.g.Identify("approval", req.RemoteAddr, seq)
		mu.Lock()
		defer mu.Unlock()
		if !ok {
			t.Errorf("%s seq %d is not known", req.RemoteAddr, seq)
		}
		seen[ref.Call] = ref
	}
	second := r.open("w-2")
	var wg sync.WaitGroup
	for _, url := range []string{r.proxy.URL(), second.URL()} {
		for range 4 {
			cl := r.client()
			cl.url = url
			wg.Go(func() {
				for range 20 {
					if _, problem := cl.post(t.Context(), "pay", "x"); problem != "" {
						t.Error(problem)
					}
				}
			})
		}
	}
	wg.Wait()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(seen).To(HaveLen(160))
	ordinals := map[int]bool{}
	for _, rec := range r.records(history.CallSent) {
		ref := seen[rec.Call]
		g.Expect(ref.Work).To(Equal(rec.Work))
		g.Expect(ref.Ordinal).To(Equal(rec.Wire.Ordinal))
		g.Expect(ref.Reused).To(Equal(rec.Wire.Seq > 1))
		ordinals[ref.Ordinal] = true
	}
	g.Expect(ordinals).To(HaveLen(160), "ordinals count over all works of a task")
	_, ok := r.g.Identify("approval", "127.0.0.1:1", 1)
	g.Expect(ok).To(BeFalse())
}

// A refused dial is refused by the kernel; a connection that stands goes on.
func TestRefuse(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	other, err := r.g.Open(t.Context(), wire.Door{Task: "t-2", Work: "w-9", Service: "approval", Upstream: r.service.addr()})
	g.Expect(err).NotTo(HaveOccurred())
	live, fresh := r.client(), r.client()
	_, problem := live.post(t.Context(), "pay", "1")
	g.Expect(problem).To(BeEmpty())

	g.Expect(r.g.Refuse("t-1", "approval")).To(Succeed())
	g.Expect(r.g.Refuse("t-1", "approval")).To(Succeed())
	later := r.open("w-2")
	_, problem = fresh.post(t.Context(), "pay", "2")
	g.Expect(problem).To(Equal("refused"))
	_, problem = live.post(t.Context(), "pay", "3")
	g.Expect(problem).To(BeEmpty())
	fresh.url = later.URL()
	_, problem = fresh.post(t.Context(), "pay", "4")
	g.Expect(problem).To(Equal("refused"))
	fresh.url = other.URL()
	_, problem = fresh.post(t.Context(), "pay", "5")
	g.Expect(problem).To(BeEmpty(), "another task is not concerned")

	g.Expect(r.g.Readmit("t-1", "approval")).To(Succeed())
	fresh.url = r.proxy.URL()
	_, problem = fresh.post(t.Context(), "pay", "6")
	g.Expect(problem).To(Equal("refused"), "one refusal is left")
	g.Expect(r.g.Readmit("t-1", "approval")).To(Succeed())
	for _, p := range []*wire.Proxy{r.proxy, later} {
		fresh.url = p.URL()
		_, problem = fresh.post(t.Context(), "pay", "7")
		g.Expect(problem).To(BeEmpty())
	}
	g.Expect(r.service.bodies("pay")).To(Equal([]string{"1", "3", "5", "7", "7"}))
	g.Expect(r.g.Readmit("t-1", "approval")).To(MatchError("wire: approval is not refused to t-1: call Refuse first"))
}

// Nobody is given the port while its service is refused.
func TestRefusedPortIsKept(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	addr := strings.TrimPrefix(r.proxy.URL(), "http://")
	for range tries(t, 50) {
		g.Expect(r.g.Refuse("t-1", "approval")).To(Succeed())
		_, err := net.Dial("tcp", addr)
		g.Expect(class(err)).To(Equal("refused"))
		g.Expect(r.g.Readmit("t-1", "approval")).To(Succeed())
		c, err := net.Dial("tcp", addr)
		g.Expect(err).NotTo(HaveOccurred())
		c.Close()
	}
}

// Close releases what is held, in either direction, and waits for a service
// that never answers, a client that never reads and one that has vanished.
func TestClose(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	never := make(chan struct{})
	stuck := make(chan struct{})
	defer close(stuck)
	r.service.reply = func(w http.ResponseWriter, req *http.Request, body []byte) {
		switch req.URL.Path {
		case "/never":
			<-stuck
		case "/big":
			_, _ = w.Write(make([]byte, 20<<20))
		default:
			_, _ = w.Write(body)
		}
	}
	var fired []<-chan struct{}
	for _, p := range []string{"pay#1 sent", "pay#2 replied", "pay#3 sent"} {
		fired = append(fired, r.seam.at(p, fault.Order{Wait: never}))
	}
	fired = append(fired, r.seam.at("pay#4 replied", fault.Order{Action: fault.Drip, Every: time.Hour}))
	for i, f := range fired {
		c := r.dial()
		ask(t, c, "pay")
		<-f
		if i == 2 {
			c.Close()
		}
	}
	ask(t, r.dial(), "never")
	ask(t, r.dial(), "big")
	_, err := io.WriteString(r.dial(), "POST /pay HTTP/1.1\r\nHo")
	g.Expect(err).NotTo(HaveOccurred())
	r.dial()
	g.Eventually(func() []string { return r.call("big", 1) }).WithTimeout(patience).Should(HaveLen(3))
	g.Eventually(func() []string { return r.call("never", 1) }).WithTimeout(patience).Should(HaveLen(2))

	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	g.Expect(r.g.Close(ctx)).To(Succeed())
	g.Expect(r.g.Busy()).To(BeZero())
	g.Expect(r.service.count("pay")).To(Equal(2), "what was held is dropped")
	_, err = r.g.Open(ctx, wire.Door{Task: "t", Work: "w", Service: "s", Upstream: r.service.addr()})
	g.Expect(err).To(MatchError(wire.ErrClosed))
	g.Expect(r.g.Close(ctx)).To(Succeed(), "closing twice is one")
}

// Big downloads that their clients abort leave no goroutine behind. The rig
// checks that.
func TestAbortedDownloads(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = w.Write(make([]byte, 20<<20)) }
	for i := range 30 {
		c := r.dial()
		ask(t, c, "big")
		_, err := io.ReadFull(c, make([]byte, 500))
		g.Expect(err).NotTo(HaveOccurred())
		if i%2 == 0 {
			c.SetLinger(0)
		}
		c.Close()
	}
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	for i := range 30 {
		g.Expect(r.call("big", i+1)).To(HaveExactElements("sent", "forwarded", "replied part", And(HavePrefix("passing"), HaveSuffix("gone")), HaveSuffix("part")))
	}
}

// A proxy that is closed ends its own connections and no others.
func TestCloseOneProxy(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	second := r.open("w-2")
	a, b := r.client(), r.client()
	b.url = second.URL()
	for _, cl := range []*client{a, b} {
		_, problem := cl.post(t.Context(), "pay", "x")
		g.Expect(problem).To(BeEmpty())
	}
	g.Expect(second.Close()).To(Succeed())
	b.c.CloseIdleConnections()
	_, problem := b.post(t.Context(), "pay", "x")
	g.Expect(problem).To(Equal("refused"))
	_, problem = a.post(t.Context(), "pay", "x")
	g.Expect(problem).To(BeEmpty())
	g.Expect(r.sentBy("pay", 3).Wire.Seq).To(Equal(2))
	g.Expect(r.ends("conn-2")).To(ContainElement("harness fin"))
}

// A service that cannot be dialled resets the client, off the accept loop.
func TestServiceIsDown(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	ln.Close()
	p, err := r.g.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-5", Service: "approval", Upstream: ln.Addr().String()})
	g.Expect(err).NotTo(HaveOccurred())
	cl := r.client()
	cl.url = p.URL()
	_, problem := cl.post(t.Context(), "pay", "x")
	g.Expect(problem).To(Or(Equal("reset"), Equal("closed"), ContainSubstring("broken pipe")))
	g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"harness rst"}))
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	_, err := r.g.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "desk"})
	g.Expect(err).To(MatchError("wire: door of w-1 to desk: no upstream: say where the service listens"))
	_, err = r.g.Open(t.Context(), wire.Door{Work: "w-1", Service: "desk", Upstream: "x:1", Host: "example.org"})
	g.Expect(err).To(MatchError(`wire: door of w-1 to desk: host "example.org" is not an IP address`))
}

// Many calls with all kinds of faults return goroutines and counters to where
// they were.
func TestManyFaults(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	actions := []fault.Action{fault.Pass, fault.Reset, fault.Close, fault.Truncate, fault.Garble, fault.Duplicate, fault.Drip}
	phases := []fault.Phase{fault.Sent, fault.Replied}
	const calls = 400
	for i := range calls {
		released := make(chan struct{})
		close(released)
		r.seam.at(fmt.Sprintf("pay#%d %s", i+1, phases[i/len(actions)%2]), fault.Order{Action: actions[i%len(actions)], Bytes: i%9 - 1, Wait: released})
	}
	var wg sync.WaitGroup
	var next sync.Mutex
	left := calls
	for range 8 {
		cl := r.client()
		wg.Go(func() {
			for {
				next.Lock()
				left--
				done := left < 0
				next.Unlock()
				if done {
					return
				}
				_, _ = cl.post(t.Context(), "pay", "0123456789")
			}
		})
	}
	wg.Wait()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	replies := map[string]int{}
	for _, rec := range r.records(history.CallReplied) {
		replies[rec.Call]++
	}
	for call, n := range replies {
		g.Expect(n).To(Equal(1), call)
	}
	g.Expect(len(r.records(history.CallSent))).To(BeNumerically(">=", calls))
}
