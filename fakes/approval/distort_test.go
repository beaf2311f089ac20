package approval_test

import (
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// distort makes the next call of an operation answer in another way.
func (f *fixture) distort(anchor string, how fault.Distortion) {
	f.seam.Order(anchor, fault.Order{Conduct: fault.Conduct{Distortion: how}})
}

func TestAnEmptyReplyShowsNothing(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	f.distort("submit#1 committed", fault.Empty)
	reply := f.Submit(t, s)
	g.Expect([]any{reply.Status, reply.Text}).To(Equal([]any{201, ""}))
	f.distort("query#1 received", fault.Empty)
	g.Expect(f.ByKey(t, s.Key)).To(BeEmpty())
	f.distort("query#2 received", fault.Empty)
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"))
	g.Expect(f.ByKey(t, s.Key)).To(HaveLen(1), "the next one is honest")
}

func TestAStaleReplyShowsWhatWasSoBeforeTheLastChange(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	ref := f.Created(t, s)
	for n := 1; n <= 4; n++ {
		f.distort(fmt.Sprintf("query#%d received", n), fault.Stale)
	}
	f.distort("track#1 received", fault.Stale)
	f.distort("track#2 received", fault.Stale)
	old := f.Call(t, "GET", "/v1/approvals?key="+s.Key, "", "")
	g.Expect(old.Items()).To(BeEmpty(), "it has just been created")
	asOf, err := time.Parse(time.RFC3339Nano, old.Get("as_of"))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(asOf).To(BeTemporally("<", f.log.Start()), "and that is what the list says")
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"))
	g.Expect(f.track(t, ref).Status).To(Equal(404))
	f.clock.Advance(time.Second)
	f.Decide("", approval.Approved)
	g.Expect(f.ByKey(t, s.Key)[0]).To(And(HaveKeyWithValue("status", "pending"), HaveKeyWithValue("seq", BeEquivalentTo(1))))
	g.Expect(f.track(t, ref).Get("status")).To(Equal("pending"))
	g.Expect(f.track(t, ref).Get("status")).To(Equal("approved"))

	f.distort("submit#2 committed", fault.Stale)
	g.Expect(f.Submit(t, s).Get("status")).To(Equal("pending"))
	other := f.Created(t, f.Fresh())
	f.distort("withdraw#1 committed", fault.Stale)
	g.Expect(f.Call(t, "POST", "/v1/withdrawals", "w", fmt.Sprintf(`{"ref":%q}`, other)).Get("status")).To(Equal("pending"))
	g.Expect(f.track(t, other).Get("status")).To(Equal("withdrawn"))
	f.distort("submit#4 committed", fault.Stale)
	g.Expect(f.Created(t, f.Fresh())).To(Equal("a-3"), "who has just made a record is shown it")
}

func TestARefusalIsNotDistorted(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Promises: contract.Guarantees{}})
	for i, how := range []fault.Distortion{fault.Empty, fault.WrongInstance, fault.Doubled} {
		f.distort(fmt.Sprintf("query#%d received", i+1), how)
		reply := f.Call(t, "GET", "/v1/submissions/k", "", "")
		g.Expect([]any{reply.Status, reply.Get("code")}).To(Equal([]any{404, "not_offered"}), string(how))
	}
}

func TestAWrongInstanceIsLikeTheRightOne(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Plain: true})
	s := f.Fresh()
	f.distort("query#1 received", fault.WrongInstance)
	f.distort("query#2 received", fault.WrongInstance)
	g.Expect(f.ByKey(t, s.Key)[0]).To(HaveKeyWithValue("ref", "a-1"), "also when there is no right one")
	g.Expect(f.Call(t, "GET", "/v1/submissions/"+s.Key, "", "").Ref()).To(Equal("a-1"))
	g.Expect(f.ByKey(t, s.Key)).To(BeEmpty())

	s = f.Fresh()
	f.distort("submit#1 committed", fault.WrongInstance)
	shown := f.Submit(t, s)
	own := f.ByKey(t, s.Key)[0]
	g.Expect(own["ref"]).To(Equal("a-2"))
	g.Expect(shown.Ref()).To(Equal("a-3"))
	g.Expect(shown.Get("status")).To(Equal("approved"), "it is tempting")
	for _, name := range []string{"key", "tenant", "content"} {
		g.Expect(shown.Body[name]).To(Equal(own[name]), name)
	}
	for _, name := range []string{"object", "confirmation", "digest"} {
		g.Expect(shown.Body[name]).NotTo(Equal(own[name]), name)
	}
	f.distort("track#1 received", fault.WrongInstance)
	g.Expect(f.track(t, "a-2").Ref()).To(Equal("a-3"), "the same one again")
	g.Expect(f.track(t, "a-3").Get("key")).NotTo(Equal(s.Key), "looked at for itself it is another client's")
	g.Expect(f.rows()).To(Equal([]string{
		history.ApprovalCreated + " (foreign)", history.ApprovalCreated, history.KeyStored, history.ApprovalCreated + " (foreign)",
	}))
	g.Expect(f.events).To(BeEmpty())
}

