package approval_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

const retention = 2 * time.Second

func TestACreationStandsInTheHistoryBeforeItsReply(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	s.Supersedes = "k-0"
	ref := f.Created(t, s)
	g.Expect(ref).To(Equal("a-1"))
	records := f.log.Records()
	var kinds []history.Kind
	for _, r := range records {
		kinds = append(kinds, r.Kind)
		g.Expect(r.Task).To(Equal("t-1"))
		g.Expect(r.Call).NotTo(BeEmpty())
	}
	g.Expect(kinds).To(Equal([]history.Kind{
		history.ServiceReceived, history.ServiceValidated, history.LedgerRow, history.LedgerRow, history.ServiceCommitted,
	}))
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
	g.Expect(*records[2].Facts).To(Equal(history.Facts{
		Ref: "a-1", Key: s.Key, Tenant: s.Tenant, Object: s.Object, Confirmation: s.Confirmation, Version: 1, Digest: s.Digest,
		Content: dialect.ContentDigest([]byte(s.Content)), Supersedes: "k-0", Status: "pending", Notification: "none", Seq: 1,
	}))
	g.Expect(f.Ledger().Records).To(HaveLen(1))
	g.Expect(f.Ledger().Records[0].Task).To(Equal("t-1"))
}

func TestRetentionCountsFromTheFirstReceipt(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Promises: approval.Promises(retention)})
	f.clock.Advance(time.Second)
	s := f.Fresh()
	ref := f.Created(t, s)
	f.clock.Advance(retention - 1)
	g.Expect(f.Created(t, s)).To(Equal(ref), "the last instant; and a repetition renews nothing")
	g.Expect(f.state(t, s.Key)).To(Equal("created"))
	f.clock.Advance(1)
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"), "not final, whatever had happened")
	g.Expect(f.ByKey(t, s.Key)).To(HaveLen(1), "the record itself stays")
	g.Expect(f.Created(t, s)).NotTo(Equal(ref))
	g.Expect(f.rows()).To(Equal([]string{
		history.ApprovalCreated, history.KeyStored, history.KeyExpired, history.ApprovalCreated, history.KeyStored,
	}))
	g.Expect(f.ByKey(t, s.Key)).To(HaveLen(2))
}

func TestRetentionCountsFromReceiptAlsoWhenTheRequestIsKeptInside(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Promises: approval.Promises(retention)})
	s := f.Fresh()
	reached, release := f.seam.Hold("submit#1 validated", fault.Order{})
	reply := f.async(s)
	servicetest.Await(t, "the submission", reached)
	f.clock.Advance(retention - 1)
	release()
	ref := servicetest.Await(t, "the reply", reply).Ref()
	g.Expect(f.Created(t, s)).To(Equal(ref))
	f.clock.Advance(1)
	g.Expect(f.Created(t, s)).NotTo(Equal(ref))
}

func TestWithoutThePromiseEverySubmissionCreates(t *testing.T) {
	g := NewWithT(t)
	promises := approval.Promises(0)
	submit := promises["approval.submit"]
	submit.Idempotency.Supported = false
	promises["approval.submit"] = submit
	f := open(t, approval.Settings{Promises: promises})
	s := f.Fresh()
	g.Expect(f.Created(t, s)).NotTo(Equal(f.Created(t, s)))
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.ApprovalCreated}))
	g.Expect(f.state(t, s.Key)).To(Equal("created"))
}

func TestConflictsAreRefusedOnlyWhereThatIsPromised(t *testing.T) {
	g := NewWithT(t)
	promises := approval.Promises(0)
	submit := promises["approval.submit"]
	submit.Idempotency.Conflict = ""
	promises["approval.submit"] = submit
	f := open(t, approval.Settings{Promises: promises})
	s := f.Fresh()
	ref := f.Created(t, s)
	other := s
	other.Content = `{"amount":"1300.00"}`
	reply := f.Submit(t, other)
	g.Expect(reply.Status).To(Equal(201))
	g.Expect(reply.Ref()).To(Equal(ref))
	g.Expect(reply.Get("content.amount")).To(Equal("1200.00"), "the record shows what it holds")
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
}

func TestASubmissionUnderWayIsProcessing(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	reached, release := f.seam.Hold("submit#1 validated", fault.Order{})
	reply := f.async(s)
	servicetest.Await(t, "the submission", reached)
	g.Expect(f.state(t, s.Key)).To(Equal("processing"))
	g.Expect(f.ByKey(t, s.Key)).To(BeEmpty())
	release()
	servicetest.Await(t, "the reply", reply)
	g.Expect(f.state(t, s.Key)).To(Equal("created"))
}

func TestACrashBeforeTheCommitLeavesNothing(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	f.seam.Order("submit#1 validated", fault.Order{Conduct: fault.Conduct{Crash: true}})
	g.Expect(servicetest.Await(t, "the end", f.async(s)).Status).To(BeZero())
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"))
	g.Expect(f.rows()).To(BeEmpty())
}

func TestAFenceStopsASubmissionThatIsUnderWay(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	reached, release := f.seam.Hold("submit#1 validated", fault.Order{})
	reply := f.async(s)
	servicetest.Await(t, "the submission", reached)
	g.Expect(f.Call(t, "POST", "/v1/submissions/"+s.Key+"/void", "", "").Get("state")).To(Equal("void"))
	release()
	refused := servicetest.Await(t, "the reply", reply)
	g.Expect(refused.Status).To(Equal(409))
	g.Expect(refused.Get("code")).To(Equal("void"))
	g.Expect(refused.Get("no_effect")).To(Equal("true"))
	g.Expect(f.rows()).To(Equal([]string{history.KeyFenced}))
}

