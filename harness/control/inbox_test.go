package control_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// numbers are the inbox numbers that the records of one kind name, with their work items.
func (s *stage) numbers(kind history.Kind) []string {
	var numbers []string
	for _, r := range s.of(kind) {
		numbers = append(numbers, fmt.Sprintf("%s %d", r.Work, r.Control.Item))
	}
	return numbers
}

func TestTheInboxHoldsWhatWasPlaced(t *testing.T) {
	s := newStage(t)
	a := s.started()
	s.Expect(a.get("/v1/tasks/t-1/inbox").body).To(Equal(map[string]any{"items": []any{}, "next": 0.0}))
	s.Expect(s.plane.Emit("t-1", control.Event{Type: "approval.approved", Record: json.RawMessage(`{"ref":"a-1"}`), Seq: 2})).To(Succeed())
	s.Expect(s.plane.Revise("t-1", "", map[string]string{"amount": "1.00"})).To(Succeed())
	s.Expect(s.plane.Decide("t-1", control.Decision{Escalation: "e-1", Choice: "wait", By: "u-7"})).To(Succeed())
	s.Expect(s.plane.Cancel("t-1")).To(Succeed())
	s.Expect(s.plane.Stop("t-1")).To(Succeed())
	got := a.get("/v1/tasks/t-1/inbox?after=0&wait=1s").body
	digest := a.get("/v1/confirmations/c-1").body["digest"]
	s.Expect(got).To(Equal(map[string]any{"next": 5.0, "items": []any{
		map[string]any{"n": 1.0, "kind": "event", "type": "approval.approved", "record": map[string]any{"ref": "a-1"}, "seq": 2.0},
		map[string]any{"n": 2.0, "kind": "revise", "confirmation": map[string]any{
			"id": "c-1", "version": 2.0, "content": map[string]any{"amount": "1.00", "currency": "EUR"}, "digest": digest, "confirmed_by": "u-1",
		}},
		map[string]any{"n": 3.0, "kind": "decision", "escalation": "e-1", "choice": "wait", "by": "u-7"},
		map[string]any{"n": 4.0, "kind": "cancel"},
		map[string]any{"n": 5.0, "kind": "stop"},
	}}))
	s.Expect(a.get("/v1/tasks/t-1/inbox?after=4").body).To(Equal(map[string]any{"next": 5.0, "items": []any{map[string]any{"n": 5.0, "kind": "stop"}}}))
}

func TestAWaitForTheInboxEndsWithWhatIsPlaced(t *testing.T) {
	s := newStage(t, func(c *control.Config) { c.MaxWait = time.Hour })
	a := s.started()
	got, before := make(chan answer), s.plane.Activity()
	go func() { got <- a.get("/v1/tasks/t-1/inbox?wait=60m") }()
	s.Eventually(s.plane.Activity, time.Minute).Should(BeNumerically(">", before))
	s.Expect(s.plane.Cancel("t-1")).To(Succeed())
	select {
	case reply := <-got:
		s.Expect(reply.body).To(HaveKeyWithValue("next", 1.0))
	case <-time.After(time.Minute):
		t.Fatal("the wait goes on")
	}
}

func TestItemsAreOfferedAndAcknowledgedOnceAWorkItem(t *testing.T) {
	s := newStage(t)
	a := s.started()
	s.Expect(s.plane.Emit("t-1", control.Event{Type: "approval.approved", Record: json.RawMessage(`{}`)})).To(Succeed())
	s.Expect(s.plane.Cancel("t-1")).To(Succeed())
	a.get("/v1/tasks/t-1/inbox?after=2")
	s.Expect(s.of(history.ControlAcked)).To(BeEmpty(), "what was not offered cannot be acknowledged")
	a.get("/v1/tasks/t-1/inbox")
	a.get("/v1/tasks/t-1/inbox")
	a.get("/v1/tasks/t-1/inbox?after=1")
	a.get("/v1/tasks/t-1/inbox?after=1")
	a.get("/v1/tasks/t-1/inbox?after=99")
	s.Expect(s.numbers(history.ControlOffered)).To(Equal([]string{"w-1 2"}))
	s.Expect(s.numbers(history.ControlAcked)).To(Equal([]string{"w-1 1", "w-1 2"}))

	b := s.admit("p-2", "t-1")
	b.get("/v1/work")
	s.Expect(b.get("/v1/tasks/t-1/inbox").body["items"]).To(HaveLen(2), "items repeat")
	b.get("/v1/tasks/t-1/inbox?after=2")
	s.Expect(s.numbers(history.ControlOffered)).To(Equal([]string{"w-1 2", "w-2 2"}))
	s.Expect(s.numbers(history.ControlAcked)).To(Equal([]string{"w-1 1", "w-1 2", "w-2 2"}))
	s.Expect(s.events()).To(Equal([]string{
		"agent started of t-1 w-1", "task cancelled of t-1", "event delivered approval.approved of t-1 w-1", "agent started of t-1 w-2",
	}), "an event is delivered once")
}

func TestALongInboxComesInParts(t *testing.T) {
	s := newStage(t)
	a := s.started()
	for range 250 {
		s.Expect(s.plane.Emit("t-1", control.Event{Type: "e", Record: json.RawMessage(`{}`)})).To(Succeed())
	}
	next, rounds := 0, 0
	for ; next < 250; rounds++ {
		next = int(a.get(fmt.Sprintf("/v1/tasks/t-1/inbox?after=%d", next)).body["next"].(float64))
	}
	s.Expect(rounds).To(Equal(3))
}

func TestTheInboxRefusesWhatItCannotRead(t *testing.T) {
	s := newStage(t)
	a := s.started()
	for query, field := range map[string]string{"after=x": "after", "after=-1": "after", "wait=soon": "wait", "wait=-1s": "wait", "wait=5": "wait"} {
		got := a.get("/v1/tasks/t-1/inbox?" + query)
		s.Expect(got.status).To(Equal(http.StatusBadRequest), query)
		s.Expect(got.body).To(HaveKeyWithValue("field", field), query)
	}
}
