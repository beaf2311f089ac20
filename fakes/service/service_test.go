package service_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// fixture is a desk whose one write is counted and whose phases are the frame's.
type fixture struct {
	*service.Service
	client  servicetest.Client
	log     *history.Log
	seam    *servicetest.Seam
	commits atomic.Int32
	dropped atomic.Int32
	rivals  atomic.Int32
	forgot  atomic.Int32
}

func open(t *testing.T, change func(cfg *service.Config)) *fixture {
	t.Helper()
	g := NewWithT(t)
	before := gleak.Goroutines()
	f := &fixture{log: history.NewLog(nil), seam: &servicetest.Seam{}}
	cfg := service.Config{Log: f.log, Seam: f.seam}
	if change != nil {
		change(&cfg)
	}
	promises := contract.Guarantees{"desk.escalate": {NoEffectStatuses: []int{422}}}
	s, err := service.Open(cfg, service.Spec{
		Name: "desk", Promises: promises,
		Writes: map[string]service.Write{"escalate": func(c *service.Call) (*service.Plan, service.Reply) {
			if c.Message.Text("task") == "refuse" {
				return nil, service.Refuse(http.StatusForbidden, "no", "not this one")
			}
			return &service.Plan{
				Commit: func() service.Outcome {
					n := f.commits.Add(1)
					return service.Outcome{Stands: true, Reply: service.Reply{Status: 201, Body: map[string]any{"id": fmt.Sprint("e-", n)}}}
				},
				Dropped: func() { f.dropped.Add(1) },
			}, service.Reply{}
		}},
		Rival:  func(*service.Call) { f.rivals.Add(1) },
		Forget: func(*service.Call) { f.forgot.Add(1) },
	})
	g.Expect(err).NotTo(HaveOccurred())
	f.Service, f.client = s, servicetest.Client{URL: s.URL()}
	t.Cleanup(func() {
		g.Expect(s.Close(context.Background())).To(Succeed())
		g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return f
}

func (f *fixture) post(t *testing.T, body string) servicetest.Reply {
	t.Helper()
	return f.client.Call(t, "POST", "/v1/escalations", "k-1", body)
}

func kinds(log *history.Log) []history.Kind {
	var all []history.Kind
	for _, r := range log.Records() {
		all = append(all, r.Kind)
	}
	return all
}

func TestAWritePassesItsPhasesInOrder(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	g.Expect(f.post(t, `{}`).Status).To(Equal(201))
	g.Expect(f.seam.Points()).To(Equal([]string{"escalate#1 received", "escalate#1 validated", "escalate#1 committed"}))
	g.Expect(kinds(f.log)).To(Equal([]history.Kind{history.ServiceReceived, history.ServiceValidated, history.ServiceCommitted}))
	g.Expect(*f.log.Records()[0].Wire).To(Equal(history.Wire{
		Service: "desk", Operation: "escalate", Method: "POST", Path: "/v1/escalations", Key: "k-1",
	}))
}

func TestARefusalIsReceivedOnly(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	reply := f.post(t, `{"task":"refuse"}`)
	g.Expect(reply.Status).To(Equal(403))
	g.Expect(reply.Get("code")).To(Equal("no"))
	g.Expect(f.seam.Points()).To(Equal([]string{"escalate#1 received"}))
}

func TestAnUnknownRequestIsRecordedAndRefused(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	reply := f.client.Call(t, "DELETE", "/v1/everything", "", "")
	g.Expect(reply.Status).To(Equal(404))
	g.Expect(reply.Get("message")).To(Equal("DELETE /v1/everything is no operation of desk"))
	g.Expect(f.log.Records()[0].Wire.Operation).To(Equal(contract.Unknown))
}

func TestAFaultAnswersInsteadOfTheService(t *testing.T) {
	for _, c := range []struct {
		anchor           string
		answer           fault.Answer
		body             string
		commits, dropped int32
	}{
		{"escalate#1 received", fault.Answer{Status: 422}, `{"code":"rejected","message":"Unprocessable Entity","no_effect":true}`, 0, 0},
		{"escalate#1 validated", fault.Answer{Status: 503}, `{"code":"unavailable","message":"Service Unavailable"}`, 0, 1},
		{"escalate#1 committed", fault.Answer{Status: 422}, `{"code":"rejected","message":"Unprocessable Entity"}`, 1, 0},
		{"escalate#1 committed", fault.Answer{Status: 202, Body: `{"queue":"q-1"}`}, `{"queue":"q-1"}`, 1, 0},
		{"escalate#1 committed", fault.Answer{Status: 201}, ``, 1, 0},
	} {
		t.Run(fmt.Sprint(c.anchor, c.answer), func(t *testing.T) {
			g := NewWithT(t)
			f := open(t, nil)
			f.seam.Order(c.anchor, fault.Order{Conduct: fault.Conduct{Answer: &c.answer}})
			reply := f.post(t, `{}`)
			g.Expect(reply.Status).To(Equal(c.answer.Status))
			g.Expect(strings.TrimSpace(reply.Text)).To(Equal(c.body))
			g.Expect(f.commits.Load()).To(Equal(c.commits))
			g.Expect(f.dropped.Load()).To(Equal(c.dropped))
		})
	}
}

func TestAnAnswerSaysHowLongToWait(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	f.seam.Order("escalate#1 received", fault.Order{Conduct: fault.Conduct{Answer: &fault.Answer{Status: 429, RetryAfter: 1100 * time.Millisecond}}})
	reply := f.post(t, `{}`)
	g.Expect(reply.Header.Get("Retry-After")).To(Equal("2"), "whole seconds, rounded up")
	g.Expect(reply.Header.Get("retry-after-ms")).To(Equal("1100"))
	g.Expect(f.post(t, `{}`).Header).NotTo(HaveKey("Retry-After"))
}

func TestACrashResetsTheConnectionWithoutAReply(t *testing.T) {
	for anchor, commits := range map[string]int32{"escalate#1 received": 0, "escalate#1 validated": 0, "escalate#1 committed": 1} {
		t.Run(anchor, func(t *testing.T) {
			g := NewWithT(t)
			f := open(t, nil)
			f.seam.Order(anchor, fault.Order{Conduct: fault.Conduct{Crash: true}})
			_, err := f.client.Try(t.Context(), "POST", "/v1/escalations", "", `{}`)
			g.Expect(err).To(MatchError(ContainSubstring("connection reset by peer")))
			g.Expect(f.commits.Load()).To(Equal(commits))
			g.Expect(f.post(t, `{}`).Status).To(Equal(201), "the service goes on")
		})
	}
}

func TestARivalAndAForgottenMemoryComeBeforeTheRequest(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	f.seam.Order("escalate#1 received", fault.Order{Conduct: fault.Conduct{Rival: true, Forget: true}})
	f.post(t, `{}`)
	g.Expect(f.rivals.Load()).To(Equal(int32(1)))
	g.Expect(f.forgot.Load()).To(Equal(int32(1)))
}

func TestARequestIsCarriedOutAlthoughItsClientHasGone(t *testing.T) {
	g := NewWithT(t)
	endless := make(chan bool, 3)
	f := open(t, func(cfg *service.Config) {
		cfg.Seam = seamOf{cfg.Seam, func(ctx context.Context) { endless <- ctx.Done() == nil }}
	})
	reached, release := f.seam.Hold("escalate#1 received", fault.Order{})
	committed := servicetest.Expect(t, f.log, func(r history.Record) bool { return r.Kind == history.ServiceCommitted })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := f.client.Try(ctx, "POST", "/v1/escalations", "", `{}`)
		left <- err
	}()
	servicetest.Await(t, "the request", reached)
	leave()
	g.Expect(servicetest.Await(t, "the client's end", left)).To(MatchError(context.Canceled))
	release()
	servicetest.Await(t, "the commit", committed)
	g.Expect(f.commits.Load()).To(Equal(int32(1)))
	for range 3 {
		g.Expect(servicetest.Await(t, "the phases", endless)).To(BeTrue(), "a fault's work does not end with the client")
	}
}

// seamOf shows a test the contexts that a seam is given.
type seamOf struct {
	fault.Seam
	look func(ctx context.Context)
}

func (s seamOf) At(ctx context.Context, p fault.Point) fault.Order {
	s.look(ctx)
	return s.Seam.At(ctx, p)
}

func TestCloseEndsAWaitWithoutEffect(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	reached, _ := f.seam.Hold("escalate#1 validated", fault.Order{})
	left := make(chan error, 1)
	go func() {
		_, err := f.client.Try(context.Background(), "POST", "/v1/escalations", "", `{}`)
		left <- err
	}()
	servicetest.Await(t, "the request", reached)
	g.Expect(f.Close(t.Context())).To(Succeed())
	g.Expect(servicetest.Await(t, "the client's end", left)).To(HaveOccurred())
	g.Expect(f.commits.Load()).To(BeZero())
	g.Expect(f.dropped.Load()).To(Equal(int32(1)))
}

func TestCloseEndsConnectionsThatSendNothing(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	silent, err := net.Dial("tcp", f.Addr())
	g.Expect(err).NotTo(HaveOccurred())
	defer silent.Close()
	half, err := net.Dial("tcp", f.Addr())
	g.Expect(err).NotTo(HaveOccurred())
	defer half.Close()
	_, err = io.WriteString(half, "POST /v1/escalations HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(f.Close(t.Context())).To(Succeed())
	g.Expect(f.Close(t.Context())).To(Succeed(), "closing twice is closing once")
	_, err = silent.Read(make([]byte, 1))
	g.Expect(err).To(HaveOccurred())
}

func TestATimerEndsWithItsService(t *testing.T) {
	g := NewWithT(t)
	clock := &service.ManualClock{}
	f := open(t, func(cfg *service.Config) { cfg.Clock = clock })
	rang := 0
	f.After(time.Second, func() { rang++ })
	f.After(2*time.Second, func() { rang++ })
	clock.Advance(time.Second)
	g.Expect(rang).To(Equal(1))
	g.Expect(f.Close(t.Context())).To(Succeed())
	f.After(time.Second, func() { rang++ })
	clock.Advance(time.Hour)
	g.Expect(rang).To(Equal(1))
}

func TestOnlyTheGateIsServed(t *testing.T) {
	g := NewWithT(t)
	f := open(t, func(cfg *service.Config) {
		cfg.Identify = func(string, int) (fault.Ref, bool) { return fault.Ref{}, false }
	})
	reply := f.post(t, `{}`)
	g.Expect(reply.Status).To(Equal(403))
	g.Expect(reply.Get("code")).To(Equal("not_through_the_gate"))
	g.Expect(reply.Get("message")).To(ContainSubstring("was not carried out"))
	g.Expect(f.log.Len()).To(BeZero(), "it is no call")
	g.Expect(f.commits.Load()).To(BeZero())
}

func TestACallIsKnownByItsPeerAndItsNumber(t *testing.T) {
	g := NewWithT(t)
	type arrival struct {
		peer string
		seq  int
	}
	arrivals := make(chan arrival, 10)
	f := open(t, func(cfg *service.Config) {
		cfg.Identify = func(peer string, seq int) (fault.Ref, bool) {
			arrivals <- arrival{peer, seq}
			return fault.Ref{Call: fmt.Sprint("c-", seq), Task: "t-1", Work: "w-1", Ordinal: seq, Copy: true}, true
		}
	})
	conn, err := net.Dial("tcp", f.Addr())
	g.Expect(err).NotTo(HaveOccurred())
	defer conn.Close()
	in := bufio.NewReader(conn)
	// The second is one that net/http would answer by itself.
	for _, head := range []string{"POST /v1/escalations", "OPTIONS *", "POST /v1/escalations"} {
		_, err = io.WriteString(conn, head+" HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
		g.Expect(err).NotTo(HaveOccurred())
		res, err := http.ReadResponse(in, nil)
		g.Expect(err).NotTo(HaveOccurred())
		_, _ = io.Copy(io.Discard, res.Body)
	}
	for seq := 1; seq <= 3; seq++ {
		g.Expect(<-arrivals).To(Equal(arrival{conn.LocalAddr().String(), seq}))
	}
	last := f.log.Records()[f.log.Len()-1]
	g.Expect([]string{last.Call, last.Task, last.Work}).To(Equal([]string{"c-3", "t-1", "w-1"}))
	g.Expect(last.Wire.Ordinal).To(Equal(3))
	g.Expect(last.Wire.Copy).To(BeTrue())
}

func TestABodyIsBounded(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	body := `{"trace":"` + strings.Repeat("x", service.MaxBody) + `"}`
	reply, err := f.client.Try(t.Context(), "POST", "/v1/escalations", "", body)
	if err == nil { // the reply may be lost to the reset that ends the upload
		g.Expect(reply.Status).To(Equal(413))
		g.Expect(reply.Get("field")).To(Equal("body"))
	}
	g.Expect(f.commits.Load()).To(BeZero())
	g.Expect(f.log.Len()).To(BeZero())
}

func TestAnEventCanBeHeldDoubledAndLost(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	_, release := f.seam.Hold("event emitted late#1", fault.Order{})
	f.seam.Order("event emitted twice#1", fault.Order{Conduct: fault.Conduct{Fate: fault.Twice}})
	f.seam.Order("event emitted lost#1", fault.Order{Conduct: fault.Conduct{Fate: fault.Lost}})
	put := make(chan string, 10)
	for _, name := range []string{"late", "twice", "lost", "plain"} {
		f.Emit(fault.Ref{Task: "t-1"}, name, func() { put <- name })
	}
	for _, want := range []string{"twice", "twice", "plain"} {
		g.Expect(servicetest.Await(t, "an event", put)).To(Equal(want))
	}
	g.Expect(put).To(BeEmpty())
	release()
	g.Expect(servicetest.Await(t, "the late event", put)).To(Equal("late"))
}

func TestAnEventIsOvertakenByTheNextOneOfItsTask(t *testing.T) {
	g := NewWithT(t)
	f := open(t, nil)
	latest := make(chan struct{})
	overtaken := fault.Order{Conduct: fault.Conduct{Fate: fault.Overtaken, Later: latest}}
	put := make(chan string, 10)
	emit := func(task, name string) { f.Emit(fault.Ref{Task: task}, name, func() { put <- name }) }
	f.seam.Order("event emitted first#1", overtaken)
	f.seam.Order("event emitted lost#1", fault.Order{Conduct: fault.Conduct{Fate: fault.Lost}})
	f.seam.Order("event emitted last#1", overtaken)
	emit("t-1", "first")
	emit("t-2", "another task's")
	emit("t-1", "lost")
	g.Expect(servicetest.Await(t, "an event", put)).To(Equal("another task's"))
	g.Expect(put).To(BeEmpty(), "what never comes overtakes nothing")
	emit("t-1", "second")
	g.Expect([]string{servicetest.Await(t, "an event", put), servicetest.Await(t, "an event", put)}).To(Equal([]string{"second", "first"}))
	emit("t-1", "last")
	g.Expect(f.Quiet()).To(BeFalse())
	close(latest)
	g.Expect(servicetest.Await(t, "the last event", put)).To(Equal("last"))
	f.seam.Order("event emitted last#2", fault.Order{Conduct: fault.Conduct{Fate: fault.Overtaken, Later: make(chan struct{})}})
	emit("t-1", "last")
	g.Expect(f.Close(t.Context())).To(Succeed())
	g.Expect(put).To(BeEmpty())
}
