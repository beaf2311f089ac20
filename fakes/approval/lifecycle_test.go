package approval_test

import (
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestTheApproverDecidesOnceWithOneNotificationAndOneEvent(t *testing.T) {
	for _, outcome := range []string{approval.Approved, approval.Declined} {
		t.Run(outcome, func(t *testing.T) {
			g := NewWithT(t)
			f := open(t, approval.Settings{Outcome: outcome, ApproverAfter: time.Second})
			ref := f.Created(t, f.Fresh())
			f.clock.Advance(time.Second - 1)
			g.Expect(f.track(t, ref).Get("status")).To(Equal("pending"))
			f.clock.Advance(1)
			record := f.track(t, ref)
			g.Expect(record.Get("status")).To(Equal(outcome))
			g.Expect(record.Get("seq")).To(Equal("2"))
			g.Expect(record.Get("consequences.notification")).To(Equal("sent"))
			g.Expect(f.rows()[2:]).To(Equal([]string{history.ApprovalStatus, history.NotificationSent}))
			e := servicetest.Await(t, "the event", f.events)
			g.Expect([]any{e.Type, e.Seq, e.Record.Ref, e.Record.Status}).To(Equal([]any{outcome, 2, ref, outcome}))
			g.Expect(f.events).To(BeEmpty())
			g.Expect(f.Decide("", approval.Declined)).To(BeZero(), "what is decided stays so")
		})
	}
}

func TestWithoutAnOutcomeNothingIsDecidedUntilSomebodyDoes(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	ref := f.Created(t, f.Fresh())
	f.clock.Advance(time.Hour)
	g.Expect(f.track(t, ref).Get("status")).To(Equal("pending"))
	g.Expect(f.Decide("t-2", approval.Declined)).To(BeZero())
	g.Expect(f.Decide("t-1", approval.Declined)).To(Equal(1))
	g.Expect(f.track(t, ref).Get("status")).To(Equal("declined"))
}

func TestARepetitionShowsWhatTheRecordIsNow(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Outcome: approval.Approved, ApproverAfter: time.Second})
	s := f.Fresh()
	f.Created(t, s)
	f.clock.Advance(time.Second)
	g.Expect(f.Submit(t, s).Get("status")).To(Equal("approved"))
}

func TestAWithdrawalIsInTimeOrRefused(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Outcome: approval.Approved, ApproverAfter: time.Second})
	first, second := f.Created(t, f.Fresh()), f.Created(t, f.Fresh())
	withdraw := func(ref, key string) servicetest.Reply {
		return f.Call(t, "POST", "/v1/withdrawals", key, fmt.Sprintf(`{"ref":%q}`, ref))
	}
	g.Expect(withdraw(first, "w-1").Get("status")).To(Equal("withdrawn"))
	g.Expect(servicetest.Await(t, "the event", f.events).Type).To(Equal("withdrawn"))
	f.clock.Advance(time.Second)
	g.Expect(servicetest.Await(t, "the other event", f.events).Record.Ref).To(Equal(second))
	g.Expect(f.track(t, first).Get("status")).To(Equal("withdrawn"), "nobody decides about it any more")

	refused := withdraw(second, "w-2")
	g.Expect(refused.Status).To(Equal(409))
	g.Expect(refused.Get("code")).To(Equal("state"))
	g.Expect(f.rows()[4:]).To(Equal([]string{
		history.ApprovalStatus, history.WithdrawalDone, history.KeyStored, // of the first
		history.ApprovalStatus, history.NotificationSent, // of the second
	}))
}

func TestWithdrawalsAreAllowedInTheDeclaredStates(t *testing.T) {
	g := NewWithT(t)
	promises := approval.Promises(0)
	for op, p := range promises {
		p.WithdrawStates = []string{approval.Approved}
		promises[op] = p
	}
	f := open(t, approval.Settings{Promises: promises})
	ref := f.Created(t, f.Fresh())
	body := fmt.Sprintf(`{"ref":%q}`, ref)
	g.Expect(f.Call(t, "POST", "/v1/withdrawals", "w", body).Status).To(Equal(409))
	f.Decide("", approval.Approved)
	g.Expect(f.Call(t, "POST", "/v1/withdrawals", "w", body).Status).To(Equal(200))
}

