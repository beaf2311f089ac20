package approval_test

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// breakTests show, for each promise that can be broken, what its breach looks
// like; the same steps against a service that keeps it give the other answer.
func breakTests() map[string]func(t *testing.T, f *fixture) (broken bool) {
	return map[string]func(t *testing.T, f *fixture) bool{
		approval.BreakIdempotency: func(t *testing.T, f *fixture) bool {
			s := f.Fresh()
			first, second := f.Created(t, s), f.Created(t, s)
			return first != second
		},
		approval.BreakAtomicity: func(t *testing.T, f *fixture) bool {
			s := f.Fresh()
			f.seam.Order("submit#1 committed", fault.Order{Conduct: fault.Conduct{Crash: true}})
			servicetest.Await(t, "the crash", f.async(s))
			return f.Created(t, s) != "a-1"
		},
		approval.BreakConcurrency: func(t *testing.T, f *fixture) bool {
			s := f.Fresh()
			reached, release := f.seam.Hold("submit#1 validated", fault.Order{})
			first := f.async(s)
			servicetest.Await(t, "the first", reached)
			second := f.Created(t, s)
			release()
			return servicetest.Await(t, "the first reply", first).Ref() != second
		},
		approval.BreakConflict: func(t *testing.T, f *fixture) bool {
			s := f.Fresh()
			f.Created(t, s)
			s.Content = `{"amount":"1"}`
			return f.Submit(t, s).Ref() == "a-2"
		},
		approval.BreakRetention: func(t *testing.T, f *fixture) bool {
			s := f.Fresh()
			ref := f.Created(t, s)
			f.clock.Advance(retention / 4)
			return f.Created(t, s) != ref
		},
		approval.BreakVoid: func(t *testing.T, f *fixture) bool {
			s := f.Fresh()
			f.Call(t, "POST", "/v1/submissions/"+s.Key+"/void", "", "")
			return f.Submit(t, s).Status == 201
		},
		approval.BreakRefusal: func(t *testing.T, f *fixture) bool {
			reply := f.Submit(t, f.Fresh())
			return reply.Status == 422 && reply.Get("no_effect") == "true" && f.rows()[0] == history.ApprovalCreated
		},
		approval.BreakNotification: func(t *testing.T, f *fixture) bool {
			f.Created(t, f.Fresh())
			f.Decide("", approval.Approved)
			return f.Ledger().Records[0].Notifications == 2
		},
	}
}

func TestAPromiseIsBrokenOnlyWhenTheSettingsSaySo(t *testing.T) {
	g := NewWithT(t)
	tests := breakTests()
	for _, name := range approval.Breakable() {
		g.Expect(tests).To(HaveKey(name))
	}
	for name, run := range tests {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			set := approval.Settings{Promises: approval.Promises(retention)}
			g.Expect(run(t, open(t, set))).To(BeFalse(), "kept")
			set.Breaks = []string{name}
			g.Expect(run(t, open(t, set))).To(BeTrue(), "broken")
		})
	}
}

func TestAServiceThatIsNotAtomicRemembersUnlessItCrashes(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Breaks: []string{approval.BreakAtomicity}})
	s := f.Fresh()
	g.Expect(f.Created(t, s)).To(Equal(f.Created(t, s)))
	g.Expect(f.rows()).To(Equal([]string{history.ApprovalCreated, history.KeyStored}))
}

func TestSettingsThatMakeNoSenseAreRefused(t *testing.T) {
	g := NewWithT(t)
	_, err := approval.Open(approval.Config{Settings: approval.Settings{Breaks: []string{"atomicty"}}})
	g.Expect(err).To(MatchError(`approval: breaks "atomicty": no such promise; take one of idempotency, atomicity, concurrency, conflict, ` +
		`retention, void, refusal, notification`))
	_, err = approval.Open(approval.Config{Settings: approval.Settings{Outcome: "yes", ApproverAfter: time.Second}})
	g.Expect(err).To(MatchError(`approval: outcome "yes": want approved, declined or none`))
}
