package service

import (
	"context"
	"fmt"
)

const harmless = "a refusal that says that it had no effect has none"

func refusal() []Check {
	return []Check{
		{
			Name: "a refusal without effect has none", Breaks: "refusal", skip: byKey,
			run: func(ctx context.Context, s *Subject) error {
				sub := s.Fresh()
				if s.Refusable != nil {
					sub = s.Refusable()
				}
				a, err := s.Approvals.Submit(ctx, sub)
				switch {
				case err != nil:
					return fmt.Errorf("submitting %s: %w", sub.Key, err)
				case a.Kind == Refused && a.NoEffect:
					return s.never(ctx, sub.Key, harmless)
				case s.Refusable != nil:
					return broken("the service refuses this, and says that it had no effect", "%s: %s", sub.Key, a)
				}
				return nil // the refusal of a conflict is the next check
			},
		},
		{
			Name: "a refused conflict leaves the record as it is", Breaks: "refusal", skip: first(idempotent, byKey),
			run: func(ctx context.Context, s *Subject) error {
				sub := s.Fresh()
				made, err := s.create(ctx, sub)
				if err != nil {
					return err
				}
				other := sub
				other.Version++
				a, err := s.Approvals.Submit(ctx, other)
				if err != nil {
					return fmt.Errorf("submitting %s with another version: %w", sub.Key, err)
				}
				if a.Kind != Refused || !a.NoEffect {
					return nil
				}
				found, err := s.found(ctx, sub.Key)
				if err != nil {
					return err
				}
				for _, r := range found {
					if r.Ref != made.Ref || r.Version != sub.Version {
						return broken(harmless, "%s made %s in version %d; version %d was refused without effect, and the query finds %s in version %d",
							sub.Key, made.Ref, sub.Version, other.Version, r.Ref, r.Version)
					}
				}
				return nil
			},
		},
	}
}
