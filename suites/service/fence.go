package service

import (
	"context"
	"fmt"
)

func fence() []Check {
	fences := unless("the service does not promise to fence identifiers", func(s *Subject) bool { return s.promise("submit").Void })
	return []Check{
		{
			Name: "a fenced identifier is never carried out", Breaks: "void", skip: fences,
			run: func(ctx context.Context, s *Subject) error {
				const never = "what is fenced is never carried out"
				sub := s.Fresh()
				for range 2 {
					state, err := s.Approvals.Void(ctx, sub.Key)
					if err != nil {
						return fmt.Errorf("fencing %s: %w", sub.Key, err)
					}
					if want := (State{State: StateVoid, Final: true}); state != want {
						return broken("a fence of what was not carried out says so, and a repetition says the same",
							"fencing %s: %s", sub.Key, state)
					}
				}
				a, err := s.Approvals.Submit(ctx, sub)
				if err != nil {
					return fmt.Errorf("submitting %s after the fence: %w", sub.Key, err)
				}
				if a.Kind != Refused || a.Code != CodeVoid {
					return broken(never, "%s was fenced, and submitted: %s", sub.Key, a)
				}
				if err := s.never(ctx, sub.Key, never); err != nil {
					return err
				}
				if err := s.state(ctx, sub.Key, State{State: StateVoid, Final: true}, never); err != nil {
					return err
				}
				successor := sub
				successor.Key, successor.Supersedes = another("k"), sub.Key
				_, err = s.create(ctx, successor)
				return err
			},
		},
		{
			Name: "a fence that comes too late says what is there", Breaks: "void", skip: fences,
			run: func(ctx context.Context, s *Subject) error {
				const late = "a fence of what was carried out names it and leaves it"
				sub := s.Fresh()
				made, err := s.create(ctx, sub)
				if err != nil {
					return err
				}
				state, err := s.Approvals.Void(ctx, sub.Key)
				if err != nil {
					return fmt.Errorf("fencing %s: %w", sub.Key, err)
				}
				if want := (State{State: StateCreated, Ref: made.Ref}); state != want {
					return broken(late, "%s made %s, and its fence says: %s", sub.Key, made.Ref, state)
				}
				return s.once(ctx, sub.Key, late)
			},
		},
	}
}