func TestADecisionBetweenCheckAndCommitStopsAWithdrawal(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	ref := f.Created(t, f.Fresh())
	reached, release := f.seam.Hold("withdraw#1 validated", fault.Order{})
	replies := make(chan servicetest.Reply, 1)
	go func() {
		reply, _ := f.Try(t.Context(), "POST", "/v1/withdrawals", "w", fmt.Sprintf(`{"ref":%q}`, ref))
		replies <- reply
	}()
	servicetest.Await(t, "the withdrawal", reached)
	f.Decide("", approval.Approved)
	release()
	g.Expect(servicetest.Await(t, "the reply", replies).Get("code")).To(Equal("state"))
	g.Expect(f.track(t, ref).Get("status")).To(Equal("approved"))
}

func TestAFailedNotificationIsSentAgain(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{NotificationFails: 2})
	ref := f.Created(t, f.Fresh())
	f.Decide("", approval.Approved)
	g.Expect(f.track(t, ref).Get("consequences.notification")).To(Equal("failed"))
	notify := func(key string) servicetest.Reply {
		return f.Call(t, "POST", "/v1/approvals/"+ref+"/notifications", key, "")
	}
	reply := notify("n-1")
	g.Expect(reply.Status).To(Equal(200))
	g.Expect(reply.Get("consequences.notification")).To(Equal("failed"), "the second fails as well")
	reply = notify("n-1")
	g.Expect(reply.Get("consequences.notification")).To(Equal("sent"))
	g.Expect(reply.Get("seq")).To(Equal("4"))
	g.Expect(notify("n-1").Get("seq")).To(Equal("4"), "a repetition sends nothing")
	sends := func() (n int) {
		for _, row := range f.rows() {
			if row == history.NotificationSent {
				n++
			}
		}
		return n
	}
	g.Expect(sends()).To(Equal(1))
	notify("n-2")
	g.Expect(sends()).To(Equal(2), "another identifier is another notification")
	g.Expect(f.Ledger().Records[0].Notifications).To(Equal(2))
}

func TestANotificationCanComeAfterTheDecision(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{NotificationAfter: time.Second, NotificationFails: 1})
	first, second := f.Created(t, f.Fresh()), f.Created(t, f.Fresh())
	f.Decide("", approval.Approved)
	g.Expect(f.track(t, first).Get("consequences.notification")).To(Equal("none"))
	g.Expect(f.Quiet()).To(BeFalse())
	f.clock.Advance(time.Second)
	g.Expect(f.track(t, first).Get("consequences.notification")).To(Equal("failed"))
	g.Expect(f.track(t, second).Get("consequences.notification")).To(Equal("sent"))
	g.Expect(f.track(t, second).Get("seq")).To(Equal("3"))
	g.Expect(f.rows()[4:]).To(Equal([]string{
		history.ApprovalStatus, history.ApprovalStatus, history.NotificationLost, history.NotificationSent,
	}))
	g.Expect(f.events).To(HaveLen(2), "the decision is told of at once, and once")
}

func TestTheAcceptanceCanBeWhatPeopleAreToldOf(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Announces: approval.Acceptance, NotificationFails: 1})
	s := f.Fresh()
	receipt := f.Submit(t, s)
	ref := receipt.Get("ref")
	g.Expect(receipt.Get("status")).To(Equal("pending"))
	g.Expect(receipt.Get("consequences.notification")).To(Equal("failed"))
	g.Expect(f.Submit(t, s).Get("consequences.notification")).To(Equal("failed"), "a repetition of the submission announces nothing")
	reply := f.Call(t, "POST", "/v1/approvals/"+ref+"/notifications", "n-1", "")
	g.Expect(reply.Status).To(Equal(200))
	g.Expect(reply.Get("status")).To(Equal("pending"))
	g.Expect(reply.Get("consequences.notification")).To(Equal("sent"))
	f.Decide("", approval.Approved)
	g.Expect(f.track(t, ref).Get("status")).To(Equal("approved"))
	g.Expect(f.track(t, ref).Get("consequences.notification")).To(Equal("sent"))
	g.Expect(f.rows()).To(Equal([]string{
		history.ApprovalCreated, history.NotificationLost, history.KeyStored, history.NotificationSent, history.KeyStored, history.ApprovalStatus,
	}), "and the decision is not announced as well")

	heard := f.Created(t, f.Fresh())
	g.Expect(f.track(t, heard).Get("consequences.notification")).To(Equal("sent"))
}

