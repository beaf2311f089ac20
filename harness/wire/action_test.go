package wire_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Each action at each phase, on a fresh and on a reused connection, hits one
// call of one client and nothing else.
func TestActions(t *testing.T) {
	const body, reply = "0123456789", "pay:0123456789"
	for _, c := range []struct {
		name   string
		phase  fault.Phase
		order  fault.Order
		answer string // what the client read
		client string // how it failed
		seen   []string
		record []string
		ends   []string
	}{
		{
			name: "reset", phase: fault.Sent, order: fault.Order{Action: fault.Reset},
			client: "reset", record: []string{"sent"}, ends: []string{"harness rst"},
		},
		{
			name: "close", phase: fault.Sent, order: fault.Order{Action: fault.Close},
			client: "closed", record: []string{"sent"}, ends: []string{"harness fin", "client fin"},
		},
		{
			name: "hang", phase: fault.Sent, order: fault.Order{Action: fault.Hang},
			client: "gave up", record: []string{"sent"}, ends: []string{"client fin"},
		},
		{
			name: "nothing of it", phase: fault.Sent, order: fault.Order{Action: fault.Truncate, Bytes: -1},
			client: "closed", record: []string{"sent"}, ends: []string{"harness fin", "client fin"},
		},
		{
			name: "truncate", phase: fault.Sent, order: fault.Order{Action: fault.Truncate, Bytes: 4},
			client: "closed", record: []string{"sent", "replied"}, ends: []string{"harness fin", "client fin"},
		},
		{
			name: "garble", phase: fault.Sent, order: fault.Order{Action: fault.Garble},
			answer: "pay:##########", seen: []string{"##########"}, record: whole(14),
		},
		{
			name: "drip", phase: fault.Sent, order: fault.Order{Action: fault.Drip, Every: time.Microsecond},
			answer: reply, seen: []string{body}, record: whole(14),
		},
		{
			name: "duplicate", phase: fault.Sent, order: fault.Order{Action: fault.Duplicate},
			answer: reply, seen: []string{body, body}, record: whole(14),
		},
		{
			name: "reset", phase: fault.Replied, order: fault.Order{Action: fault.Reset},
			client: "reset", seen: []string{body}, record: []string{"sent", "forwarded", "replied"}, ends: []string{"harness rst"},
		},
		{
			name: "close", phase: fault.Replied, order: fault.Order{Action: fault.Close},
			client: "closed", seen: []string{body}, record: []string{"sent", "forwarded", "replied"}, ends: []string{"harness fin", "client fin"},
		},
		{
			name: "hang", phase: fault.Replied, order: fault.Order{Action: fault.Hang},
			client: "gave up", seen: []string{body}, record: []string{"sent", "forwarded", "replied"}, ends: []string{"client fin"},
		},
		{
			name: "nothing of it", phase: fault.Replied, order: fault.Order{Action: fault.Truncate, Bytes: -1},
			client: "closed", seen: []string{body}, record: []string{"sent", "forwarded", "replied"}, ends: []string{"harness fin", "client fin"},
		},
		{
			name: "head only", phase: fault.Replied, order: fault.Order{Action: fault.Truncate},
			client: "cut short", seen: []string{body}, ends: []string{"harness fin", "client fin"},
			record: []string{"sent", "forwarded", "replied", "passing 0 part", "passed 0 part"},
		},
		{
			name: "truncate", phase: fault.Replied, order: fault.Order{Action: fault.Truncate, Bytes: 7},
			answer: "pay:012", client: "cut short", seen: []string{body}, ends: []string{"harness fin", "client fin"},
			record: []string{"sent", "forwarded", "replied", "passing 7 part", "passed 7 part"},
		},
		{
			name: "truncate beyond the end", phase: fault.Replied, order: fault.Order{Action: fault.Truncate, Bytes: 99},
			answer: reply, seen: []string{body}, record: whole(14), ends: []string{"harness fin", "client fin"},
		},
		{
			name: "garble", phase: fault.Replied, order: fault.Order{Action: fault.Garble},
			answer: "##############", seen: []string{body}, record: whole(14),
		},
		{
			name: "drip", phase: fault.Replied, order: fault.Order{Action: fault.Drip},
			answer: reply, seen: []string{body}, record: whole(14),
		},
		{
			name: "duplicate", phase: fault.Replied, order: fault.Order{Action: fault.Duplicate},
			answer: reply, seen: []string{body}, record: whole(14),
		},
	} {
		for _, connection := range []string{"fresh", "reused"} {
			t.Run(fmt.Sprintf("%s %s %s", c.name, c.phase, connection), func(t *testing.T) {
				g := NewWithT(t)
				r := newRig(t)
				bystanders := r.bystanders(4)
				cl := r.client()
				if connection == "reused" {
					_, problem := cl.post(t.Context(), "warm", "")
					g.Expect(problem).To(BeEmpty())
				}
				point := fmt.Sprintf("pay#1 %s", c.phase)
				fired := r.seam.at(point, c.order)
				ctx, giveUp := context.WithCancel(t.Context())
				defer giveUp()
				if c.client == "gave up" {
					go func() { <-fired; giveUp() }()
				}
				answer, problem := cl.post(ctx, "pay", body)
				g.Expect(problem).To(Equal(c.client))
				g.Expect(answer).To(Equal(c.answer))
				cl.c.CloseIdleConnections()

				g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
				sent := r.sentBy("pay", 1)
				g.Expect(sent.Wire.Body).To(Equal(body))
				g.Expect(sent.Wire.Seq > 1).To(Equal(connection == "reused"))
				if c.ends != nil {
					g.Eventually(func() []string { return r.ends(sent.Wire.Conn) }).WithTimeout(patience).Should(Equal(c.ends))
				}
				// The client took the whole reply, or it did not.
				if slices.Equal(c.record, whole(14)) {
					g.Eventually(r.seam.asked).WithTimeout(patience).Should(ContainElement("pay#1 delivered"))
				} else {
					g.Expect(r.seam.asked()).NotTo(ContainElement("pay#1 delivered"))
				}
				bystanders()
				g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
				g.Expect(r.call("pay", 1)).To(Equal(c.record))
				g.Expect(r.service.bodies("pay")).To(Equal(c.seen))
			})
		}
	}
}

