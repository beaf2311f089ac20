package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// Check is one promise that is put to the test.
type Check struct {
	Name   string // a sentence: what must be so
	Breaks string // the promise that a failure breaks, as scenarios name it in breaks:, or another word for it
	// skip says why the check cannot be made of a subject; "": it can.
	skip func(s *Subject) string
	run  func(ctx context.Context, s *Subject) error
}

// Checks are all checks, in the order in which they are made.
func Checks() []Check {
	var all []Check
	for _, some := range [][]Check{
		acceptance(), idempotency(), scope(), conflict(), query(), refusal(), fence(), withdrawal(), notification(),
		atomicity(), concurrency(), retention(),
	} {
		all = append(all, some...)
	}
	return all
}

// Broken says that a promise is not kept.
type Broken struct {
	_ struct{}

	Promise  string
	Observed string // what the service did
	Expected string // what it promises
}

func (b *Broken) Error() string {
	return fmt.Sprintf("%s: %s; %s", b.Promise, b.Observed, b.Expected)
}

// Skip says why a check cannot be made of the subject: it does not promise that,
// or does not lend the hand that the check needs. "": it can be made.
func (c Check) Skip(s Subject) string {
	subject, err := s.complete()
	if err != nil || c.skip == nil {
		return ""
	}
	return c.skip(subject)
}

// Run makes the check. The error is a [*Broken] when the service has not kept
// its promise, and another when nothing could be shown.
func (c Check) Run(ctx context.Context, s Subject) error {
	subject, err := s.complete()
	if err != nil {
		return err
	}
	err = c.run(ctx, subject)
	var broken *Broken
	switch {
	case err == nil:
		return nil
	case errors.As(err, &broken):
		broken.Promise = c.Breaks
		return broken
	}
	return fmt.Errorf("%s could not be checked: %w", c.Breaks, err)
}

// Run makes every check, each in a subtest.
func Run(t *testing.T, s Subject) {
	t.Helper()
	for _, c := range Checks() {
		t.Run(c.Name, func(t *testing.T) {
			if why := c.Skip(s); why != "" {
				t.Skip(why)
			}
			if err := c.Run(t.Context(), s); err != nil {
				t.Error(err)
			}
		})
	}
}

// broken is a promise that is not kept. [Check.Run] adds which.
func broken(expected, observed string, args ...any) error {
	return &Broken{Observed: fmt.Sprintf(observed, args...), Expected: expected}
}

// first returns the first reason not to make a check.
func first(reasons ...func(s *Subject) string) func(s *Subject) string {
	return func(s *Subject) string {
		for _, reason := range reasons {
			if why := reason(s); why != "" {
				return why
			}
		}
		return ""
	}
}

// unless is a reason, where something does not hold.
func unless(why string, holds func(s *Subject) bool) func(s *Subject) string {
	return func(s *Subject) string {
		if holds(s) {
			return ""
		}
		return why
	}
}

// What checks need of the service or of its owner.
var (
	idempotent = unless("the service does not promise to recognise identifiers", func(s *Subject) bool {
		return s.promise("submit").Idempotency.Supported
	})
	byRef = unless("the service does not promise to find a record by its reference", func(s *Subject) bool {
		return s.promise("submit").Query.ByRef
	})
	byKey = unless("the service does not promise to find records by their identifier", func(s *Subject) bool {
		return s.promise("submit").Query.ByKey
	})
	decides = unless("the subject lends no Decide", func(s *Subject) bool { return s.Decide != nil })
	counts  = unless("the subject lends no Notifications", func(s *Subject) bool { return s.Notifications != nil })
)
