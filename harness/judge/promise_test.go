package judge_test

import (
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// broken are histories in which a service breaks a promise by itself, or seems to.
var broken = []tale{
	{"a service that notifies of one decision twice", func(s *story) *story {
		f := record("a-1", "k-1", "approved")
		return s.accepted().ledger(100, "c-1", history.NotificationSent, f).ledger(101, "c-1", history.NotificationSent, f)
	}, []string{"promise-broken (service)"}},
	{"two decisions have a notification each", func(s *story) *story {
		return s.accepted().ledger(100, "c-1", history.NotificationSent, record("a-1", "k-1", "approved")).
			ledger(101, "c-1", history.NotificationSent, record("a-1", "k-1", "withdrawn"))
	}, []string{"duplicate-consequence (scenario)"}},
	{"a refusal without effect that had one", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
			reply(3, "c-1", 422, history.Facts{Code: "rejected", NoEffect: true}).ends(60, "c-1", "client fin").result(70, "refused")
	}, []string{"promise-broken (service)"}},
	{"a refusal that promises nothing", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
			reply(3, "c-1", 422, history.Facts{Code: "rejected"}).ends(60, "c-1", "client fin")
	}, nil},
	{"a refusal of the replay speaks of the replay alone", func(s *story) *story {
		return s.given(0, "w-1").checks(1).submit(1, "c-1", "k-1").created(2, "c-1", "a-1").ends(3, "c-1", "harness rst").checks(40).
			submit(50, "c-2", "k-1").reply(51, "c-2", 403, history.Facts{Code: "denied", NoEffect: true}).ends(90, "c-2", "client fin")
	}, nil},
	{"an identifier that was fenced and executed", func(s *story) *story {
		return s.voids().asked().call(440, "c-3", "approval.void", history.Facts{Key: "k-1"}).ledger(441, "c-3", history.KeyFenced, history.Facts{Key: "k-1"}).
			created(450, "c-1", "a-1")
	}, []string{"promise-broken (service)"}},
	{"a fence that came too late", func(s *story) *story {
		s.voids().asked().created(435, "c-1", "a-1").call(440, "c-3", "approval.void", history.Facts{Key: "k-1"})
		return s.ledger(441, "c-3", history.KeyFenced, history.Facts{Key: "k-1"})
	}, nil},
	{"an identifier that was forgotten too early", func(s *story) *story {
		return s.accepted().ledger(1990, "", history.KeyExpired, history.Facts{Key: "k-1"})
	}, []string{"promise-broken (service)"}},
	{"an identifier that was forgotten in time, within what can be timed", func(s *story) *story {
		return s.accepted().ledger(2000, "", history.KeyExpired, history.Facts{Key: "k-1"})
	}, nil},
}

func TestPromisesThatAServiceBreaksByItself(t *testing.T) { judgeAll(t, broken) }
