package service

import (
	"context"
	"fmt"
)

func withdrawal() []Check {
	promised := unless("the service does not promise to withdraw what is pending", func(s *Subject) bool {
		return s.promise("withdraw").Withdrawable(Pending) || s.promise("submit").Withdrawable(Pending)
	})
	own := unless("the service does not promise to recognise identifiers of withdrawals", func(s *Subject) bool {
		p := s.promise("withdraw").Idempotency
		return p.Supported && p.Conflict == "reject"
	})
	kept := unless("the service promises to withdraw what is approved", func(s *Subject) bool {
		return !s.promise("withdraw").Withdrawable(Approved) && !s.promise("submit").Withdrawable(Approved)
	})
	return []Check{
		{
			Name: "what is pending is withdrawn, and again is the same", Breaks: "withdrawal", skip: promised,
			run: func(ctx context.Context, s *Subject) error {
				for _, by := range []string{"reference", "identifier"} {
					sub := s.Fresh()
					made, err := s.create(ctx, sub)
					if err != nil {
						return err
					}
					w := Withdrawal{Key: another("w"), Ref: made.Ref}
					if by == "identifier" {
						w.Ref, w.Of = "", sub.Key
					}
					for _, key := range []string{w.Key, w.Key, another("w")} {
						w.Key = key
						a, err := s.Approvals.Withdraw(ctx, w)
						if err != nil {
							return fmt.Errorf("withdrawing %s by its %s: %w", made.Ref, by, err)
						}
						if a.Kind != Accepted || a.Record.Ref != made.Ref || a.Record.Status != Withdrawn {
							return broken("what is pending is withdrawn, and a repetition says the same",
								"withdrawing %s by its %s: %s", made.Ref, by, a)
						}
					}
				}
				return nil
			},
		},
		{
			Name: "what is not there cannot be withdrawn, and may still come", Breaks: "withdrawal", skip: promised,
			run: func(ctx context.Context, s *Subject) error {
				const still = "the withdrawal of what is not there has no effect on what comes later"
				sub := s.Fresh()
				a, err := s.Approvals.Withdraw(ctx, Withdrawal{Key: another("w"), Of: sub.Key})
				if err != nil {
					return fmt.Errorf("withdrawing %s, which was not submitted: %w", sub.Key, err)
				}
				if a.Kind != Absent {
					return broken("what is not there is said not to be", "withdrawing %s, which was not submitted: %s", sub.Key, a)
				}
				made, err := s.create(ctx, sub)
				if err != nil {
					return err
				}
				if made.Status == Withdrawn {
					return broken(still, "%s was to be withdrawn before it was submitted, and then it made %s, which is withdrawn", sub.Key, made.Ref)
				}
				return nil
			},
		},
		{
			Name: "an identifier of a withdrawal carries one withdrawal", Breaks: "conflict", skip: first(promised, own),
			run: func(ctx context.Context, s *Subject) error {
				one, other := s.Fresh(), s.Fresh()
				other.Tenant, other.Object = one.Tenant, one.Object // the same scope
				key := another("w")
				for i, sub := range []Submission{one, other} {
					made, err := s.create(ctx, sub)
					if err != nil {
						return err
					}
					a, err := s.Approvals.Withdraw(ctx, Withdrawal{Key: key, Ref: made.Ref})
					if err != nil {
						return fmt.Errorf("withdrawing %s: %w", made.Ref, err)
					}
					if i == 0 && a.Kind != Accepted {
						return fmt.Errorf("withdrawing %s: want it to be accepted, got %s", made.Ref, a)
					}
					if i == 1 && (a.Kind != Refused || a.Code != CodeConflict) {
						return broken("an identifier of a withdrawal is refused for another record",
							"%s withdrew another record, and then for %s: %s", key, made.Ref, a)
					}
				}
				return nil
			},
		},
		{
			Name: "what is approved is not withdrawn, where that is not promised", Breaks: "withdrawal", skip: first(promised, kept, decides, byRef),
			run: func(ctx context.Context, s *Subject) error {
				const stays = "a withdrawal outside of the states for it is refused and changes nothing"
				made, err := s.create(ctx, s.Fresh())
				if err != nil {
					return err
				}
				if err := s.decided(ctx, made.Ref, Approved); err != nil {
					return err
				}
				a, err := s.Approvals.Withdraw(ctx, Withdrawal{Key: another("w"), Ref: made.Ref})
				if err != nil {
					return fmt.Errorf("withdrawing %s, which is approved: %w", made.Ref, err)
				}
				if a.Kind != Refused || a.Code != CodeState {
					return broken(stays, "withdrawing %s, which is approved: %s", made.Ref, a)
				}
				now, err := s.Approvals.Track(ctx, made.Ref)
				if err != nil {
					return fmt.Errorf("tracking %s: %w", made.Ref, err)
				}
				if now.Record.Status != Approved {
					return broken(stays, "the withdrawal of %s was refused, and it is %s", made.Ref, now.Record.Status)
				}
				return nil
			},
		},
	}
}

// decided lets the approver decide and waits until it shows.
func (s *Subject) decided(ctx context.Context, ref, outcome string) error {
	if err := s.Decide(ctx, ref, outcome); err != nil {
		return fmt.Errorf("letting the approver decide about %s: %w", ref, err)
	}
	err := s.until(ctx, func() (bool, error) {
		a, err := s.Approvals.Track(ctx, ref)
		return a.Record.Status == outcome, err
	})
	if err != nil {
		return fmt.Errorf("waiting for %s to be %s: %w", ref, outcome, err)
	}
	return nil
}
