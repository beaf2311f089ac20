package control_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestAConfirmationIsAnsweredAsItIsNow(t *testing.T) {
	s := newStage(t)
	a := s.started()
	ask := func() map[string]any { return a.get("/v1/confirmations/c-1").body }
	first := ask()
	s.Expect(first).To(Equal(map[string]any{
		"valid": true, "current_version": 1.0, "digest": first["digest"],
		"permissions": []any{"submit", "withdraw", "purchase", "notify"}, "cancelled": false, "stopped": false,
	}))
	s.Expect(s.plane.Revoke("t-1", "purchase")).To(Succeed())
	s.Expect(ask()).To(HaveKeyWithValue("permissions", []any{"submit", "withdraw", "notify"}))
	s.Expect(s.plane.Revoke("t-1", "permission")).To(Succeed())
	s.Expect(ask()).To(HaveKeyWithValue("permissions", []any{}))
	s.Expect(s.plane.Revoke("t-1", "confirmation")).To(Succeed())
	s.Expect(ask()).To(HaveKeyWithValue("valid", false))
	s.Expect(s.plane.Revise("t-1", "c-1", map[string]string{"amount": "1.00"})).To(Succeed())
	s.Expect(s.plane.Cancel("t-1")).To(Succeed())
	s.Expect(s.plane.Stop("t-1")).To(Succeed())
	last := ask()
	s.Expect(last).To(Equal(map[string]any{
		"valid": true, "current_version": 2.0, "digest": last["digest"], "permissions": []any{}, "cancelled": true, "stopped": true,
	}))
	s.Expect(last["digest"]).NotTo(Equal(first["digest"]))

	records := s.of(history.ControlConfirmed)
	s.Expect(records).To(HaveLen(5))
	s.Expect(*records[0].Control).To(Equal(history.Control{
		Confirmation: "c-1", Version: 1, Valid: true, Permissions: []string{"submit", "withdraw", "purchase", "notify"},
	}))
	s.Expect(*records[4].Control).To(Equal(history.Control{
		Confirmation: "c-1", Version: 2, Valid: true, Permissions: []string{}, Cancelled: true, Stopped: true,
	}))
	s.Expect(records[4].Work).To(Equal("w-1"))
	s.Expect(records[4].Facts.Digest).To(Equal(last["digest"]))
}

func TestAConfirmationIsDeliveredWhenItsReplyIsWritten(t *testing.T) {
	s := newStage(t)
	s.started().get("/v1/confirmations/c-1")
	s.Eventually(s.events, time.Minute).Should(Equal([]string{"agent started of t-1 w-1", "control.confirmation delivered of t-1 w-1"}))
}

func TestAChangeIsRecordedWithItsInboxNumber(t *testing.T) {
	s := newStage(t)
	s.Expect(s.plane.Emit("t-1", control.Event{
		Type: "approval.approved", Record: json.RawMessage(`{"ref":"a-1"}`), Seq: 2, Facts: &history.Facts{Ref: "a-1"},
	})).To(Succeed())
	s.Expect(s.plane.Cancel("t-1")).To(Succeed())
	s.Expect(s.plane.Cancel("t-1")).To(Succeed(), "twice is once")
	s.Expect(s.plane.Revoke("t-1", "submit")).To(Succeed())
	s.Expect(s.plane.Revise("t-1", "", nil)).To(Succeed())
	s.Expect(s.plane.Decide("t-1", control.Decision{Escalation: "e-1", Choice: "close"})).To(Succeed())
	s.Expect(s.plane.Stop("t-1")).To(Succeed())
	s.Expect(s.plane.Stop("t-1")).To(Succeed(), "twice is once")
	var placed []history.Control
	for _, r := range s.of(history.ControlPlaced) {
		placed = append(placed, *r.Control)
	}
	s.Expect(placed).To(Equal([]history.Control{
		{Item: 1, Change: "event", Reason: "approval.approved"},
		{Item: 2, Change: "cancel"},
		{Change: "revoke-permission", Confirmation: "c-1", Version: 1, Valid: true, Permissions: []string{"withdraw", "purchase", "notify"}},
		{Item: 3, Change: "revise", Confirmation: "c-1", Version: 2},
		{Item: 4, Change: "decision", Escalation: "e-1", Choice: "close", By: "u-2"},
		{Item: 5, Change: "stop"},
	}))
	s.Expect(s.of(history.ControlPlaced)[0].Facts.Ref).To(Equal("a-1"))
	s.Expect(s.of(history.ControlPlaced)[3].Facts.Version).To(Equal(2))
	s.Expect(s.events()).To(Equal([]string{"task cancelled of t-1"}))
}

func TestAChangeThatCannotBeMadeSaysWhy(t *testing.T) {
	s := newStage(t)
	s.Expect(s.plane.Cancel("t-9")).To(MatchError(`control: task "t-9": not known to the control plane`))
	s.Expect(s.plane.Cancel("t-9")).To(MatchError(control.ErrUnknown))
	s.Expect(s.plane.Revise("t-1", "c-9", nil)).To(MatchError(`control: task t-1: confirmation "c-9": not known to the control plane`))
	s.Expect(s.plane.Revoke("t-1", "everything")).To(MatchError(`control: task t-1: revoke "everything": want confirmation, permission, or one of [submit withdraw purchase notify]`))
	s.Expect(s.plane.Decide("t-1", control.Decision{Choice: "shrug"})).To(MatchError(`control: task t-1: decision "shrug": want wait, close or resubmit`))
	s.Expect(s.log.Len()).To(BeZero())
}

func TestConfirmationsOfOthersAreClosed(t *testing.T) {
	s := newStage(t)
	s.Expect(s.admit("p-9").get("/v1/confirmations/c-1").status).To(Equal(http.StatusNotFound))
	s.Expect(s.started().get("/v1/confirmations/c-9").status).To(Equal(http.StatusNotFound))
}
