package service

import (
	"context"
	"fmt"
	"time"
)

func retention() []Check {
	return []Check{
		{
			Name: "an identifier is recognised for as long as is promised", Breaks: "retention",
			skip: first(idempotent, unless("the retention that is promised is longer than Subject.MaxWait", func(s *Subject) bool {
				return s.promise("submit").Idempotency.Retention() <= s.MaxWait
			})),
			run: func(ctx context.Context, s *Subject) error {
				sub := s.Fresh()
				made, err := s.create(ctx, sub)
				if err != nil {
					return err
				}
				// In parts: a service that forgets sooner is caught wherever it does, and one that forgets nothing
				// is asked once.
				retention := s.promise("submit").Idempotency.Retention()
				parts := 8
				if retention == 0 {
					parts = 2
				}
				for part := range parts - 1 { // the last ends where the promise does
					if err := s.Wait(ctx, retention/time.Duration(parts)); err != nil {
						return err
					}
					a, err := s.Approvals.Submit(ctx, sub)
					if err != nil {
						return fmt.Errorf("submitting %s again: %w", sub.Key, err)
					}
					if a.Kind != Accepted || a.Record.Ref != made.Ref {
						return broken(fmt.Sprintf("an identifier is recognised for %s", retention),
							"%s made %s, and after %s: %s", sub.Key, made.Ref, retention/time.Duration(parts)*time.Duration(part+1), a)
					}
				}
				return s.once(ctx, sub.Key, recognises)
			},
		},
		{
			Name: "an identifier whose time is over is not final", Breaks: "retention",
			skip: first(idempotent, byKey, unless("the retention that is promised has no end, or one that is later than Subject.MaxWait", func(s *Subject) bool {
				retention := s.promise("submit").Idempotency.Retention()
				return retention > 0 && retention+retention/10 <= s.MaxWait
			})),
			run: func(ctx context.Context, s *Subject) error {
				sub := s.Fresh()
				if _, err := s.create(ctx, sub); err != nil {
					return err
				}
				retention := s.promise("submit").Idempotency.Retention()
				if err := s.Wait(ctx, retention+retention/10); err != nil {
					return err
				}
				state, err := s.Approvals.State(ctx, sub.Key)
				if err != nil {
					return fmt.Errorf("asking for the state of %s: %w", sub.Key, err)
				}
				if state.Final {
					return broken("what was carried out is never said to be without effect for good, however long ago it was",
						"%s was carried out, and after its retention its state is %s", sub.Key, state)
				}
				return s.once(ctx, sub.Key, "what was carried out can be found after its retention")
			},
		},
	}
}
