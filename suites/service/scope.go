package service

import (
	"context"
	"fmt"
	"slices"
)

func scope() []Check {
	return []Check{
		ofScope("tenant", func(s *Subject, sub *Submission) { sub.Tenant = s.Tenant }),
		ofScope("object", func(_ *Subject, sub *Submission) { sub.Object = another("po") }),
	}
}

// ofScope checks that an identifier is unique within a tenant, say: that the
// same one in another tenant is another request. Where the tenant is no part of
// the scope, it is other content under the same identifier.
func ofScope(part string, elsewhere func(*Subject, *Submission)) Check {
	return Check{
		Name: "an identifier is unique within its " + part + ", where that is its scope", Breaks: "scope", skip: idempotent,
		run: func(ctx context.Context, s *Subject) error {
			sub := s.Fresh()
			made, err := s.create(ctx, sub)
			if err != nil {
				return err
			}
			elsewhere(s, &sub)
			p := s.promise("submit").Idempotency
			if !slices.Contains(p.Scope, part) {
				return s.conflicts(ctx, sub, part)
			}
			a, err := s.Approvals.Submit(ctx, sub)
			if err != nil {
				return fmt.Errorf("submitting %s for another %s: %w", sub.Key, part, err)
			}
			if a.Kind == Accepted && a.Record.Ref != made.Ref || a.Kind == Later {
				return nil
			}
			return broken("an identifier is unique within its "+part+": the same one in another is another request",
				"%s made %s, and for another %s: %s", sub.Key, made.Ref, part, a)
		},
	}
}
