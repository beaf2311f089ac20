package service

import (
	"context"
	"fmt"
)

func acceptance() []Check {
	return []Check{
		{
			Name: "a submission becomes a record that carries what was submitted", Breaks: "acceptance",
			run: func(ctx context.Context, s *Subject) error {
				sub := s.Fresh()
				r, err := s.create(ctx, sub)
				if err != nil {
					return err
				}
				return carries(r, sub)
			},
		},
		{
			Name: "a record can be tracked by its reference", Breaks: "tracking", skip: byRef,
			run: func(ctx context.Context, s *Subject) error {
				sub := s.Fresh()
				r, err := s.create(ctx, sub)
				if err != nil {
					return err
				}
				a, err := s.Approvals.Track(ctx, r.Ref)
				if err != nil {
					return fmt.Errorf("tracking %s: %w", r.Ref, err)
				}
				if a.Kind != Accepted || a.Record.Ref != r.Ref {
					return broken("the reference that a submission was answered with finds its record", "tracking %s: %s", r.Ref, a)
				}
				return carries(a.Record, sub)
			},
		},
		{
			Name: "a reference that nobody gave is not found", Breaks: "tracking", skip: byRef,
			run: func(ctx context.Context, s *Subject) error {
				ref := another("none")
				a, err := s.Approvals.Track(ctx, ref)
				if err != nil {
					return fmt.Errorf("tracking %s: %w", ref, err)
				}
				if a.Kind != Absent {
					return broken("what does not exist is said not to", "tracking %s, which nobody gave: %s", ref, a)
				}
				return nil
			},
		},
	}
}

// carries demands that a record is about a submission: that is what an agent
// verifies before it takes a record for its own.
func carries(r Record, s Submission) error {
	for _, c := range []struct{ what, got, want string }{
		{"identifier", r.Key, s.Key},
		{"tenant", r.Tenant, s.Tenant},
		{"object", r.Object, s.Object},
		{"confirmation", r.Confirmation, s.Confirmation},
		{"version", fmt.Sprint(r.Version), fmt.Sprint(s.Version)},
		{"digest", r.Digest, s.Digest},
	} {
		if c.got != c.want {
			return broken("a record carries what was submitted, so that it can be verified",
				"the record %s has the %s %q, and %q was submitted", r.Ref, c.what, c.got, c.want)
		}
	}
	if r.Ref == "" {
		return broken("an acceptance names the instance", "the record of %s has no reference", s.Key)
	}
	return nil
}
