package wire_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func weather(kind string, upstream bool, attributes map[string]int64) fault.Order {
	return fault.Order{Weather: []fault.Weather{{
		Type: kind, Upstream: upstream, Attributes: attributes, Receipt: &history.Fault{ID: "f-1", Effect: "toxic"},
	}}}
}

// far is an attribute of a duration that no test outlasts, in milliseconds.
const far = int64(time.Hour / time.Millisecond)

// A stock toxic is on one connection, from one message on, in one direction.
func TestWeather(t *testing.T) {
	body := strings.Repeat("0123456789", 30)
	for _, c := range []struct {
		name    string
		order   fault.Order
		phase   fault.Phase
		seen    int    // requests that the service has had by the time the client gives up
		problem string // of the client
	}{
		{"latency on the request", weather("latency", true, map[string]int64{"latency": far}), fault.Sent, 0, "gave up"},
		{"latency on the reply", weather("latency", false, map[string]int64{"latency": far}), fault.Sent, 1, "gave up"},
		{"latency from the reply on", weather("latency", false, map[string]int64{"latency": far}), fault.Replied, 1, "gave up"},
		{"a little latency", weather("latency", true, map[string]int64{"latency": 1}), fault.Sent, 1, ""},
		{"slicer both ways", fault.Order{Weather: append(
			weather("slicer", true, map[string]int64{"average_size": 7}).Weather,
			weather("slicer", false, map[string]int64{"average_size": 7, "delay": 1}).Weather...)}, fault.Sent, 1, ""},
		{"bandwidth", weather("bandwidth", false, map[string]int64{"rate": 1000}), fault.Sent, 1, ""},
		{"slow bandwidth", weather("bandwidth", false, map[string]int64{"rate": 1}), fault.Replied, 1, ""},
		{"slow close", weather("slow_close", false, map[string]int64{"delay": far}), fault.Sent, 1, ""},
		{"black hole for requests", weather("timeout", true, nil), fault.Sent, 0, "gave up"},
		{"black hole for replies", weather("timeout", false, nil), fault.Sent, 1, "gave up"},
		{"black hole that closes", weather("timeout", false, map[string]int64{"timeout": 1}), fault.Replied, 1, "closed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			bystanders := func() {}
			if c.problem != "gave up" {
				bystanders = r.bystanders(2) // it waits until nothing is in flight
			}
			hold := make(chan struct{})
			c.order.Wait = hold
			fired := r.seam.at("pay#1 "+string(c.phase), c.order)
			ctx, giveUp := context.WithCancel(t.Context())
			defer giveUp()
			cl := r.client()
			result := make(chan [2]string, 1)
			go func() {
				answer, problem := cl.post(ctx, "pay", body)
				result <- [2]string{answer, problem}
			}()
			<-fired
			g.Expect(r.records(history.FaultStruck)).To(BeEmpty(), "it comes after the hold")
			close(hold)
			g.Eventually(func() []history.Record { return r.records(history.FaultStruck) }).WithTimeout(patience).Should(HaveLen(len(c.order.Weather)))
			if c.problem == "gave up" {
				if c.seen > 0 {
					g.Eventually(func() []string { return r.call("pay", 1) }).WithTimeout(patience).Should(HaveLen(3))
				}
				if c.order.Weather[0].Type == "timeout" {
					g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed(), "what vanished is not in flight")
				}
				giveUp()
			}
			got := <-result
			g.Expect(got[1]).To(Equal(c.problem))
			if c.problem == "" {
				g.Expect(got[0]).To(Equal("pay:" + body))
				g.Eventually(func() []string { return r.call("pay", 1) }).WithTimeout(patience).Should(Equal(whole(len(body) + 4)))
			} else {
				g.Expect(r.call("pay", 1)).NotTo(ContainElement(HavePrefix("passed " + "304")))
			}
			g.Expect(r.service.count("pay")).To(Equal(c.seen))
			cl.c.CloseIdleConnections()
			// Another connection of the same work and service has none of it.
			_, problem := r.client().post(t.Context(), "pay", body)
			g.Expect(problem).To(BeEmpty())
			bystanders()
			struck := r.records(history.FaultStruck)[0]
			g.Expect(struck.Call).To(Equal(r.sentBy("pay", 1).Call))
			g.Expect(struck.Fault.ID).To(Equal("f-1"))
		})
	}
}

// What follows on the connection passes the toxic too, in its order.
func TestWeatherStays(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.seam.at("pay#2 sent", weather("slicer", false, map[string]int64{"average_size": 1}))
	r.seam.at("pay#4 replied", weather("latency", false, map[string]int64{"latency": 1}))
	cl := r.client()
	for range 6 {
		answer, problem := cl.post(t.Context(), "pay", strings.Repeat("x", 2000))
		g.Expect(problem).To(BeEmpty())
		g.Expect(answer).To(Equal("pay:" + strings.Repeat("x", 2000)))
	}
	g.Expect(r.sentBy("pay", 6).Wire.Seq).To(Equal(6))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	for n := range 6 {
		g.Expect(r.call("pay", n+1)).To(Equal(whole(2004)))
	}
}

