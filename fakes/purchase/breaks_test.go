package purchase_test

import (
	"context"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

const retention = 40 * time.Second

// breakTests show, for each promise that can be broken, what its breach looks
// like; the same steps against a service that keeps it give the other answer.
func breakTests() map[string]func(t *testing.T, f *fixture) (broken bool) {
	return map[string]func(t *testing.T, f *fixture) bool{
		purchase.BreakIdempotency: func(t *testing.T, f *fixture) bool {
			first, second := f.buy(t, "b", "a-1", "5"), f.buy(t, "b", "a-1", "5")
			return first.Ref() != second.Ref()
		},
		purchase.BreakAtomicity: func(t *testing.T, f *fixture) bool {
			f.seam.Order("buy#1 committed", fault.Order{Conduct: fault.Conduct{Crash: true}})
			_, _ = f.Try(context.Background(), "POST", "/v1/purchases", "b", `{"approval":"a-1","content":{"amount":"5"}}`)
			return f.buy(t, "b", "a-1", "5").Ref() != "p-1"
		},
		purchase.BreakConcurrency: func(t *testing.T, f *fixture) bool {
			first, release := f.held(t, "b", "a-1", "5")
			second := f.buy(t, "b", "a-1", "5").Ref()
			release()
			return servicetest.Await(t, "the first reply", first).Ref() != second
		},
		purchase.BreakConflict: func(t *testing.T, f *fixture) bool {
			f.buy(t, "b", "a-1", "5")
			return f.buy(t, "b", "a-1", "6").Ref() == "p-2"
		},
		purchase.BreakRetention: func(t *testing.T, f *fixture) bool {
			ref := f.buy(t, "b", "a-1", "5").Ref()
			f.clock.Advance(retention / 4)
			return f.buy(t, "b", "a-1", "5").Ref() != ref
		},
		purchase.BreakRefusal: func(t *testing.T, f *fixture) bool {
			reply := f.buy(t, "b", "a-1", "5")
			return reply.Status == 422 && reply.Get("no_effect") == "true" && f.rows()[0] == history.PurchaseDone
		},
	}
}

func TestAPromiseIsBrokenOnlyWhenTheSettingsSaySo(t *testing.T) {
	g := NewWithT(t)
	tests := breakTests()
	for _, name := range purchase.Breakable() {
		g.Expect(tests).To(HaveKey(name))
	}
	for name, run := range tests {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			set := purchase.Settings{Promises: purchase.Promises(retention)}
			g.Expect(run(t, open(t, set))).To(BeFalse(), "kept")
			set.Breaks = []string{name}
			g.Expect(run(t, open(t, set))).To(BeTrue(), "broken")
		})
	}
	_, err := purchase.Open(purchase.Config{Settings: purchase.Settings{Breaks: []string{"x"}}})
	g.Expect(err).To(MatchError(`purchase: breaks "x": no such promise; take one of idempotency, atomicity, concurrency, conflict, retention, refusal`))
}

func TestAServiceThatIsNotAtomicRemembersUnlessItCrashes(t *testing.T) {
	g := NewWithT(t)
	f := open(t, purchase.Settings{Breaks: []string{purchase.BreakAtomicity}})
	g.Expect(f.buy(t, "b", "a-1", "5").Ref()).To(Equal(f.buy(t, "b", "a-1", "5").Ref()))
	g.Expect(f.rows()).To(Equal([]string{history.PurchaseDone, history.KeyStored}))
}
