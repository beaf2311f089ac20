package purchase_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

type fixture struct {
	*purchase.Service
	servicetest.Client
	log   *history.Log
	seam  *servicetest.Seam
	clock *service.ManualClock
}

func open(t *testing.T, set purchase.Settings) *fixture {
	t.Helper()
	g := NewWithT(t)
	before := gleak.Goroutines()
	f := &fixture{log: history.NewLog(nil), seam: &servicetest.Seam{}, clock: &service.ManualClock{}}
	s, err := purchase.Open(purchase.Config{Frame: service.Config{Log: f.log, Seam: f.seam, Clock: f.clock}, Settings: set})
	g.Expect(err).NotTo(HaveOccurred())
	f.Service, f.Client.URL = s, s.URL()
	t.Cleanup(func() {
		g.Expect(s.Close(context.Background())).To(Succeed())
		g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return f
}

func (f *fixture) buy(t testing.TB, key, approval, amount string) servicetest.Reply {
	t.Helper()
	return f.Call(t, "POST", "/v1/purchases", key, fmt.Sprintf(`{"approval":%q,"content":{"amount":%q}}`, approval, amount))
}

func (f *fixture) rows() []string { return servicetest.Rows(f.log) }

func TestAPurchaseIsMadeOnce(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	reply := f.buy(t, "b-1", "a-1", "5")
	g.Expect(reply.Status).To(Equal(201))
	for path, want := range map[string]string{
		"ref": "p-1", "key": "b-1", "approval": "a-1", "content.amount": "5", "status": "done",
	} {
		g.Expect(reply.Get(path)).To(Equal(want), path)
	}
	g.Expect(f.buy(t, "b-1", "a-1", "5").Body).To(Equal(reply.Body))
	g.Expect(f.rows()).To(Equal([]string{history.PurchaseDone, history.KeyStored}))
	g.Expect(f.seam.Points()).To(Equal([]string{
		"buy#1 received", "buy#1 validated", "buy#1 committed", "buy#2 received", "buy#2 validated", "buy#2 committed",
	}))
	row := f.log.Records()[2]
	g.Expect(*row.Facts).To(Equal(history.Facts{
		Ref: "p-1", Key: "b-1", Approval: "a-1", Content: dialect.ContentDigest([]byte(`{"amount":"5"}`)), Status: "done",
	}))
	g.Expect(f.Ledger().Purchases).To(HaveLen(1))
}

func TestIdenticalPurchasesAtOnceAreOne(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if reply, err := f.Try(t.Context(), "POST", "/v1/purchases", "b-1", `{"approval":"a-1","content":{}}`); err != nil || reply.Ref() != "p-1" {
				t.Errorf("buy: %v %s", err, reply.Text)
			}
		})
	}
	all.Wait()
	g.Expect(f.Ledger().Purchases).To(HaveLen(1))
}

func TestAnyApprovalWillDo(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	g.Expect(f.buy(t, "b-1", "no-such-approval", "5").Status).To(Equal(201), "the judge asks whether there is one")
}

func TestAnotherPurchaseUnderTheSameIdentifierIsRefused(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	f.buy(t, "b-1", "a-1", "5")
	for _, reply := range []servicetest.Reply{f.buy(t, "b-1", "a-1", "6"), f.buy(t, "b-1", "a-2", "5")} {
		g.Expect(reply.Status).To(Equal(409))
		g.Expect(reply.Get("code")).To(Equal("identifier_conflict"))
		g.Expect(reply.Get("no_effect")).To(Equal("true"))
	}
	g.Expect(f.Ledger().Purchases).To(HaveLen(1))
}