func TestAPendingRequestHasNothingToNotifyOfWhereDecisionsAreAnnounced(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	reply := f.Call(t, "POST", "/v1/approvals/"+f.Created(t, f.Fresh())+"/notifications", "n-1", "")
	g.Expect(reply.Status).To(Equal(409))
	g.Expect(reply.Get("code")).To(Equal("state"))
}

func TestWhatAnnouncesAnAcceptanceIsNotSentAfterTheDecision(t *testing.T) {
	g := NewWithT(t)
	_, err := approval.Open(approval.Config{Settings: approval.Settings{Announces: approval.Acceptance, NotificationAfter: time.Second}})
	g.Expect(err).To(MatchError("approval: what announces the acceptance is sent with it: take out the time after the decision"))
	_, err = approval.Open(approval.Config{Settings: approval.Settings{Announces: "birth"}})
	g.Expect(err).To(MatchError(`approval: announces "birth": want decision or acceptance`))
}

func TestAnEventCanComeAfterAQuery(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Outcome: approval.Approved, ApproverAfter: time.Second})
	ref := f.Created(t, f.Fresh())
	_, release := f.seam.Hold("event emitted approved#1", fault.Order{})
	f.clock.Advance(time.Second)
	g.Expect(f.track(t, ref).Get("status")).To(Equal("approved"))
	g.Expect(f.events).To(BeEmpty())
	release()
	g.Expect(servicetest.Await(t, "the event", f.events).Record.Ref).To(Equal(ref))
}

func TestCloseEndsTheApprover(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Outcome: approval.Approved, ApproverAfter: time.Second})
	f.Created(t, f.Fresh())
	g.Expect(f.Close(t.Context())).To(Succeed())
	f.clock.Advance(time.Hour)
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
	g.Expect(f.events).To(BeEmpty())
}

func TestWhatHappensToAForeignRecordIsAnnouncedToNobody(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Outcome: approval.Approved})
	f.seam.Order("submit#1 received", fault.Order{Conduct: fault.Conduct{Rival: true}})
	s := f.Fresh()
	f.Submit(t, s)
	f.clock.Advance(time.Hour)
	g.Expect(f.Call(t, "POST", "/v1/withdrawals", "w", fmt.Sprintf(`{"key":%q}`, s.Key)).Get("status")).To(Equal("withdrawn"),
		"nobody decided about it, and a client that does not look can withdraw it")
	g.Expect(f.events).To(BeEmpty())
	g.Expect(f.rows()[2:]).To(Equal([]string{
		history.ApprovalStatus + " (foreign)", history.WithdrawalDone, history.KeyStored,
	}))
}

func TestARivalCannotTakeAFencedIdentifier(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	f.seam.Order("submit#1 received", fault.Order{Conduct: fault.Conduct{Rival: true}})
	s := f.Fresh()
	f.Call(t, "POST", "/v1/submissions/"+s.Key+"/void", "", "")
	f.Submit(t, s)
	g.Expect(f.rows()).To(Equal([]string{history.KeyFenced}))
}

func TestAFenceIsRecordedOnce(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	for range 2 {
		f.Call(t, "POST", "/v1/submissions/k/void", "", "")
	}
	g.Expect(f.rows()).To(Equal([]string{history.KeyFenced}))
	g.Expect(f.Ledger().Keys).To(Equal([]approval.LedgerKey{{Key: "k", State: "void"}}))
}