// sentBy is the call.sent record of the n-th call of an operation.
func (r *rig) sentBy(op string, n int) history.Record {
	r.t.Helper()
	for _, rec := range r.records(history.CallSent) {
		if rec.Wire.Operation == op && rec.Wire.Ordinal == n {
			return rec
		}
	}
	r.t.Fatalf("no call.sent of %s#%d", op, n)
	return history.Record{}
}

// bystanders are n clients that call on while a fault strikes. The returned
// function stops them and checks that nothing befell any of their calls.
func (r *rig) bystanders(n int) (stop func()) {
	ctx, cancel := context.WithCancel(r.t.Context())
	results := make(chan int, n)
	for i := range n {
		go func() {
			cl := r.client()
			defer cl.c.CloseIdleConnections()
			calls := 0
			for ; ctx.Err() == nil; calls++ {
				body := strings.Repeat("b", i*1000)
				answer, problem := cl.post(context.WithoutCancel(ctx), "list", body)
				if answer != "list:"+body || problem != "" {
					r.t.Errorf("bystander's call: %q, got %d bytes of %d", problem, len(answer), len(body)+5)
				}
			}
			results <- calls
		}()
	}
	return func() {
		cancel()
		calls := 0
		for range n {
			calls += <-results
		}
		g := NewWithT(r.t)
		g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
		g.Expect(r.service.count("list")).To(Equal(calls))
		records := map[string]int{}
		for _, rec := range r.log.Records() {
			if rec.Wire != nil && rec.Wire.Operation == "list" && rec.Wire.Whole {
				records[rec.Call]++
			}
		}
		g.Expect(len(records)).To(Equal(calls))
		for call, n := range records {
			if n != 5 {
				r.t.Errorf("bystander's call %s has %d records", call, n)
			}
		}
	}
}
