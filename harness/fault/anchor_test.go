package fault

import (
	"errors"
	"testing"

	. "github.com/onsi/gomega"
)

func TestAnAnchorIsReadAndWrittenBackAsItWas(t *testing.T) {
	for _, text := range []string{
		"approval.submit#1 sent",
		"approval.submit#1 received",
		"approval.submit#2 validated",
		"approval.withdraw#1 committed",
		"approval.query#3 delivered",
		"purchase.buy#1 replied",
		"approval.submit#1..3 replied",
		"approval.track#every sent",
		"b/approval.submit#1 sent",
		"approval.submit#1 sent and then approval.query#2 delivered",
		"b/approval.submit#1 sent and then a/agent escalates and then task cancelled",
		"agent started",
		"agent started#2",
		"agent claims pending_verification",
		"agent claims tracking#2",
		"agent escalates",
		"task cancelled",
		"event approved#1 emitted",
		"event declined#2 delivered",
		"b/event approved#every delivered",
		"control.confirmation#1 delivered",
		"desk.escalate#1 replied",
	} {
		t.Run(text, func(t *testing.T) {
			g := NewWithT(t)
			a, err := ParseAnchor(text)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(a.String()).To(Equal(text))
			g.Expect(a.Words()).NotTo(BeEmpty())
		})
	}
}

func TestAnAnchorThatIsWrongSaysWhatIsRight(t *testing.T) {
	for text, want := range map[string]string{
		"":                            `the anchor is empty: write one such as "approval.submit#1 replied"`,
		"approval.submit replied":     `the ordinal is missing: which call of approval.submit? (did you mean "approval.submit#1 replied"?)`,
		"approval.submit":             `the ordinal is missing: which call of approval.submit?`,
		"approval.submit#1":           `the phase is missing: one of sent, received, validated, committed, replied, delivered`,
		"approval.sumbit#1 replied":   `unknown operation "approval.sumbit" (did you mean "approval.submit#1 replied"?)`,
		"approval.submit#1 repiled":   `unknown phase "repiled": approval.submit passes sent, received, validated, committed, replied, delivered (did you mean "approval.submit#1 replied"?)`,
		"approval.query#1 committed":  "approval.query only reads, so it is never committed: it passes sent, received, replied, delivered",
		"approval.query#1 validated":  "approval.query only reads, so it is never validated: it passes sent, received, replied, delivered",
		"approval.submit#0 sent":      `"0" is no ordinal: calls are counted from 1, without leading zeros`,
		"approval.submit#01 sent":     `"01" is no ordinal: calls are counted from 1, without leading zeros`,
		"approval.submit#one sent":    `"one" is no ordinal: write a number, a range such as 1..3, or every`,
		"approval.submit#3..1 sent":   "a range runs upwards, not from 3 to 1",
		"approval.submit#1..x sent":   `"x" is no ordinal: write a number, a range such as 1..3, or every`,
		"approval.submit#99999 sent":  "ordinal 99999 is out of range: at most 1000",
		"approval.submit  #1 sent":    "an anchor's words stand one blank apart",
		"approval.submit#1  sent":     `an anchor's words stand one blank apart (did you mean "approval.submit#1 sent"?)`,
		"b c/approval.submit#1 sent":  `"b c" is no task id: before the slash stands the id of a task, as in b/approval.submit#1 sent`,
		"b/approval.sbmit#1 sent":     `unknown operation "approval.sbmit" (did you mean "b/approval.submit#1 sent"?)`,
		"agent claims trackng":        `unknown state "trackng" (did you mean "agent claims tracking"?)`,
		"agent claims":                "agent claims what? Write one of submitting, pending_verification, tracking, completed, declined, refused, blocked, escalated, cancelled, withdrawn, preview_ready, failed",
		"agent escalate":              `unknown anchor "agent escalate" (did you mean "agent escalates"?)`,
		"agents started":              `unknown anchor "agents started" (did you mean "agent started"?)`,
		"task canceled":               `unknown anchor "task canceled" (did you mean "task cancelled"?)`,
		"event approved emitted":      `the ordinal is missing: which approved event? (did you mean "event approved#1 emitted"?)`,
		"event aproved#1 emitted":     `unknown event "aproved": services put out approved, declined, withdrawn (did you mean "event approved#1 emitted"?)`,
		"event approved#1 emited":     `an event is emitted or delivered, not "emited" (did you mean "event approved#1 emitted"?)`,
		"event":                       "which event? Write its type and number, as in event approved#1 emitted",
		"control.confirmation#1 sent": `the control plane is never faulted: a confirmation is only delivered (did you mean "control.confirmation#1 delivered"?)`,
		"approval.submit#1 sent and then approval.query delivered": `the ordinal is missing: which call of approval.query? (did you mean "approval.submit#1 sent and then approval.query#1 delivered"?)`,
		"approval.buy#1 replied":                                   `unknown operation "approval.buy" (did you mean "purchase.buy#1 replied"?)`,
		"aproval.withdraw sent":                                    `unknown operation "aproval.withdraw" (did you mean "approval.withdraw sent"?)`,
		"purchase.refund#1 replied":                                `unknown operation "purchase.refund": one of purchase.buy, purchase.query`,
		"somewhere":                                                `unknown operation "somewhere": one of approval.submit, approval.track, approval.query, approval.search, approval.void, approval.withdraw, approval.notify, purchase.buy, purchase.query, desk.escalate, knowledge.search_kb, knowledge.kb_cache, knowledge.kb_archive, knowledge.search_web, knowledge.delete_record, knowledge.archive_record, knowledge.issue_refund, knowledge.initialize, knowledge.list_tools, knowledge.session, model.chat, model.list, control.confirmation`,
	} {
		t.Run(text, func(t *testing.T) {
			g := NewWithT(t)
			_, err := ParseAnchor(text)
			g.Expect(err).To(MatchError(want))
		})
	}
}

