package service_test

import (
	"context"
	"regexp"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/suites/service"
)

func TestAServiceThatKeepsEveryPromisePasses(t *testing.T) {
	made := map[string]bool{}
	for _, announces := range []string{service.Decision, service.Acceptance} {
		s := (&memory{announces: announces}).subject()
		for _, c := range service.Checks() {
			made[c.Name] = made[c.Name] || c.Skip(s) == ""
		}
		service.Run(t, s)
	}
	for _, c := range service.Checks() {
		NewWithT(t).Expect(made).To(HaveKeyWithValue(c.Name, true))
	}
}

// names are names and references that differ from run to run.
var names = regexp.MustCompile(`-([a-z2-7]{26})\b`)

func TestEveryCheckFindsWhatItIsForAndSaysIt(t *testing.T) {
	type failure struct{ check, wrong, text string }
	const once = "a repeated identifier is answered with the record that it made"
	failures := []failure{
		{"a submission becomes a record that carries what was submitted", "loses the digest", `acceptance: the record a-1 has the digest "", and "d-1" was submitted; a record carries what was submitted, so that it can be verified`},
		{"a submission becomes a record that carries what was submitted", "names no instance", `acceptance: the record of k-1 has no reference; an acceptance names the instance`},
		{"a record can be tracked by its reference", "cannot find its own references", `tracking: tracking a-1: absent; the reference that a submission was answered with finds its record`},
		{"a reference that nobody gave is not found", "finds whatever is asked for", `tracking: tracking none-NAME, which nobody gave: accepted none-NAME (pending); what does not exist is said not to`},
		{"a repetition is answered with the record that is there", "recognises nothing", `idempotency: k-1 made a-1, and again: accepted a-2 (pending); ` + once},
		{"a repetition that is written otherwise is the same", "compares bytes", `idempotency: k-1 made a-1, and again: refused identifier_conflict, without effect; ` + once},
		{"identical requests at once create one record", "recognises nothing", `concurrency: k-1 submitted 16 times at once made a-N, a-N; concurrent requests with one identifier have one consequence`},
		{"a request whose client gave up is not made again by its repetition", "recognises nothing", `idempotency: k-1 made a-2, and again: accepted a-3 (pending); ` + once},
		{"an identifier is unique within its tenant, where that is its scope", "does not look at the tenant", `scope: k-1 made a-1, and for another tenant: accepted a-1 (pending); an identifier is unique within its tenant: the same one in another is another request`},
		{"other content under the same identifier is refused", "takes any content", `conflict: k-1 with another content: accepted a-1 (pending); an identifier with other content is refused for good, and the original stays as it is`},
		{"other content under the same identifier is refused", "loses the original", `conflict: k-1 with another version: accepted a-2 (pending); an identifier with other content is refused for good, and the original stays as it is`},
		{"an identifier can be looked up before and after", "is sure of what it does not know", `query: the state of k-1 is unknown for good, not unknown; what is unknown may still arrive, so that it is never final`},
		{"an identifier can be looked up before and after", "shows nothing", `query: k-1 was created, and a query does not find it in 20ms; what is there can be found by its identifier in time`},
		{"an identifier can be looked up before and after", "shows another", `query: k-1 made a-1, and the query finds a-9; a record can be found by its identifier`},
		{"a refusal without effect has none", "does what it refuses", `refusal: k-1 has 1 record: a-1; a refusal that says that it had no effect has none`},
		{"a refused conflict leaves the record as it is", "changes what it refuses to change", `refusal: k-1 made a-1 in version 1; version 2 was refused without effect, and the query finds a-1 in version 2; a refusal that says that it had no effect has none`},
		{"a fenced identifier is never carried out", "carries out what is fenced", `void: k-1 was fenced, and submitted: accepted a-1 (pending); what is fenced is never carried out`},
		{"a fenced identifier is never carried out", "fences nothing", `void: fencing k-1: unknown; a fence of what was not carried out says so, and a repetition says the same`},
		{"a fence that comes too late says what is there", "fences what is there", `void: k-1 made a-1, and its fence says: void for good; a fence of what was carried out names it and leaves it`},
		{"what is pending is withdrawn, and again is the same", "withdraws nothing", `withdrawal: withdrawing a-1 by its reference: accepted a-1 (pending); what is pending is withdrawn, and a repetition says the same`},
		{"what is not there cannot be withdrawn, and may still come", "withdraws what is not there", `withdrawal: withdrawing k-1, which was not submitted: accepted  (); what is not there is said not to be`},
		{"what is not there cannot be withdrawn, and may still come", "withdraws what comes later", `withdrawal: k-1 was to be withdrawn before it was submitted, and then it made a-1, which is withdrawn; the withdrawal of what is not there has no effect on what comes later`},
		{"an identifier of a withdrawal carries one withdrawal", "withdraws with any identifier", `conflict: w-NAME withdrew another record, and then for a-2: accepted a-2 (withdrawn); an identifier of a withdrawal is refused for another record`},
		{"what is approved is not withdrawn, where that is not promised", "withdraws what is approved", `withdrawal: withdrawing a-1, which is approved: accepted a-1 (withdrawn); a withdrawal outside of the states for it is refused and changes nothing`},
		{"what is approved is not withdrawn, where that is not promised", "withdraws what it refuses to", `withdrawal: the withdrawal of a-1 was refused, and it is withdrawn; a withdrawal outside of the states for it is refused and changes nothing`},
		{"there is nothing to notify before a decision", "notifies before the decision", `notification: notifying about a-1, which is pending: accepted a-1 (pending); there is nothing to notify before a decision`},
		{"a decision is notified once", "notifies each decision twice", `notification: 2 notifications about a-1; its decision is notified once`},
		{"a decision is notified once", "forgets to notify", `notification: 0 notifications about a-1; its decision is notified once`},
		{"an acceptance is notified once", "forgets to notify", `notification: 0 notifications about a-1; its acceptance is notified once, whatever becomes of it`},
		{"an acceptance is notified once", "notifies each decision too", `notification: 2 notifications about a-1; its acceptance is notified once, whatever becomes of it`},
		{"a repeated request for a notification sends one", "notifies as often as it is asked", `notification: 4 notifications about a-1; a request under one identifier sends one notification, however often it comes`},
		{"a service that broke off still knows what it has carried out", "forgets what it did not answer", `atomicity: k-1 has 2 records: a-1, a-2; what is carried out and what is recognised are saved in one step, so that a crash between them leaves both or none`},
		{"an identifier is recognised for as long as is promised", "forgets", `retention: k-1 made a-1, and after 25s: accepted a-2 (pending); an identifier is recognised for 40s`},
		{"an identifier whose time is over is not final", "denies what is old", `retention: k-1 was carried out, and after its retention its state is refused for good; what was carried out is never said to be without effect for good, however long ago it was`},
	}
	found := map[string]bool{}
	for _, f := range failures {
		found[f.check] = true
		t.Run(f.wrong+" "+f.check, func(t *testing.T) {
			g := NewWithT(t)
			m := &memory{wrong: f.wrong}
			if f.check == "an acceptance is notified once" {
				m.announces = service.Acceptance
			}
			var err error
			for _, c := range service.Checks() {
				if c.Name == f.check {
					err = c.Run(t.Context(), m.subject())
				}
			}
			g.Expect(err).To(HaveOccurred())
			text := names.ReplaceAllString(err.Error(), "-NAME")
			if f.check == "identical requests at once create one record" {
				text = regexp.MustCompile(`a-\d+`).ReplaceAllString(text, "a-N")
			}
			g.Expect(text).To(Equal(f.text))
		})
	}
	for _, c := range service.Checks() {
		if c.Breaks != "concurrency" && !found[c.Name] && c.Breaks != "scope" {
			t.Errorf("nothing shows that this check can fail: %s", c.Name)
		}
	}
}

func TestAHandThatDoesNothingShowsNothing(t *testing.T) {
	s := (&memory{}).subject()
	s.BreakOff = func(context.Context) error { return nil }
	for _, c := range service.Checks() {
		if c.Breaks == "atomicity" {
			NewWithT(t).Expect(c.Run(t.Context(), s)).To(MatchError(
				"atomicity could not be checked: submitting k-1: the service was to break off, and answered: accepted a-1 (pending)"))
		}
	}
}
