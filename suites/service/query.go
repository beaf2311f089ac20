package service

import "context"

func query() []Check {
	return []Check{{
		Name: "an identifier can be looked up before and after", Breaks: "query", skip: byKey,
		run: func(ctx context.Context, s *Subject) error {
			sub := s.Fresh()
			const before = "what is unknown may still arrive, so that it is never final"
			if err := s.never(ctx, sub.Key, before); err != nil {
				return err
			}
			if err := s.state(ctx, sub.Key, State{State: StateUnknown}, before); err != nil {
				return err
			}
			made, err := s.create(ctx, sub)
			if err != nil {
				return err
			}
			found, err := s.found(ctx, sub.Key)
			if err != nil {
				return err
			}
			const after = "a record can be found by its identifier"
			if found[0].Ref != made.Ref {
				return broken(after, "%s made %s, and the query finds %s", sub.Key, made.Ref, found[0].Ref)
			}
			if err := carries(found[0], sub); err != nil {
				return err
			}
			return s.state(ctx, sub.Key, State{State: StateCreated, Ref: made.Ref}, after)
		},
	}}
}
