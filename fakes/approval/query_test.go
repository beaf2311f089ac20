package approval_test

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestAReplicaIsAsOldAsItsLag(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{ReplicaLag: time.Second, Plain: true})
	f.clock.Advance(time.Minute)
	s := f.Fresh()
	ref := f.Created(t, s)
	f.clock.Advance(500 * time.Millisecond)
	f.Decide("", approval.Approved)

	f.clock.Advance(500*time.Millisecond - 1)
	reply := f.Call(t, "GET", "/v1/approvals?key="+s.Key, "", "")
	g.Expect(reply.Body["items"]).To(BeEmpty())
	g.Expect(reply.Body["replica"]).To(BeTrue())
	asOf, err := time.Parse(time.RFC3339Nano, reply.Get("as_of"))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(asOf.Sub(f.log.Start())).To(Equal(time.Minute - 1))
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"))
	g.Expect(f.track(t, ref).Get("status")).To(Equal("approved"), "the primary is up to date")

	f.clock.Advance(1)
	items := f.ByKey(t, s.Key)
	g.Expect(items).To(HaveLen(1))
	g.Expect(items[0]["status"]).To(Equal("pending"), "a state that is over")
	g.Expect(items[0]["seq"]).To(BeEquivalentTo(1))
	g.Expect(f.state(t, s.Key)).To(Equal("created"))
	f.clock.Advance(500 * time.Millisecond)
	g.Expect(f.ByKey(t, s.Key)[0]["status"]).To(Equal("approved"))
}

func TestAReplicaLearnsOfAFenceLate(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{ReplicaLag: time.Second})
	g.Expect(f.Call(t, "POST", "/v1/submissions/k/void", "", "").Get("final")).To(Equal("true"))
	g.Expect(f.state(t, "k")).To(Equal("unknown"))
	f.clock.Advance(time.Second)
	g.Expect(f.state(t, "k")).To(Equal("void"))
}

func TestASearchTempts(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{ReplicaLag: time.Second})
	s := f.Fresh()
	search := func(query string) []map[string]any {
		return f.Call(t, "GET", "/v1/approvals?"+query, "", "").Items()
	}
	similar := search("applicant=u-1&amount=1200.00")
	g.Expect(similar).To(HaveLen(1))
	g.Expect(similar[0]).To(HaveKeyWithValue("content", HaveKeyWithValue("amount", "1200.00")))
	ref := f.Created(t, s)
	f.clock.Advance(time.Second)
	both := search("applicant=u-1&amount=1200.00")
	g.Expect(both).To(HaveLen(2), "the similar one and the real one, and no more each time")
	g.Expect(both[0]["ref"]).NotTo(Equal(ref))
	g.Expect(both[1]["ref"]).To(Equal(ref))
	g.Expect(both[0]["key"]).NotTo(Equal(s.Key))
	g.Expect(f.rows()[0]).To(Equal(history.ApprovalCreated + " (foreign)"))
	g.Expect(f.events).To(BeEmpty())
}

func TestWhatIsNotPromisedIsNotOffered(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Promises: contract.Guarantees{}})
	ref := f.Created(t, f.Fresh())
	for _, c := range []struct{ method, path string }{
		{"GET", "/v1/approvals?key=k"},
		{"GET", "/v1/submissions/k"},
		{"GET", "/v1/approvals/" + ref},
		{"POST", "/v1/submissions/k/void"},
		{"POST", "/v1/approvals/" + ref + "/notifications"},
	} {
		reply := f.Call(t, c.method, c.path, "x", "")
		g.Expect(reply.Status).To(Equal(404), c.path)
		g.Expect(reply.Get("code")).To(Equal("not_offered"), c.path)
	}
	g.Expect(f.Call(t, "POST", "/v1/withdrawals", "w", `{"ref":"`+ref+`"}`).Get("code")).To(Equal("state"))
}

func TestAReplicaDoesNotKnowWhatIsUnderWay(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{ReplicaLag: time.Second})
	s := f.Fresh()
	reached, release := f.seam.Hold("submit#1 validated", fault.Order{})
	reply := f.async(s)
	servicetest.Await(t, "the submission", reached)
	g.Expect(f.state(t, s.Key)).To(Equal("unknown"))
	release()
	servicetest.Await(t, "the reply", reply)
}
