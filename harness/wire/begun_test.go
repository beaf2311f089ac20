package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// inThree is a service's reply in three parts, each when it is told to.
func inThree(kind string, next <-chan struct{}) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		w.Header().Set("Content-Type", kind)
		for i := range 3 {
			<-next
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
		}
	}
}

// calm gives the rig a gate without a fault: what can flow flows.
func (r *rig) calm() {
	if err := r.g.Close(r.t.Context()); err != nil {
		r.t.Fatal(err)
	}
	r.g = wire.New(wire.Config{Log: r.log, Dialect: paths{}})
	r.proxy = r.open("w-2")
}

// Of a reply that comes in parts the record says when its first byte went to the
// client, and when its last; a client that gives up in between is not given what
// comes after, and the record does not say that it was.
func TestAReplyInPartsHasAFirstByteAndALast(t *testing.T) {
	for _, kind := range []string{"text/event-stream", "text/plain"} {
		for _, stays := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, the client stays: %t", kind, stays), func(t *testing.T) {
				g := NewWithT(t)
				r := newRig(t)
				next := make(chan struct{})
				r.service.reply = inThree(kind, next)
				r.calm()
				c := r.dial()
				ask(t, c, "watch")
				before := r.log.Now()
				next <- struct{}{}
				res, err := http.ReadResponse(bufio.NewReader(c), nil)
				g.Expect(err).NotTo(HaveOccurred())
				part := make([]byte, len("data: 0\n\n"))
				_, err = io.ReadFull(res.Body, part)
				g.Expect(err).NotTo(HaveOccurred())
				g.Expect(string(part)).To(Equal("data: 0\n\n"), "while the reply lasts")
				read := r.log.Now()
				g.Expect(r.records(history.CallPassing, history.CallPassed)).To(BeEmpty(), "its last byte is to come")
				replied := r.records(history.CallReplied)
				g.Expect(replied).NotTo(BeEmpty())
				g.Expect(replied[0].At).To(BeNumerically("<", read), "recorded before the client has any of it")
				g.Expect(replied[0].Wire.Whole).To(BeFalse())

				if !stays {
					c.Close()
					g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(HaveLen(1))
				}
				next <- struct{}{}
				last := r.log.Now()
				next <- struct{}{}
				if stays {
					rest, err := io.ReadAll(res.Body)
					g.Expect(err).NotTo(HaveOccurred())
					g.Expect(string(rest)).To(Equal("data: 1\n\ndata: 2\n\n"))
				}
				g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
				if !stays {
					g.Expect(r.ends("conn-1")).To(ConsistOf(HavePrefix("client ")), "with RST if the end of a chunk came apart from it and is unread")
				}
				passing, passed := r.records(history.CallPassing), r.records(history.CallPassed)
				g.Expect(passing).To(HaveLen(1))
				g.Expect(passed).To(HaveLen(1))
				for _, rec := range []history.Record{passing[0], passed[0]} {
					g.Expect(rec.Wire.Begun).To(And(BeNumerically(">", before), BeNumerically("<", read)), "the first byte, %s", rec.Kind)
					g.Expect(rec.At).To(BeNumerically(">", last), "the last byte, %s", rec.Kind)
				}
				g.Expect(passing[0].Wire.Gone).To(Equal(!stays))
				if stays {
					g.Expect(passed[0].Wire.Whole).To(BeTrue())
					g.Expect(passed[0].Wire.Size).To(BeEquivalentTo(len("data: 0\n\n") * 3))
				}
			})
		}
	}
}

// A reply that is written at once has one instant; one that drips has two.
func TestOnlyAReplyInPartsHasABegun(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.seam.at("pay#2 replied", fault.Order{Action: fault.Drip, Every: time.Millisecond})
	for range 2 {
		_, problem := r.client().post(t.Context(), "pay", "x")
		g.Expect(problem).To(BeEmpty())
	}
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	passed := r.records(history.CallPassed)
	g.Expect(passed).To(HaveLen(2))
	g.Expect(passed[0].Wire.Begun).To(BeZero())
	g.Expect(passed[1].Wire.Begun).To(BeNumerically(">", r.records(history.CallReplied)[1].At))
	g.Expect(passed[1].At-passed[1].Wire.Begun).To(BeNumerically(">", 20*time.Millisecond), "it has more bytes than that")
}

// Behind a toxic a reply begins when its first byte comes out of it, not when it
// goes in, and not with the end of the reply before.
func TestAReplyBeginsBehindTheWeather(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
	}
	const late = 60
	r.seam.at("pay#1 replied", fault.Order{Weather: []fault.Weather{{Type: "latency", Attributes: map[string]int64{"latency": late}}}})
	_, problem := r.client().post(t.Context(), "pay", "x")
	g.Expect(problem).To(BeEmpty())
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	passed, replied := r.records(history.CallPassed), r.records(history.CallReplied)
	g.Expect(passed[0].Wire.Begun - replied[0].At).To(BeNumerically(">=", late*time.Millisecond))
	g.Expect(passed[0].Wire.Begun).To(BeNumerically("<=", passed[0].At))
}
