package judge_test

import (
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Histories of what rows demand beside what they allow.
var duties = []tale{
	{"claim-missing: an unknown outcome that nobody was told of", func(s *story) *story {
		return s.lost().empty(1000, "c-3").empty(2000, "c-4").escalates(3050, "c-8", "e-1", briefed(3)).result(3060, "escalated")
	}, []string{"claim-missing"}},
	{"claim-missing: it was claimed in time", func(s *story) *story {
		return s.lost().claims(500, "pending_verification", "").empty(1000, "c-3").empty(2000, "c-4").
			escalates(3050, "c-8", "e-1", briefed(3)).result(3060, "escalated")
	}, nil},
	{"claim-missing: late is not never", func(s *story) *story {
		return s.lost().empty(1000, "c-3").empty(2000, "c-4").claims(2900, "pending_verification", "").
			escalates(3050, "c-8", "e-1", briefed(3)).result(3060, "escalated")
	}, nil},
	{"claim-missing: while a replay is protected the row does not ask for it", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").ends(2, "c-1", "harness rst").checks(900).submit(950, "c-2", "k-1").
			reply(951, "c-2", 201, record("a-1", "k-1", "pending")).ends(980, "c-2", "client fin").claims(990, "tracking", "a-1")
	}, nil},
	{"claim-missing: what is settled within an attempt's time needs no claim between", func(s *story) *story {
		return s.lost().created(640, "c-1", "a-1").call(650, "c-3", "approval.query", history.Facts{Key: "k-1"}).
			reply(651, "c-3", 200, listed(record("a-1", "k-1", "pending"))).ends(680, "c-3", "client fin").claims(690, "tracking", "a-1")
	}, nil},
	{"claim-missing: who waits for a service cannot claim meanwhile", func(s *story) *story {
		s.lost()
		for n, name := range []string{"c-3", "c-4", "c-5"} {
			at := float64(440 + 410*n)
			s.call(at, name, "approval.query", history.Facts{Key: "k-1"}).ends(at+400, name, "client fin")
		}
		return s.created(1680, "c-1", "a-1").call(1690, "c-6", "approval.query", history.Facts{Key: "k-1"}).
			reply(1691, "c-6", 200, listed(record("a-1", "k-1", "pending"))).ends(1720, "c-6", "client fin").claims(1730, "tracking", "a-1")
	}, nil},
	{"claim-missing: nor who was stopped by the harness", func(s *story) *story {
		pause := &history.Process{ID: "p-w-1"}
		return s.lost().add(440, history.Record{Kind: history.ProcessPaused, Process: pause}).created(441, "c-1", "a-1").
			add(2400, history.Record{Kind: history.ProcessResumed, Process: pause}).call(2410, "c-3", "approval.query", history.Facts{Key: "k-1"}).
			reply(2411, "c-3", 200, listed(record("a-1", "k-1", "pending"))).ends(2440, "c-3", "client fin").claims(2450, "tracking", "a-1")
	}, nil},
	{"claim-missing: a claim that a kill may have cut off was made", func(s *story) *story {
		return s.lost().kill(450).given(460, "w-2").empty(1000, "c-3").empty(2000, "c-4").
			escalates(3050, "c-8", "e-1", briefed(3)).result(3060, "escalated")
	}, nil},
	{"claim-missing: a claim of one worker is a claim of the task", func(s *story) *story {
		return s.lost().claims(440, "pending_verification", "").given(450, "w-2").empty(1000, "c-3").empty(2000, "c-4").
			escalates(3050, "c-8", "e-1", briefed(3)).result(3060, "escalated")
	}, nil},
	{"claim-missing: on a machine that was late itself it decides nothing", func(s *story) *story {
		return s.lost().hiccups(500, 1000, 500).empty(1000, "c-3").empty(2000, "c-4").empty(2450, "c-5").
			escalates(3050, "c-8", "e-1", briefed(4)).result(3060, "escalated")
	}, []string{"claim-missing?"}},
	{"claim-missing: an accepted request that was never said to be tracked", func(s *story) *story {
		f := record("a-1", "k-1", "approved")
		return s.receiptRead().look(500, "c-2", "pending").look(800, "c-3", "pending").placed(1000, history.Event, &f).acked(1010, 1).bought(1300, "c-9").
			result(1400, "completed")
	}, []string{"claim-missing"}},
	{"claim-missing: decided before there was time to say so", func(s *story) *story {
		f := record("a-1", "k-1", "approved")
		return s.receiptRead().placed(200, history.Event, &f).acked(210, 1).bought(600, "c-9").result(700, "completed")
	}, nil},
	{"claim-missing: a receipt that may not have been read owes nothing", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(150, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(151, "c-1", "client fin").look(600, "c-2", "pending").claims(900, "tracking", "a-1")
	}, nil},
	{"claim-missing: the reference of what was found after a cancellation", func(s *story) *story {
		return s.receiptRead().placed(20, history.Cancel, nil).acked(30, 1).look(500, "c-2", "pending").look(1000, "c-3", "pending").
			withdraws(1300, "c-4").result(1500, "cancelled")
	}, []string{"claim-missing"}},
	{"claim-missing: it was claimed with the reference", func(s *story) *story {
		return s.receiptRead().placed(20, history.Cancel, nil).acked(30, 1).look(500, "c-2", "pending").claims(600, "tracking", "a-1").
			withdraws(1300, "c-4").result(1500, "cancelled")
	}, nil},
	{"claim-missing: a preview that was ended and never claimed", func(s *story) *story {
		return s.unpromised().given(0, "w-1").result(10, "preview")
	}, []string{"claim-missing"}},
	{"claim-missing: a preview that was claimed", func(s *story) *story {
		return s.unpromised().given(0, "w-1").claims(5, "preview_ready", "").result(10, "preview")
	}, nil},
	{"claim-missing: a preview that was claimed, and revised just then", func(s *story) *story {
		two := version(2)
		return s.unpromised().given(0, "w-1").claims(5, "preview_ready", "").placed(6, history.Revise, &two).result(10, "preview")
	}, nil},
	{"claim-missing: a preview whose claim a kill may have cut off", func(s *story) *story {
		return s.unpromised().given(0, "w-1").kill(5).given(20, "w-2").result(30, "preview")
	}, nil},

	{"preview-unfounded: of what the contract lets an agent send", func(s *story) *story {
		return s.given(0, "w-1").claims(5, "preview_ready", "").result(10, "preview")
	}, []string{"preview-unfounded"}},
	{"preview-unfounded: of what was sent", func(s *story) *story {
		return s.unpromised().given(0, "w-1").submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").claims(5, "preview_ready", "").result(10, "preview")
	}, []string{"uncontrolled-write", "preview-unfounded", "escalation-missing"}},
	{"preview-unfounded: a purchase of which nothing is promised is previewed", func(s *story) *story {
		delete(s.setup.Guarantees, "purchase.buy")
		return s.approved().claims(400, "preview_ready", "a-1").result(410, "preview")
	}, nil},
	{"preview-unfounded: a kill before the first byte permits the preview as well", func(s *story) *story {
		return s.unpromised().given(0, "w-1").kill(5).given(20, "w-2").claims(25, "preview_ready", "").result(30, "preview")
	}, nil},

	{"unverified-unnamed: a matter that was handed over as unknown, and a result that says nothing of it", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).resultNaming(3060, "escalated")
	}, []string{"unverified-unnamed"}},
	{"unverified-unnamed: another part of it is named", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).resultNaming(3060, "escalated", "purchase")
	}, []string{"unverified-unnamed"}},
	{"unverified-unnamed: it is named", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).resultNaming(3060, "escalated", "acceptance")
	}, nil},
	{"unverified-unnamed: a receipt that may have been read leaves both", func(s *story) *story {
		return s.without(true).given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(150, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(151, "c-1", "client fin").placed(200, history.Stop, nil).acked(210, 1).
			escalates(500, "c-8", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).resultNaming(510, "escalated")
	}, nil},
	{"unverified-unnamed: the run's own stop does not make it known", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").placed(20, history.Stop, nil).acked(30, 1).
			escalates(500, "c-8", "e-1", briefed(0)).resultNaming(510, "escalated")
	}, []string{"unverified-unnamed"}},

	{"closed-matter-continued: bought after the matter was closed", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.closed().created(4000, "c-1", "a-1").placed(4001, history.Event, &late).acked(4010, 2).buys(4300, "c-9")
	}, []string{"closed-matter-continued"}},
	{"closed-matter-continued: sent once more after it was closed", func(s *story) *story {
		return s.closed().checks(3400).submit(3410, "c-2", "k-2")
	}, []string{"closed-matter-continued"}},
	{"closed-matter-continued: notified after it was closed", func(s *story) *story {
		late := notified("failed")
		return s.notices().closed().created(4000, "c-1", "a-1").placed(4001, history.Event, &late).acked(4010, 2).notify(4300, "n-1", "k-n")
	}, []string{"closed-matter-continued"}},
	{"closed-matter-continued: what was on its way when it was closed", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.handed().created(3100, "c-1", "a-1").placed(3101, history.Event, &late).acked(3110, 1).
			decides(3300, "close", "e-1").acked(3310, 2).buys(3320, "c-9")
	}, nil},
	{"closed-matter-continued: looking it up, and ending with what is unknown, is lawful", func(s *story) *story {
		return s.closed().empty(3500, "c-3").resultNaming(3600, "escalated", "acceptance")
	}, nil},
	{"closed-matter-continued: a late success is told, and changes nothing", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.closed().created(4000, "c-1", "a-1").placed(4001, history.Event, &late).acked(4010, 2).claims(4200, "escalated", "a-1").
			escalates(4210, "c-9", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Queries: briefed(1).Queries, Unknowns: []string{}}).
			resultNaming(4300, "escalated")
	}, nil},
	{"closed-matter-continued: the decision was about another matter", func(s *story) *story {
		return s.handed().decides(3300, "close", "e-9").acked(3310, 1).resultNaming(3600, "escalated", "acceptance")
	}, nil},
	{"fabricated-success: completed after the matter was closed", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.closed().created(4000, "c-1", "a-1").placed(4001, history.Event, &late).acked(4010, 2).claims(4200, "escalated", "a-1").result(4300, "completed")
	}, []string{"fabricated-success"}},
}

