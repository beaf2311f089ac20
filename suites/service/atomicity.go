package service

import (
	"context"
	"fmt"
)

func atomicity() []Check {
	breaks := unless("the subject lends no BreakOff", func(s *Subject) bool { return s.BreakOff != nil })
	return []Check{{
		Name: "a service that broke off still knows what it has carried out", Breaks: "atomicity", skip: first(idempotent, byKey, breaks),
		run: func(ctx context.Context, s *Subject) error {
			const together = "what is carried out and what is recognised are saved in one step, so that a crash between them leaves both or none"
			sub := s.Fresh()
			if err := s.BreakOff(ctx); err != nil {
				return fmt.Errorf("making the service break off: %w", err)
			}
			if a, err := s.Approvals.Submit(ctx, sub); err == nil {
				return fmt.Errorf("submitting %s: the service was to break off, and answered: %s", sub.Key, a)
			}
			a, err := s.Approvals.Submit(ctx, sub)
			if err != nil {
				return fmt.Errorf("submitting %s again: %w", sub.Key, err)
			}
			if a.Kind != Accepted && a.Kind != Later {
				return broken(together, "the service broke off after %s, and again: %s", sub.Key, a)
			}
			return s.once(ctx, sub.Key, together)
		},
	}}
}
