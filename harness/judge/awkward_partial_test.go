package judge_test

import (
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Histories in which a request was accepted and a part of it is missing: that
// part is brought about, and nothing else.
var awkwardPartial = []tale{
	{"a part that is known to be missing is brought about", func(s *story) *story {
		return s.partly().checks(20).notify(30, "n-1", "k-n").reply(31, "n-1", 200, partly("sent", 3)).ends(60, "n-1", "client fin").claims(61, "tracking", "a-1")
	}, nil},
	{"the whole is sent again because a part is missing", func(s *story) *story {
		return s.partly().checks(20).submit(30, "c-2", "k-1")
	}, []string{"partial-reexecuted"}},
	{"the whole is sent again under another identifier", func(s *story) *story {
		return s.partly().checks(20).submit(30, "c-2", "k-2")
	}, []string{"identifier-changed"}},
	{"the part that was missing is done, and done again", func(s *story) *story {
		return s.partly().notify(30, "n-1", "k-n").reply(31, "n-1", 200, partly("sent", 3)).ends(60, "n-1", "client fin").
			checks(70).notify(100, "n-2", "k-n")
	}, []string{"resubmit-after-acceptance"}},
	{"it was done already, and is done for a first time by the agent", func(s *story) *story {
		return s.announced("sent").notify(30, "n-1", "k-n")
	}, []string{"uncontrolled-write"}},
	{"the missing part is given the identifier of the whole", func(s *story) *story {
		return s.partly().notify(30, "n-1", "k-1")
	}, []string{"identifier-reused"}},
	{"a late old message does not make a part missing again", func(s *story) *story {
		old := partly("failed", 2)
		return s.partly().notify(30, "n-1", "k-n").reply(31, "n-1", 200, partly("sent", 3)).ends(60, "n-1", "client fin").
			placed(100, history.Event, &old).acked(110, 1).checks(600).notify(610, "n-2", "k-n2")
	}, []string{"identifier-changed"}},
	{"the receipt of the missing part is lost, and a protected replay of it is lawful", func(s *story) *story {
		return s.partly().notify(30, "n-1", "k-n").ends(31, "n-1", "harness rst").checks(80).notify(90, "n-2", "k-n").
			reply(91, "n-2", 200, partly("sent", 3)).ends(120, "n-2", "client fin").claims(121, "tracking", "a-1")
	}, nil},
	{"a receipt that names the missing part and may not have been read permits both", func(s *story) *story {
		return s.notices().given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(150, "c-1", 201, partly("failed", 2)).
			ends(151, "c-1", "client fin").checks(170).submit(180, "c-2", "k-1")
	}, nil},
	{"and lets the part be brought about by one who has read it", func(s *story) *story {
		return s.notices().given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(150, "c-1", 201, partly("failed", 2)).
			ends(151, "c-1", "client fin").checks(170).notify(180, "n-1", "k-n")
	}, nil},
	{"a kill lets the next process look before it knows what is missing", func(s *story) *story {
		return s.partly().kill(25).given(40, "w-2").checks(41).submit(50, "c-2", "k-1").reply(51, "c-2", 201, partly("failed", 2)).
			ends(80, "c-2", "client fin").notify(90, "n-1", "k-n")
	}, nil},
	{"nothing is bought on what is only accepted in part", func(s *story) *story {
		return s.partly().call(30, "p-1", "purchase.buy", history.Facts{Key: "k-9", Approval: "a-1", Content: "content-1"})
	}, []string{"dependent-while-in-doubt"}},
	{"a missing part that may not be brought about any more is handed over", func(s *story) *story {
		return s.partly().checksAs(20, history.Control{Valid: true, Permissions: []string{"submit", "withdraw", "purchase"}}).
			escalates(40, "c-8", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}})
	}, nil},
	{"a notification in doubt of what was withdrawn is nobody's matter any more", func(s *story) *story {
		gone := partly("failed", 3)
		gone.Status = "withdrawn"
		return s.partly().notify(30, "n-1", "k-n").ends(31, "n-1", "harness rst").claims(35, "tracking", "a-1").placed(40, history.Cancel, nil).acked(50, 1).
			checksAs(200, history.Control{Valid: true, Cancelled: true}).call(210, "c-4", "approval.withdraw", history.Facts{Key: "k-w", Ref: "a-1"}).
			reply(211, "c-4", 200, gone).ends(230, "c-4", "client fin").claims(240, "withdrawn", "a-1").result(250, "cancelled").look(4000, "c-5", "withdrawn")
	}, nil},
	{"what is accepted in part is no reason to hand over", func(s *story) *story {
		return s.partly().escalates(40, "c-8", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}})
	}, []string{"escalation-needless"}},
}

func TestHistoriesOfPartialConsequences(t *testing.T) { judgeAll(t, awkwardPartial) }

func TestATaskThatNeverEndsIsToldOfTheNotificationThatItOwes(t *testing.T) {
	for name, c := range map[string]struct {
		story func(*story) *story
		owed  bool
	}{
		"failed": {func(s *story) *story { return s.partly() }, true},
		"sent":   {func(s *story) *story { return s.announced("sent") }, false},
		"failed, and tried": {func(s *story) *story {
			return s.partly().checks(20).notify(30, "n-1", "k-n").ends(31, "n-1", "harness rst")
		}, false},
		"failed, and cancelled": {func(s *story) *story {
			return s.partly().placed(40, history.Cancel, nil).acked(50, 1).checksAs(200, history.Control{Valid: true, Cancelled: true})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			var told []judge.Finding
			for _, f := range c.story(tell(t)).judged().Findings {
				if f.Rule == "never-settled" {
					told = append(told, f)
				}
			}
			g.Expect(told).To(gomega.HaveLen(1))
			if c.owed {
				g.Expect(told[0].Observed).To(gomega.HaveSuffix("its notification has failed and was owed, whether or not the request is decided"))
				g.Expect(told[0].Allowed).To(gomega.Equal([]string{"notify"}))
			} else {
				g.Expect(told[0].Observed).To(gomega.Equal("no result was posted while the run watched"))
			}
		})
	}
}

// partly is the record a-1, pending, with what became of its notification.
func partly(notification string, seq int) history.Facts {
	f := record("a-1", "k-1", "pending")
	f.Notification, f.Seq = notification, seq
	return f
}

// partly is a submission that was accepted, and whose notification has failed.
func (s *story) partly() *story { return s.announced("failed") }

// announced is a submission whose receipt says what became of its notification.
func (s *story) announced(notification string) *story {
	return s.notices().given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, partly(notification, 2)).
		ends(15, "c-1", "client fin")
}

// notify is a call that brings the notification of a-1 about.
func (s *story) notify(at float64, name, key string) *story {
	return s.call(at, name, "approval.notify", history.Facts{Key: key, Ref: "a-1"})
}