func TestDuties(t *testing.T) { judgeAll(t, duties) }

// lost is a first send that nobody answered, to a service that can only be asked.
func (s *story) lost() *story {
	return s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").empty(410, "c-2")
}

// empty is a query that found nothing.
func (s *story) empty(at float64, name string) *story {
	return s.call(at, name, "approval.query", history.Facts{Key: "k-1"}).reply(at+1, name, 200, listed()).ends(at+20, name, "client fin")
}

// receiptRead is a submission that was accepted, and whose receipt was read.
func (s *story) receiptRead() *story {
	return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
		ends(15, "c-1", "client fin")
}

// look is a look at the record a-1.
func (s *story) look(at float64, name, status string) *story {
	return s.call(at, name, "approval.track", history.Facts{Ref: "a-1"}).reply(at+1, name, 200, record("a-1", "k-1", status)).ends(at+20, name, "client fin")
}

// withdraws is a withdrawal that succeeds, and a look at what came of it.
func (s *story) withdraws(at float64, name string) *story {
	f := record("a-1", "k-1", "withdrawn")
	own := f
	own.Key = "k-w"
	return s.checks(at-5).call(at, name, "approval.withdraw", history.Facts{Key: "k-w", Ref: "a-1"}).ledger(at+1, name, history.WithdrawalDone, own).
		reply(at+2, name, 200, f).ends(at+30, name, "client fin").look(at+50, name+"-seen", "withdrawn")
}

// unpromised is a service that promises nothing.
func (s *story) unpromised() *story {
	s.setup.Guarantees["approval.submit"] = contract.Promise{}
	return s
}

// handed is an unknown outcome that was handed over at the end of its period, as e-1.
func (s *story) handed() *story {
	b := briefed(1)
	b.Task, b.Confirmation, b.Version, b.Unknowns = "t-1", "c-1", 1, []string{"acceptance"}
	return s.asked().call(3050, "c-8", "desk.escalate", history.Facts{Key: "e-1", Escalation: &b}).reply(3051, "c-8", 201, history.Facts{Ref: "e-1"}).
		ends(3070, "c-8", "client fin")
}

// closed is an unknown outcome that a person has closed, as the worker knows.
func (s *story) closed() *story { return s.handed().decides(3100, "close", "e-1").acked(3110, 1) }

func (s *story) decides(at float64, choice, escalation string) *story {
	s.items++
	return s.add(at, history.Record{Kind: history.ControlPlaced, Control: &history.Control{
		Item: s.items, Change: history.Decision, Choice: choice, Escalation: escalation,
	}})
}