func TestAPurchaseIsLookedUpByItsIdentifier(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{Promises: purchase.Promises(time.Second)})
	g.Expect(f.Call(t, "GET", "/v1/purchases?key=b-1", "", "").Items()).To(BeEmpty())
	g.Expect(f.Call(t, "GET", "/v1/submissions/b-1", "", "").Get("state")).To(Equal("unknown"))
	f.buy(t, "b-1", "a-1", "5")
	items := f.Call(t, "GET", "/v1/purchases?key=b-1", "", "").Items()
	g.Expect(items).To(HaveLen(1))
	g.Expect(items[0]).To(HaveKeyWithValue("ref", "p-1"))
	g.Expect(f.Call(t, "GET", "/v1/submissions/b-1", "", "").Body).To(Equal(map[string]any{"state": "created", "final": false, "ref": "p-1"}))
	f.clock.Advance(time.Second)
	g.Expect(f.Call(t, "GET", "/v1/submissions/b-1", "", "").Get("state")).To(Equal("unknown"))
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-2"), "its time is over")
	g.Expect(f.rows()).To(Equal([]string{
		history.PurchaseDone, history.KeyStored, history.KeyExpired, history.PurchaseDone, history.KeyStored,
	}))
}

func TestWhatIsNotPromisedIsNotKept(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{Promises: contract.Guarantees{}})
	g.Expect(f.Call(t, "GET", "/v1/purchases?key=b-1", "", "").Get("code")).To(Equal("not_offered"))
	f.buy(t, "b-1", "a-1", "5")
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-2"))
}

func TestARivalAndAForgottenMemory(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	f.seam.Order("buy#1 received", fault.Order{Conduct: fault.Conduct{Rival: true}})
	f.seam.Order("buy#2 received", fault.Order{Conduct: fault.Conduct{Forget: true}})
	g.Expect(f.buy(t, "b-1", "a-1", "5").Get("code")).To(Equal("identifier_conflict"))
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-2"))
	g.Expect(f.rows()).To(Equal([]string{
		history.PurchaseDone + " (foreign)", history.KeyStored + " (foreign)", history.KeyExpired, history.PurchaseDone, history.KeyStored,
	}))
}

func TestAPurchaseThatCannotBeReadNamesItsField(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	for body, field := range map[string]string{`{"content":{}}`: "approval", `{"approval":1,"content":{}}`: "approval", `{"approval":"a"}`: "content", `x`: "body"} {
		reply := f.Call(t, "POST", "/v1/purchases", "b", body)
		g.Expect(reply.Status).To(Equal(400), body)
		g.Expect(reply.Get("field")).To(Equal(field), body)
	}
	g.Expect(f.rows()).To(BeEmpty())
}

// held sends a purchase that waits between its check and its commit.
func (f *fixture) held(t *testing.T, key, approval, amount string) (reply <-chan servicetest.Reply, release func()) {
	t.Helper()
	reached, release := f.seam.Hold("buy#1 validated", fault.Order{})
	replies := make(chan servicetest.Reply, 1)
	go func() {
		body := fmt.Sprintf(`{"approval":%q,"content":{"amount":%q}}`, approval, amount)
		got, _ := f.Try(context.Background(), "POST", "/v1/purchases", key, body)
		replies <- got
	}()
	servicetest.Await(t, "the purchase", reached)
	return replies, release
}

func TestAConflictIsFoundAlsoAfterTheCheck(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{})
	reply, release := f.held(t, "b-1", "a-1", "5")
	f.buy(t, "b-1", "a-1", "6")
	release()
	g.Expect(servicetest.Await(t, "the reply", reply).Get("code")).To(Equal("identifier_conflict"))
}

func TestRetentionCountsFromReceipt(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{Promises: purchase.Promises(time.Second)})
	reply, release := f.held(t, "b-1", "a-1", "5")
	f.clock.Advance(time.Second - 1)
	release()
	g.Expect(servicetest.Await(t, "the reply", reply).Ref()).To(Equal("p-1"))
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-1"))
	f.clock.Advance(1)
	g.Expect(f.buy(t, "b-1", "a-1", "5").Ref()).To(Equal("p-2"))
}
