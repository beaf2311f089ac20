package service

import (
	"context"
	"fmt"
)

func notification() []Check {
	offered := unless("the service does not promise to notify again", func(s *Subject) bool {
		_, ok := s.Promises["approval.notify"]
		return ok
	})
	own := unless("the service does not promise to recognise identifiers of notifications", func(s *Subject) bool {
		return s.promise("notify").Idempotency.Supported
	})
	decision := unless("people are told of acceptances", func(s *Subject) bool { return s.Announces == Decision })
	acceptance := unless("people are told of decisions", func(s *Subject) bool { return s.Announces == Acceptance })
	decidable := unless("the subject lends no Decide", func(s *Subject) bool { return s.Announces == Acceptance || s.Decide != nil })
	return []Check{
		{
			Name: "there is nothing to notify before a decision", Breaks: "notification", skip: first(decision, offered),
			run: func(ctx context.Context, s *Subject) error {
				made, err := s.create(ctx, s.Fresh())
				if err != nil {
					return err
				}
				if made.Status != Pending {
					return nil // the approver was faster
				}
				a, err := s.Approvals.Notify(ctx, made.Ref, another("n"))
				if err != nil {
					return fmt.Errorf("notifying about %s: %w", made.Ref, err)
				}
				if a.Kind != Refused || a.Code != CodeState {
					return broken("there is nothing to notify before a decision", "notifying about %s, which is pending: %s", made.Ref, a)
				}
				return nil
			},
		},
		{
			Name: "a decision is notified once", Breaks: "notification", skip: first(decision, decides, counts, byRef),
			run: func(ctx context.Context, s *Subject) error {
				for _, outcome := range []string{Approved, Declined} {
					made, err := s.create(ctx, s.Fresh())
					if err != nil {
						return err
					}
					if err := s.decided(ctx, made.Ref, outcome); err != nil {
						return err
					}
					if err := s.notified(ctx, made.Ref, 1, "its decision is notified once"); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			Name: "an acceptance is notified once", Breaks: "notification", skip: first(acceptance, counts, byRef),
			run: func(ctx context.Context, s *Subject) error {
				const once = "its acceptance is notified once, whatever becomes of it"
				for _, outcome := range []string{Approved, Declined} {
					sub := s.Fresh()
					made, err := s.create(ctx, sub)
					if err != nil {
						return err
					}
					if err := s.notified(ctx, made.Ref, 1, once); err != nil {
						return err
					}
					if s.promise("submit").Idempotency.Supported {
						if _, err := s.create(ctx, sub); err != nil {
							return err
						}
					}
					if s.Decide != nil {
						if err := s.decided(ctx, made.Ref, outcome); err != nil {
							return err
						}
					}
					if err := s.notified(ctx, made.Ref, 1, once); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			Name: "a repeated request for a notification sends one", Breaks: "notification", skip: first(offered, own, decidable, counts, byRef),
			run: func(ctx context.Context, s *Subject) error {
				made, err := s.create(ctx, s.Fresh())
				if err != nil {
					return err
				}
				if s.Announces == Decision {
					if err := s.decided(ctx, made.Ref, Approved); err != nil {
						return err
					}
				}
				before, err := s.Notifications(ctx, made.Ref)
				if err != nil {
					return fmt.Errorf("counting the notifications about %s: %w", made.Ref, err)
				}
				key := another("n")
				for range 3 {
					a, err := s.Approvals.Notify(ctx, made.Ref, key)
					if err != nil {
						return fmt.Errorf("notifying about %s: %w", made.Ref, err)
					}
					if a.Kind != Accepted {
						return fmt.Errorf("notifying about %s: want it to be accepted, got %s", made.Ref, a)
					}
				}
				return s.notified(ctx, made.Ref, before+1, "a request under one identifier sends one notification, however often it comes")
			},
		},
	}
}

// notified demands how many notifications were sent, once they were.
func (s *Subject) notified(ctx context.Context, ref string, want int, why string) error {
	var n int
	err := s.until(ctx, func() (bool, error) {
		var err error
		n, err = s.Notifications(ctx, ref)
		return n >= want, err
	})
	switch {
	case n != want && (err == nil || n < want && err == errPatience): //nolint:errorlint // it is never wrapped
		return broken(why, "%s about %s", counted(n, "notification"), ref)
	case err != nil:
		return fmt.Errorf("counting the notifications about %s: %w", ref, err)
	}
	return nil
}
