package purchase_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func distorted(how fault.Distortion) fault.Order {
	return fault.Order{Conduct: fault.Conduct{Distortion: how}}
}

func TestAReplyIsNotWhatTheServiceKnows(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	f.buy(t, "b-1", "a-1", "5")
	for i, how := range []fault.Distortion{fault.Empty, fault.Stale, fault.Doubled, fault.WrongInstance} {
		f.seam.Order([]string{"query#1 received", "query#3 received", "query#5 received", "query#7 received"}[i], distorted(how))
		f.seam.Order([]string{"query#2 received", "query#4 received", "query#6 received", "query#8 received"}[i], distorted(how))
	}
	list := func() []map[string]any { return f.Call(t, "GET", "/v1/purchases?key=b-1", "", "").Items() }
	state := func() servicetest.Reply { return f.Call(t, "GET", "/v1/submissions/b-1", "", "") }
	for _, how := range []string{"empty", "stale"} {
		g.Expect(list()).To(BeEmpty(), how)
		g.Expect(state().Get("state")).To(Equal("unknown"), how)
	}
	g.Expect(list()).To(HaveLen(2))
	g.Expect(state().Ref()).To(Equal("p-1"), "there is no list to double")
	wrong := list()
	g.Expect(wrong).To(HaveLen(1))
	g.Expect(wrong[0]).To(And(HaveKeyWithValue("key", "b-1"), HaveKeyWithValue("ref", "p-2"), HaveKeyWithValue("approval", "another-approval")))
	g.Expect(wrong[0]).To(HaveKeyWithValue("content", HaveKeyWithValue("amount", "5")))
	g.Expect(state().Ref()).To(Equal("p-2"))
	g.Expect(list()).To(HaveLen(1), "the truth again, and the other one is not of this identifier")
	g.Expect(f.rows()[2:]).To(Equal([]string{history.PurchaseDone + " (foreign)"}))

	f.seam.Order("buy#2 committed", distorted(fault.WrongInstance))
	f.seam.Order("buy#3 committed", distorted(fault.Queued))
	f.seam.Order("buy#4 committed", distorted(fault.Empty))
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-2"))
	queued := f.buy(t, "b-1", "a-1", "5")
	g.Expect([]any{queued.Status, queued.Get("queue")}).To(Equal([]any{202, "q-1"}))
	empty := f.buy(t, "b-1", "a-1", "5")
	g.Expect([]any{empty.Status, empty.Text}).To(Equal([]any{201, ""}))
}

func TestAPurchaseCanComeAfterItsReply(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{Promises: purchase.Promises(retention)})
	until := make(chan struct{})
	f.seam.Order("buy#1 validated", fault.Order{Conduct: fault.Conduct{Later: until}})
	reply := f.buy(t, "b-1", "a-1", "5")
	g.Expect([]any{reply.Status, reply.Get("state")}).To(Equal([]any{202, "processing"}))
	g.Expect(f.Call(t, "GET", "/v1/submissions/b-1", "", "").Get("state")).To(Equal("processing"))
	g.Expect(f.Quiet()).To(BeFalse())
	committed := f.seam.Reached("buy#1 committed")
	close(until)
	servicetest.Await(t, "the purchase", committed)
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-1"))
	g.Expect(f.rows()).To(Equal([]string{history.PurchaseDone, history.KeyStored}))

	f.seam.Order("buy#3 validated", fault.Order{Conduct: fault.Conduct{Later: make(chan struct{})}})
	g.Expect(f.buy(t, "b-1", "a-1", "5").Status).To(Equal(201), "what was made is not made later")
	f.clock.Advance(retention)
	g.Expect(f.Call(t, "GET", "/v1/submissions/b-1", "", "").Get("state")).To(Equal("unknown"), "nothing is under way")
	f.seam.Order("buy#4 validated", fault.Order{Conduct: fault.Conduct{Later: make(chan struct{})}})
	g.Expect(f.buy(t, "b-2", "a-1", "5").Status).To(Equal(202))
	g.Expect(f.Close(t.Context())).To(Succeed())
	g.Expect(f.Ledger().Purchases).To(HaveLen(1))
}
