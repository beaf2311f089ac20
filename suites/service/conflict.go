package service

import (
	"context"
	"encoding/json"
	"fmt"
)

const rejects = "an identifier with other content is refused for good, and the original stays as it is"

func conflict() []Check {
	rejecting := unless("the service does not promise to refuse other content under an identifier", func(s *Subject) bool {
		return s.promise("submit").Idempotency.Conflict == "reject"
	})
	return []Check{{
		Name: "other content under the same identifier is refused", Breaks: "conflict", skip: first(idempotent, rejecting),
		run: func(ctx context.Context, s *Subject) error {
			sub := s.Fresh()
			made, err := s.create(ctx, sub)
			if err != nil {
				return err
			}
			for _, c := range []struct {
				what   string
				change func(*Submission)
			}{
				{"content", func(sub *Submission) { sub.Content, sub.Digest = json.RawMessage(`{"amount":"1300.00"}`), another("d") }},
				{"version", func(sub *Submission) { sub.Version++ }},
				{"confirmation", func(sub *Submission) { sub.Confirmation = another("c") }},
			} {
				other := sub
				c.change(&other)
				if err := s.conflicts(ctx, other, c.what); err != nil {
					return err
				}
			}
			again, err := s.Approvals.Submit(ctx, sub)
			if err != nil {
				return fmt.Errorf("submitting %s again: %w", sub.Key, err)
			}
			if again.Kind != Accepted || again.Record.Ref != made.Ref {
				return broken(rejects, "%s made %s, then other content was tried, and the original again: %s", sub.Key, made.Ref, again)
			}
			return s.once(ctx, sub.Key, rejects)
		},
	}}
}

// conflicts demands that a submission is refused because its identifier carries
// other content.
func (s *Subject) conflicts(ctx context.Context, sub Submission, what string) error {
	a, err := s.Approvals.Submit(ctx, sub)
	if err != nil {
		return fmt.Errorf("submitting %s with another %s: %w", sub.Key, what, err)
	}
	if a.Kind != Refused || a.Code != CodeConflict {
		return broken(rejects, "%s with another %s: %s", sub.Key, what, a)
	}
	return nil
}