func TestARepetitionWhileTheFirstIsUnderWayCreatesOnce(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	reached, release := f.seam.Hold("submit#1 validated", fault.Order{})
	first := f.async(s)
	servicetest.Await(t, "the first", reached)
	ref := f.Created(t, s)
	release()
	g.Expect(servicetest.Await(t, "the first reply", first).Ref()).To(Equal(ref))
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
}

func TestAQueueNumberComesBeforeTheAcceptance(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Queue: true, CreateAfter: time.Second})
	s := f.Fresh()
	reply := f.Submit(t, s)
	g.Expect(reply.Status).To(Equal(202))
	g.Expect(reply.Body).To(Equal(map[string]any{"queue": "q-1"}))
	g.Expect(f.state(t, s.Key)).To(Equal("processing"))
	g.Expect(f.Submit(t, s).Status).To(Equal(202), "a repetition waits as well")
	g.Expect(f.rows()).To(BeEmpty())
	committed := f.seam.Reached("submit#2 committed")
	f.clock.Advance(time.Second)
	servicetest.Await(t, "the acceptance of both", committed)
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
	g.Expect(f.Submit(t, s).Ref()).To(Equal("a-1"))
}

func TestACreationCanComeAfterItsAnswer(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{CreateAfter: time.Second})
	s := f.Fresh()
	reply := f.Submit(t, s)
	g.Expect(reply.Status).To(Equal(202))
	g.Expect(reply.Body).To(Equal(map[string]any{"state": "processing", "final": false, "ref": nil}))
	g.Expect(f.ByKey(t, s.Key)).To(BeEmpty())
	committed := f.seam.Reached("submit#1 committed")
	f.clock.Advance(time.Second)
	servicetest.Await(t, "the creation", committed)
	g.Expect(f.ByKey(t, s.Key)).To(HaveLen(1))
}

func TestAFenceStopsASubmissionInTheQueue(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Queue: true, CreateAfter: time.Second})
	s := f.Fresh()
	f.Submit(t, s)
	f.Call(t, "POST", "/v1/submissions/"+s.Key+"/void", "", "")
	f.clock.Advance(time.Second)
	g.Eventually(func() string { return f.state(t, s.Key) }, time.Minute).Should(Equal("void"))
	g.Expect(f.Close(t.Context())).To(Succeed())
	g.Expect(f.rows()).To(Equal([]string{history.KeyFenced}))
}

func TestARefusalForGoodIsFinal(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Refuses: "over_budget"})
	s := f.Fresh()
	for range 2 {
		reply := f.Submit(t, s)
		g.Expect(reply.Status).To(Equal(422))
		g.Expect(reply.Get("code")).To(Equal("over_budget"))
		g.Expect(reply.Get("no_effect")).To(Equal("true"))
	}
	state := f.Call(t, "GET", "/v1/submissions/"+s.Key, "", "")
	g.Expect(state.Body).To(Equal(map[string]any{"state": "refused", "final": true, "ref": nil}))
	g.Expect(f.rows()).To(Equal([]string{history.KeyRefused}))
}

func TestARivalTakesTheIdentifierFirst(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	f.seam.Order("submit#1 received", fault.Order{Conduct: fault.Conduct{Rival: true}})
	s := f.Fresh()
	reply := f.Submit(t, s)
	g.Expect(reply.Status).To(Equal(409))
	g.Expect(reply.Get("code")).To(Equal("identifier_conflict"))
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated + " (foreign)", history.KeyStored + " (foreign)"}))
	items := f.ByKey(t, s.Key)
	g.Expect(items).To(HaveLen(1))
	g.Expect(items[0]["digest"]).NotTo(Equal(s.Digest))
	g.Expect(f.Ledger().Records[0].Foreign).To(BeTrue())
}

func TestARivalCannotTakeAnIdentifierInUse(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	f.seam.Order("submit#2 received", fault.Order{Conduct: fault.Conduct{Rival: true}})
	s := f.Fresh()
	ref := f.Created(t, s)
	g.Expect(f.Created(t, s)).To(Equal(ref))
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
}

func TestAForgottenIdentifierIsNew(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	f.seam.Order("submit#2 received", fault.Order{Conduct: fault.Conduct{Forget: true}})
	s := f.Fresh()
	g.Expect(f.Created(t, s)).NotTo(Equal(f.Created(t, s)))
	g.Expect(f.rows()).To(Equal([]string{
		history.ApprovalCreated, history.KeyStored, history.KeyExpired, history.ApprovalCreated, history.KeyStored,
	}))
}

func TestNamesAndContentAreBounded(t *testing.T) {
	for field, change := range map[string]func(*submission){
		"tenant":          func(s *submission) { s.Tenant = strings.Repeat("x", 256) },
		"digest":          func(s *submission) { s.Digest = strings.Repeat("x", 256) },
		"Idempotency-Key": func(s *submission) { s.Key = strings.Repeat("x", 256) },
		"content":         func(s *submission) { s.Content = `{"note":"` + strings.Repeat("x", 64<<10) + `"}` },
	} {
		t.Run(field, func(t *testing.T) {
			g := NewWithT(t)
			f := open(t, approval.Settings{})
			s := f.Fresh()
			change(&s)
			reply := f.Submit(t, s)
			g.Expect(reply.Status).To(Equal(400))
			g.Expect(reply.Get("field")).To(Equal(field))
			g.Expect(reply.Get("message")).To(ContainSubstring("is longer than"))
		})
	}
}

func TestRecordsAreBounded(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	f.HTTP = &http.Client{Transport: &http.Transport{}}
	defer f.HTTP.CloseIdleConnections()
	for range service.MaxRecords {
		f.Created(t, f.Fresh())
	}
	reply := f.Submit(t, f.Fresh())
	g.Expect(reply.Status).To(Equal(429))
	g.Expect(reply.Get("code")).To(Equal("quota"))
}
