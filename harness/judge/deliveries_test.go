package judge_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// What the end of a connection says of the last reply on it. The reply is
// written after 10 ms, the noise is 5 ms.
func TestWhatAnEndSaysOfAReply(t *testing.T) {
	const ms = time.Millisecond
	fin := func(at time.Duration, change func(*history.Wire)) history.Record {
		w := &history.Wire{Conn: "conn-1", By: history.ByClient, How: history.HowFIN}
		if change != nil {
			change(w)
		}
		return history.Record{At: at, Kind: history.ConnEnded, Work: "w-1", Wire: w}
	}
	rst := func(w *history.Wire) { w.How = history.HowRST }
	kill := func(at time.Duration) history.Record {
		return history.Record{At: at, Kind: history.ProcessKilled, Process: &history.Process{ID: "p-1"}}
	}
	for _, c := range []struct {
		name  string
		body  string
		gone  bool
		after []history.Record
		want  string
	}{
		{name: "none", want: judge.Ambiguous},
		{name: "a FIN within the noise", after: []history.Record{fin(14*ms, nil)}, want: judge.Ambiguous},
		{name: "a FIN later", after: []history.Record{fin(16*ms, nil)}, want: judge.Delivered},
		{name: "a FIN later, of a kill", after: []history.Record{kill(15 * ms), fin(16*ms, nil)}, want: judge.Ambiguous},
		{name: "a FIN later, and then a kill", after: []history.Record{fin(16*ms, nil), kill(17 * ms)}, want: judge.Delivered},
		{name: "a FIN later, of the sending alone", after: []history.Record{fin(16*ms, func(w *history.Wire) { w.Half = true })}, want: judge.Ambiguous},
		{name: "a FIN later, over what came too late", after: []history.Record{fin(16*ms, func(w *history.Wire) { w.Left = true })}, want: judge.Undelivered},
		{name: "an RST later", after: []history.Record{fin(16*ms, rst)}, want: judge.Ambiguous},
		{name: "an RST of a kill", after: []history.Record{kill(15 * ms), fin(16*ms, rst)}, want: judge.Ambiguous},
		{name: "an RST over the end of a long reply", body: strings.Repeat(" ", 3000), after: []history.Record{fin(16*ms, rst)}, want: judge.Ambiguous},
		{name: "a FIN before, and the reply came too late", gone: true, after: []history.Record{fin(10*ms, func(w *history.Wire) { w.Left = true })}, want: judge.Undelivered},
		{name: "a FIN before, and nothing came too late", gone: true, after: []history.Record{fin(10*ms, nil)}, want: judge.Ambiguous},
		{name: "a FIN before, and then an RST", gone: true, after: []history.Record{fin(10*ms, rst)}, want: judge.Undelivered},
		{name: "a FIN before, of the sending alone", gone: true, after: []history.Record{fin(10*ms, func(w *history.Wire) { w.Half = true })}, want: judge.Ambiguous},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := `{"ref":"a-1"}` + c.body
			size := int64(len(body))
			wire := func(w history.Wire) *history.Wire {
				w.Service, w.Operation, w.Ordinal, w.Conn, w.Seq = "approval", "submit", 1, "conn-1", 1
				return &w
			}
			records := append([]history.Record{
				{At: 0, Kind: history.WorkGiven, Task: "t-1", Work: "w-1", Given: &history.Given{Process: "p-1"}},
				{At: 1 * ms, Kind: history.CallSent, Work: "w-1", Call: "c-1", Wire: wire(history.Wire{First: ms, Whole: true})},
				{At: 9 * ms, Kind: history.CallReplied, Work: "w-1", Call: "c-1", Wire: wire(history.Wire{Status: 201, Body: body, Whole: true}), Facts: &history.Facts{Ref: "a-1"}},
				{At: 10 * ms, Kind: history.CallPassing, Work: "w-1", Call: "c-1", Wire: wire(history.Wire{Size: size, Whole: true, Gone: c.gone})},
				{At: 10 * ms, Kind: history.CallPassed, Work: "w-1", Call: "c-1", Wire: wire(history.Wire{Size: size, Whole: true})},
			}, c.after...)
			records = append(records, history.Record{At: 30 * ms, Kind: history.RunNoise, Run: &history.Run{Noise: 5 * ms}})
			for i := range records {
				records[i].N = i + 1
			}
			NewWithT(t).Expect(judge.Deliveries(records)).To(Equal(map[string]string{"c-1": c.want}))
		})
	}
}

// A request without a reply, and one that another request on its connection followed.
func TestDeliveriesWithoutAnEnd(t *testing.T) {
	g := NewWithT(t)
	wire := func(seq int, w history.Wire) *history.Wire {
		w.Service, w.Operation, w.Ordinal, w.Conn, w.Seq, w.Whole = "approval", "submit", seq, "conn-1", seq, true
		return &w
	}
	records := []history.Record{
		{At: 1, Kind: history.CallSent, Call: "c-1", Wire: wire(1, history.Wire{First: 1})},
		{At: 2, Kind: history.CallReplied, Call: "c-1", Wire: wire(1, history.Wire{Status: 201})},
		{At: 3, Kind: history.CallPassing, Call: "c-1", Wire: wire(1, history.Wire{})},
		{At: 5, Kind: history.CallSent, Call: "c-2", Wire: wire(2, history.Wire{First: 4})},
	}
	for i := range records {
		records[i].N = i + 1
	}
	g.Expect(judge.Deliveries(records)).To(Equal(map[string]string{"c-1": judge.Delivered, "c-2": judge.Undelivered}))
	records[3].Wire.First = 2 // pipelined: it had been sent before the reply
	g.Expect(judge.Deliveries(records)).To(Equal(map[string]string{"c-1": judge.Ambiguous, "c-2": judge.Undelivered}))
}

// How soon after the request the reply came tells whether the client can have
// given up on it: an attempt is given 400 ms, a quarter of which is 100 ms.
func TestAFinAtOnceIsDeliveryWhereNobodyCanHaveGivenUp(t *testing.T) {
	for _, c := range []struct {
		name string
		at   float64 // of the reply
		want string
		also func(s *story)
	}{
		{name: "well inside everybody's patience", at: 20, want: judge.Delivered},
		{name: "at the limit, the noise taken off", at: 97, want: judge.Delivered},
		{name: "beyond it", at: 99, want: judge.Ambiguous},
		{name: "on a noisy machine", at: 20, want: judge.Ambiguous, also: func(s *story) { s.noise = 90 }},
		{name: "while a change was told", at: 20, want: judge.Ambiguous, also: func(s *story) {
			s.add(19, history.Record{Kind: history.ControlOffered, Control: &history.Control{Item: 1}})
		}},
		{name: "while a change was told to another worker", at: 20, want: judge.Delivered, also: func(s *story) {
			s.add(19, history.Record{Kind: history.ControlOffered, Work: "w-2", Control: &history.Control{Item: 1}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := tell(t).given(0, "w-1").submit(0, "c-1", "k-1")
			if c.also != nil {
				c.also(s)
			}
			s.reply(c.at, "c-1", 201, record("a-1", "k-1", "pending")).ends(c.at+0.5, "c-1", "client fin")
			NewWithT(t).Expect(judge.Deliveries(s.told(t))).To(Equal(map[string]string{"c-1": c.want}))
		})
	}
}
