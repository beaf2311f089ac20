package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

const recognises = "a repeated identifier is answered with the record that it made"

func idempotency() []Check {
	return []Check{
		{
			Name: "a repetition is answered with the record that is there", Breaks: "idempotency", skip: idempotent,
			run: func(ctx context.Context, s *Subject) error { return s.repeated(ctx, s.Fresh(), nil) },
		},
		{
			Name: "a repetition that is written otherwise is the same", Breaks: "idempotency", skip: idempotent,
			run: func(ctx context.Context, s *Subject) error {
				return s.repeated(ctx, s.Fresh(), func(sub *Submission) {
					var content any
					if json.Unmarshal(sub.Content, &content) == nil { // what cannot be read stays as it is
						sub.Content, _ = json.MarshalIndent(content, " ", "  ")
					}
				})
			},
		},
		{
			Name: "identical requests at once create one record", Breaks: "concurrency", skip: idempotent,
			run: func(ctx context.Context, s *Subject) error {
				for range s.Rounds {
					if err := s.together(ctx, s.Fresh()); err != nil {
						return err
					}
				}
				return nil
			},
		},
		{
			Name: "a request whose client gave up is not made again by its repetition", Breaks: "idempotency", skip: idempotent,
			run: func(ctx context.Context, s *Subject) error {
				for n := range s.Rounds {
					sub := s.Fresh()
					// Sooner and later, so that some give up while the service works.
					short, cancel := context.WithTimeout(ctx, time.Duration(n+1)*200*time.Microsecond)
					_, err := s.Approvals.Submit(short, sub)
					cancel()
					if err != nil && ctx.Err() != nil {
						return err
					}
					if err := s.repeated(ctx, sub, nil); err != nil {
						return err
					}
				}
				return nil
			},
		},
	}
}

// repeated submits twice, the second time perhaps written otherwise, and demands
// one record.
func (s *Subject) repeated(ctx context.Context, sub Submission, rewrite func(*Submission)) error {
	made, err := s.create(ctx, sub)
	if err != nil {
		return err
	}
	if rewrite != nil {
		rewrite(&sub)
	}
	again, err := s.Approvals.Submit(ctx, sub)
	if err != nil {
		return fmt.Errorf("submitting %s again: %w", sub.Key, err)
	}
	if again.Kind != Accepted || again.Record.Ref != made.Ref {
		return broken(recognises, "%s made %s, and again: %s", sub.Key, made.Ref, again)
	}
	return s.once(ctx, sub.Key, recognises)
}

// together submits the same many times at once and demands one record.
func (s *Subject) together(ctx context.Context, sub Submission) error {
	answers, errs := make([]Answer, s.Clients), make([]error, s.Clients)
	var all sync.WaitGroup
	for i := range s.Clients {
		all.Go(func() { answers[i], errs[i] = s.Approvals.Submit(ctx, sub) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("submitting %s many times at once: %w", sub.Key, err)
	}
	const once = "concurrent requests with one identifier have one consequence"
	var made []Record
	for _, a := range answers {
		// One that finds another under way may be told to come again.
		if a.Kind == Accepted && (made == nil || made[0].Ref != a.Record.Ref) {
			made = append(made, a.Record)
		}
	}
	if len(made) > 1 {
		return broken(once, "%s submitted %d times at once made %s", sub.Key, s.Clients, refs(made[:2]))
	}
	if len(made) == 0 {
		if _, err := s.create(ctx, sub); err != nil {
			return err
		}
	}
	return s.once(ctx, sub.Key, once)
}
