package service_test

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/suites/service"
)

func TestTheFakeKeepsWhatItPromises(t *testing.T) {
	made := map[string]bool{}
	for _, announces := range []string{service.Decision, service.Acceptance} {
		t.Run(announces, func(t *testing.T) {
			s := announcing(t, announces)
			for _, c := range service.Checks() {
				made[c.Name] = made[c.Name] || c.Skip(s) == ""
			}
			service.Run(t, s)
		})
	}
	for _, c := range service.Checks() {
		NewWithT(t).Expect(made).To(HaveKeyWithValue(c.Name, true))
	}
}

// announcing is a service that tells people of acceptances, or of decisions.
func announcing(t *testing.T, announces string, breaks ...string) service.Subject {
	set := promising()
	set.Announces, set.Breaks = announces, breaks
	s := subject(t, set)
	s.Announces = announces
	return s
}

func TestWhatPeopleAreToldOfIsNotToldTwice(t *testing.T) {
	g := NewWithT(t)
	g.Expect(brokenBy(t, announcing(t, service.Acceptance, approval.BreakNotification), "notification")).To(ContainElement("notification"))

	wrong := announcing(t, service.Decision)
	wrong.Announces = service.Acceptance
	g.Expect(brokenBy(t, wrong, "notification")).To(ContainElement("notification"), "nobody was told of the acceptance")
	wrong.Announces = "both"
	g.Expect(service.Checks()[0].Run(t.Context(), wrong)).To(MatchError(`service: Subject.Announces is "both": want decision or acceptance`))
}

// brokenBy makes the checks of a service that are about these promises, all when
// none is named, and returns the promises that were broken, and what nothing could
// be shown about.
func brokenBy(t *testing.T, s service.Subject, about ...string) []string {
	t.Helper()
	var promises []string
	for _, c := range service.Checks() {
		if c.Skip(s) != "" || len(about) > 0 && !slices.Contains(about, c.Breaks) {
			continue
		}
		err := c.Run(t.Context(), s)
		var broken *service.Broken
		switch {
		case errors.As(err, &broken):
			t.Logf("%s: %v", c.Name, err)
			promises = append(promises, broken.Promise)
		case err != nil:
			t.Logf("%s: undecided: %v", c.Name, err)
			promises = append(promises, "undecided: "+c.Breaks)
		}
	}
	return promises
}

func TestEveryPromiseThatAServiceBreaksIsFound(t *testing.T) {
	for _, name := range approval.Breakable() {
		t.Run(name, func(t *testing.T) {
			set := promising()
			set.Breaks = []string{name}
			NewWithT(t).Expect(brokenBy(t, subject(t, set), name)).To(ContainElement(name))
		})
	}
}

// crowd makes only the check of many clients at once.
func crowd(t *testing.T, s service.Subject) error {
	t.Helper()
	for _, c := range service.Checks() {
		if c.Name == "whatever many clients see at once is explained by one creation an identifier" {
			return c.Run(t.Context(), s)
		}
	}
	t.Fatal("the check is gone")
	return nil
}

func TestACrowdFindsAServiceThatCreatesTwice(t *testing.T) {
	for _, name := range []string{approval.BreakIdempotency, approval.BreakConflict, approval.BreakVoid} {
		t.Run(name, func(t *testing.T) {
			set := promising()
			set.Breaks = []string{name}
			NewWithT(t).Expect(crowd(t, subject(t, set))).To(MatchError(And(
				HavePrefix("concurrency: with the seed "), ContainSubstring("explains what the clients saw:\n    client "))))
		})
	}
}

func TestACrowdWhoseAnswersAreLostAccusesNobody(t *testing.T) {
	NewWithT(t).Expect(crowd(t, subjectOf(t, promising(), &shaky{every: 17}))).To(Succeed())
}

func TestACrowdThatGetsNoAnswersShowsNothing(t *testing.T) {
	err := crowd(t, subjectOf(t, promising(), &shaky{every: 1}))
	NewWithT(t).Expect(err).To(MatchError(MatchRegexp(`^concurrency could not be checked: 9\d of 96 requests got no answer: `)))
}