func TestAnErrorPointsIntoTheAnchor(t *testing.T) {
	for text, offset := range map[string]int{
		"approval.submit#1 repiled":                                18,
		"b/approval.submit#0 sent":                                 18,
		"approval.submit#1..0 sent":                                19,
		"agent claims trackng":                                     13,
		"approval.submit#1 sent and then approval.query delivered": 46,
		"event approved#1 emited":                                  17,
	} {
		_, err := ParseAnchor(text)
		var m *Misuse
		NewWithT(t).Expect(errors.As(err, &m)).To(BeTrue(), text)
		NewWithT(t).Expect(m.Offset).To(Equal(offset), text)
	}
}

func TestAStepMatchesItsPointsAndNoOthers(t *testing.T) {
	g := NewWithT(t)
	call := func(op string, n int, phase Phase) Point {
		return Point{Ref: Ref{Task: "b", Ordinal: n}, Service: "approval", Operation: op, Phase: phase}
	}
	last := func(text string) Step { return anchor(t, text).Last() }

	g.Expect(last("approval.submit#2 sent").Matches(call("submit", 2, Sent))).To(BeTrue())
	g.Expect(last("approval.submit#2 sent").Matches(call("submit", 1, Sent))).To(BeFalse())
	g.Expect(last("approval.submit#2 sent").Matches(call("submit", 2, Replied))).To(BeFalse())
	g.Expect(last("approval.submit#2 sent").Matches(call("query", 2, Sent))).To(BeFalse())
	g.Expect(last("b/approval.submit#2 sent").Matches(call("submit", 2, Sent))).To(BeTrue())
	g.Expect(last("a/approval.submit#2 sent").Matches(call("submit", 2, Sent))).To(BeFalse())
	g.Expect(last("approval.submit#2..3 sent").Matches(call("submit", 3, Sent))).To(BeTrue())
	g.Expect(last("approval.submit#2..3 sent").Matches(call("submit", 4, Sent))).To(BeFalse())
	g.Expect(last("approval.submit#every sent").Matches(call("submit", 400, Sent))).To(BeTrue())

	copied := call("submit", 2, Sent)
	copied.Copy = true
	g.Expect(last("approval.submit#2 sent").Matches(copied)).To(BeFalse(), "a duplicate that a fault made is at no anchor")

	claim := Point{Ref: Ref{Ordinal: 1}, Event: AgentClaims, Detail: "tracking"}
	g.Expect(last("agent claims tracking").Matches(claim)).To(BeTrue())
	g.Expect(last("agent claims failed").Matches(claim)).To(BeFalse())
	g.Expect(last("agent started").Matches(claim)).To(BeFalse())
}

func anchor(t testing.TB, text string) Anchor {
	t.Helper()
	a, err := ParseAnchor(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return a
}

func FuzzAnAnchorThatIsReadIsWrittenBack(f *testing.F) {
	for _, seed := range []string{"approval.submit#1 replied", "b/agent claims tracking#2 and then task cancelled", "event approved#1..2 emitted", "a/ #", " and then "} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAnchor(text)
		if err != nil {
			return
		}
		again, err := ParseAnchor(a.String())
		if err != nil || again.String() != a.String() {
			t.Fatalf("%q is written as %q, which is read as %q, %v", text, a, again, err)
		}
	})
}