func TestADoubledReplyListsARecordAgainAsItWasAtFirst(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Plain: true})
	s := f.Fresh()
	f.Created(t, s)
	f.Decide("", approval.Approved)
	f.distort("query#1 received", fault.Doubled)
	items := f.ByKey(t, s.Key)
	g.Expect(items).To(HaveLen(2))
	g.Expect([]any{items[0]["ref"], items[0]["status"]}).To(Equal([]any{"a-1", "approved"}))
	g.Expect([]any{items[1]["ref"], items[1]["status"]}).To(Equal([]any{"a-1", "pending"}))
}

func TestAQueueNumberIsNoAcceptance(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	f.distort("submit#1 validated", fault.Queued)
	reply := f.Submit(t, s)
	g.Expect([]any{reply.Status, reply.Get("queue")}).To(Equal([]any{202, "q-1"}))
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"), "it was lost behind the gateway")
	g.Expect(f.rows()).To(BeEmpty())

	f.distort("submit#1 committed", fault.Queued)
	g.Expect(f.Submit(t, s).Get("queue")).To(Equal("q-2"))
	g.Expect(f.state(t, s.Key)).To(Equal("created"))

	until := make(chan struct{})
	f.seam.Order("submit#3 validated", fault.Order{Conduct: fault.Conduct{Distortion: fault.Queued, Later: until}})
	s = f.Fresh()
	g.Expect(f.Submit(t, s).Get("queue")).To(Equal("q-3"))
	g.Expect(f.ByKey(t, s.Key)).To(BeEmpty())
	committed := f.seam.Reached("submit#2 committed")
	close(until)
	servicetest.Await(t, "the creation", committed)
	g.Expect(f.ByKey(t, s.Key)).To(HaveLen(1))
}

func TestACreationCanComeAfterItsReply(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	until := make(chan struct{})
	f.seam.Order("submit#1 validated", fault.Order{Conduct: fault.Conduct{Later: until}})
	reply := f.Submit(t, s)
	g.Expect([]any{reply.Status, reply.Get("state")}).To(Equal([]any{202, "processing"}))
	g.Expect(f.state(t, s.Key)).To(Equal("processing"))
	g.Expect(f.ByKey(t, s.Key)).To(BeEmpty())
	ref := f.Created(t, s)
	close(until)
	g.Eventually(f.Quiet, time.Minute).Should(BeTrue())
	g.Expect(f.Created(t, s)).To(Equal(ref), "a repetition came first, and the first is recognised as one")
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
}

func TestWhatExistsIsNotCreatedLater(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Promises: approval.Promises(retention)})
	s := f.Fresh()
	ref := f.Created(t, s)
	later := fault.Order{Conduct: fault.Conduct{Later: make(chan struct{})}}
	f.seam.Order("submit#2 validated", later)
	g.Expect(f.Created(t, s)).To(Equal(ref), "at once")
	f.clock.Advance(retention)
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"), "nothing is under way")
}

func TestThePartThatFailsIsTheNotification(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	f.seam.Order("submit#1 committed", fault.Order{Conduct: fault.Conduct{Lacking: "notification"}})
	first, second := f.Created(t, f.Fresh()), f.Created(t, f.Fresh())
	f.Decide("", approval.Approved)
	g.Expect(f.track(t, first).Get("consequences.notification")).To(Equal("failed"))
	g.Expect(f.track(t, second).Get("consequences.notification")).To(Equal("sent"))
	reply := f.Call(t, "POST", "/v1/approvals/"+first+"/notifications", "n", "")
	g.Expect(reply.Get("consequences.notification")).To(Equal("sent"), "it fails once")
}

func TestTheApproverCanDecideInTheMiddleOfACall(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	decide := func(outcome string) fault.Order { return fault.Order{Conduct: fault.Conduct{Outcome: outcome}} }
	f.seam.Order("submit#1 committed", decide("declined"))
	s := f.Fresh()
	reply := f.Submit(t, s)
	g.Expect(reply.Get("status")).To(Equal("pending"), "the reply was written before")
	g.Expect(f.track(t, reply.Ref()).Get("status")).To(Equal("declined"))
	g.Expect(servicetest.Await(t, "the event", f.events).Type).To(Equal("declined"))

	ref := f.Created(t, f.Fresh())
	f.seam.Order("withdraw#1 validated", decide("approved"))
	g.Expect(f.Call(t, "POST", "/v1/withdrawals", "w", fmt.Sprintf(`{"ref":%q}`, ref)).Get("code")).To(Equal("state"), "the approver was first")
	ref = f.Created(t, f.Fresh())
	f.seam.Order("track#2 received", decide("approved"))
	g.Expect(f.track(t, ref).Get("status")).To(Equal("approved"))
}