func TestAServiceThatPromisesLittleIsHeldToThat(t *testing.T) {
	g := NewWithT(t)
	set := approval.Settings{Promises: approval.Promises(0), Plain: true}
	p := set.Promises["approval.submit"]
	p.Idempotency.Supported, p.Void, p.Query.ByRef, p.WithdrawStates = false, false, false, nil
	set.Promises["approval.submit"], set.Promises["approval.withdraw"] = p, p
	delete(set.Promises, "approval.notify")
	s := subject(t, set)
	s.Promises = set.Promises
	s.Decide, s.Notifications, s.BreakOff = nil, nil, nil
	g.Expect(brokenBy(t, s)).To(BeEmpty())
	var made []string
	for _, c := range service.Checks() {
		if c.Skip(s) == "" {
			made = append(made, c.Name)
		}
	}
	g.Expect(made).To(Equal([]string{
		"a submission becomes a record that carries what was submitted",
		"an identifier can be looked up before and after",
		"a refusal without effect has none",
	}))
}

func TestAScopeIsWhatIsPromised(t *testing.T) {
	g := NewWithT(t)
	narrow := func(set *approval.Settings, scope ...string) {
		p := set.Promises["approval.submit"]
		p.Idempotency.Scope = scope
		set.Promises["approval.submit"] = p
	}
	set := promising()
	narrow(&set, "action")
	s := subject(t, set)
	g.Expect(slices.Contains(brokenBy(t, s, "scope"), "scope")).To(BeTrue(), "it promises more than it keeps")
	s.Promises = set.Promises
	g.Expect(brokenBy(t, s)).To(BeEmpty())
}

func TestALateServiceIsGivenTime(t *testing.T) {
	set := promising()
	set.CreateAfter = time.Second
	s := subject(t, set)
	s.Rounds, s.Patience = 1, time.Minute
	wait := s.Wait
	asked := &asking{Approvals: s.Approvals, tick: func() { _ = wait(t.Context(), time.Second) }}
	s.Approvals = asked
	s.BreakOff = nil // there is nothing to break off in
	NewWithT(t).Expect(brokenBy(t, s)).To(BeEmpty())
}

func TestAReplicaIsAskedForAsLongAsItMayBeBehind(t *testing.T) {
	behind := func(t *testing.T, breaks ...string) service.Subject {
		set := promising()
		set.ReplicaLag, set.Breaks = time.Second, breaks
		s := subject(t, set)
		wait := s.Wait
		s.Approvals = &asking{Approvals: s.Approvals, tick: func() { _ = wait(t.Context(), 300*time.Millisecond) }}
		return s
	}
	about := []string{"query", "refusal", "idempotency", "atomicity"}
	NewWithT(t).Expect(brokenBy(t, behind(t), about...)).To(BeEmpty())
	NewWithT(t).Expect(brokenBy(t, behind(t, approval.BreakRefusal), "refusal")).To(ContainElement("refusal"))
}

func TestAServiceWithoutAnAddressIsNoSubject(t *testing.T) {
	g := NewWithT(t)
	for _, c := range service.Checks() {
		g.Expect(c.Run(t.Context(), service.Subject{})).To(MatchError(
			"service: nothing to check: set Subject.Approvals, for example to service.HTTP{URL: ...}"))
	}
}

func TestAServiceThatCannotBeReachedHasBrokenNothing(t *testing.T) {
	g := NewWithT(t)
	s := subject(t, promising())
	s.Approvals = service.HTTP{URL: "http://127.0.0.1:1"}
	for _, c := range service.Checks() {
		err := c.Run(t.Context(), s)
		var broken *service.Broken
		g.Expect(err).To(HaveOccurred(), c.Name)
		g.Expect(errors.As(err, &broken)).To(BeFalse(), "%s: %v", c.Name, err)
		g.Expect(err.Error()).To(HavePrefix(c.Breaks+" could not be checked: "), c.Name)
	}
}

// TestAServiceAtAnyAddress checks the service whose address is in the
// environment: LOSTRECEIPT_APPROVALS=http://host:port go test ./suites/service
func TestAServiceAtAnyAddress(t *testing.T) {
	url := os.Getenv("LOSTRECEIPT_APPROVALS")
	if url == "" {
		t.Skip("LOSTRECEIPT_APPROVALS is not set")
	}
	service.Run(t, service.Subject{Approvals: service.HTTP{URL: url}})
}