// A toxic comes and goes while the gate holds or drips a message, which stops
// and starts the gate: nothing is lost and nothing let go.
func TestGateIsInterrupted(t *testing.T) {
	for _, first := range []fault.Order{{}, {Action: fault.Drip, Every: time.Microsecond}} {
		g := NewWithT(t)
		r := newRig(t)
		hold := make(chan struct{})
		first.Wait = hold
		r.seam.at("pay#1 replied", first)
		// The second request of the connection orders toxics, again and again, while the first reply is held.
		many := fault.Order{}
		for range 20 {
			many.Weather = append(many.Weather, weather("slicer", false, map[string]int64{"average_size": 5}).Weather...)
			many.Weather = append(many.Weather, weather("latency", false, map[string]int64{"latency": 0}).Weather...)
		}
		r.seam.at("list#1 sent", many)
		c := r.dial()
		ask(t, c, "pay")
		ask(t, c, "list")
		g.Eventually(func() []history.Record { return r.records(history.FaultStruck) }).WithTimeout(patience).Should(HaveLen(40))
		g.Expect(r.call("pay", 1)).To(Equal([]string{"sent", "forwarded", "replied"}))
		close(hold)
		read(t, c)
		g.Eventually(func() []string { return r.call("list", 1) }).WithTimeout(patience).Should(Equal(whole(6)))
		g.Expect(r.call("pay", 1)).To(Equal(whole(5)))
		g.Expect(r.records(history.FaultFailed)).To(BeEmpty())
	}
}

// Upstream, taking a latency of an hour away leaks its goroutines, takes 5 s a
// chunk when the client has gone, and, with a client that does not read, locks
// up for ever. None of it happens here: Close is done at once.
func TestCloseEndsTheWeather(t *testing.T) {
	for name, order := range map[string]fault.Order{
		"latency":    weather("latency", false, map[string]int64{"latency": far}),
		"slow close": weather("slow_close", false, map[string]int64{"delay": far}),
		"bandwidth":  weather("bandwidth", false, map[string]int64{"rate": 1}),
		"slicer":     weather("slicer", false, map[string]int64{"average_size": 1, "delay": int64(time.Hour / time.Microsecond)}),
		"timeout":    weather("timeout", false, map[string]int64{"timeout": far}),
	} {
		for _, client := range []string{"reads nothing", "has gone", "waits"} {
			t.Run(name+" "+client, func(t *testing.T) {
				g := NewWithT(t)
				r := newRig(t)
				big := bytes.Repeat([]byte("x"), 1<<20)
				r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = w.Write(big) }
				r.seam.at("pay#1 replied", order)
				c := r.dial()
				ask(t, c, "pay")
				g.Eventually(func() []history.Record { return r.records(history.FaultStruck) }).WithTimeout(patience).Should(HaveLen(1))
				switch client {
				case "has gone":
					c.SetLinger(0)
					c.Close()
				case "waits":
					go func() { _, _ = io.Copy(io.Discard, c) }()
				}
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				began := time.Now()
				g.Expect(r.g.Close(ctx)).To(Succeed())
				g.Expect(time.Since(began)).To(BeNumerically("<", patience))
				g.Expect(r.g.Busy()).To(BeZero())
			})
		}
	}
}

// A toxic that Toxiproxy does not take is a fault that failed, by its name.
func TestWeatherFails(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.seam.at("pay#1 sent", weather("storm", true, nil))
	answer, problem := r.client().post(t.Context(), "pay", "x")
	g.Expect(problem).To(BeEmpty())
	g.Expect(answer).To(Equal("pay:x"))
	failed := r.records(history.FaultFailed)
	g.Expect(failed).To(HaveLen(1))
	g.Expect(failed[0].Fault.ID).To(Equal("f-1"))
	g.Expect(failed[0].Fault.Reason).To(ContainSubstring("storm"))
}

// A client that stops reading a big reply blocks no order for its connection
// for ever: when it goes, everything ends.
func TestWeatherBehindABlockedReply(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, req *http.Request, _ []byte) {
		if req.URL.Path == "/big" {
			_, _ = w.Write(make([]byte, 20<<20))
		}
	}
	r.seam.at("pay#1 sent", weather("latency", false, map[string]int64{"latency": 1}))
	c := r.dial()
	ask(t, c, "big")
	g.Eventually(func() []string { return r.call("big", 1) }).WithTimeout(patience).Should(HaveLen(3))
	ask(t, c, "pay")
	g.Eventually(r.seam.asked).WithTimeout(patience).Should(ContainElement("pay#1 sent"))
	// Another connection of the same proxy is not concerned meanwhile.
	_, problem := r.client().post(t.Context(), "list", "x")
	g.Expect(problem).To(BeEmpty())
	c.SetLinger(0)
	c.Close()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
}
