package service

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The steps that checks are made of. Each returns an error that is no [*Broken]
// when the service gave no answer that the step can go on from.

// create submits, waits for a later acceptance, and returns the record.
func (s *Subject) create(ctx context.Context, sub Submission) (Record, error) {
	a, err := s.Approvals.Submit(ctx, sub)
	switch {
	case err != nil:
		return Record{}, fmt.Errorf("submitting %s: %w", sub.Key, err)
	case a.Kind == Accepted:
		return a.Record, nil
	case a.Kind != Later:
		return Record{}, fmt.Errorf("submitting %s: want it to be accepted, got %s", sub.Key, a)
	case !s.promise("submit").Query.ByKey:
		return Record{}, fmt.Errorf("submitting %s: it will be accepted later, and there is no way to look it up", sub.Key)
	}
	found, err := s.found(ctx, sub.Key)
	if err != nil {
		return Record{}, err
	}
	return found[0], nil
}

// found looks up an identifier that has a record until it is found, for a
// replica needs time to show what is there, and returns all that are found then.
func (s *Subject) found(ctx context.Context, key string) ([]Record, error) {
	var last Found
	err := s.until(ctx, func() (bool, error) {
		var err error
		last, err = s.Approvals.Query(ctx, key)
		return len(last.Records) > 0, err
	})
	if errors.Is(err, errPatience) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("querying %s: %w", key, err)
	}
	if len(last.Records) == 0 {
		return nil, broken("what is there can be found by its identifier in time",
			"%s was created, and a query does not find it in %s", key, s.Patience)
	}
	return last.Records, nil
}

var errPatience = errors.New("patience is over")

// until asks again and again until the answer is yes, and no oftener than the
// service can bear.
func (s *Subject) until(ctx context.Context, asked func() (bool, error)) error {
	end := time.Now().Add(s.Patience)
	for wait := time.Millisecond; ; wait = min(2*wait, s.Patience/10) {
		if done, err := asked(); done || err != nil {
			return err
		}
		if time.Now().After(end) {
			return errPatience
		}
		if err := pass(ctx, wait); err != nil {
			return err
		}
	}
}

// once demands that exactly one record carries an identifier.
func (s *Subject) once(ctx context.Context, key, why string) error {
	if byKey(s) != "" {
		return nil
	}
	found, err := s.found(ctx, key)
	if err != nil {
		return err
	}
	if len(found) > 1 {
		return broken(why, "%s has %s: %s", key, counted(len(found), "record"), refs(found))
	}
	return nil
}

// never demands that no record carries an identifier. That what is not there
// stays away cannot be shown; a replica is asked for as long as it may be behind.
func (s *Subject) never(ctx context.Context, key, why string) error {
	if byKey(s) != "" {
		return nil
	}
	var last Found
	err := s.until(ctx, func() (bool, error) {
		var err error
		last, err = s.Approvals.Query(ctx, key)
		return len(last.Records) > 0 || !last.Replica, err
	})
	if err != nil && !errors.Is(err, errPatience) {
		return fmt.Errorf("querying %s: %w", key, err)
	}
	if len(last.Records) > 0 {
		return broken(why, "%s has %s: %s", key, counted(len(last.Records), "record"), refs(last.Records))
	}
	return nil
}

// state demands what has become of an identifier, which a replica shows in time.
func (s *Subject) state(ctx context.Context, key string, want State, why string) error {
	if byKey(s) != "" {
		return nil
	}
	var last State
	err := s.until(ctx, func() (bool, error) {
		var err error
		last, err = s.Approvals.State(ctx, key)
		return last == want, err
	})
	switch {
	case errors.Is(err, errPatience):
		return broken(why, "the state of %s is %s, not %s", key, last, want)
	case err != nil:
		return fmt.Errorf("asking for the state of %s: %w", key, err)
	}
	return nil
}

// String says an answer for people.
func (a Answer) String() string {
	switch a.Kind {
	case Accepted:
		return fmt.Sprintf("accepted %s (%s)", a.Record.Ref, a.Record.Status)
	case Refused:
		if a.NoEffect {
			return fmt.Sprintf("refused %s, without effect", a.Code)
		}
		return "refused " + a.Code
	}
	return string(a.Kind)
}

// String says a state for people.
func (s State) String() string {
	text := s.State
	if s.Final {
		text += " for good"
	}
	if s.Ref != "" {
		text += " as " + s.Ref
	}
	return text
}

func refs(records []Record) string {
	text := ""
	for i, r := range records {
		if i > 0 {
			text += ", "
		}
		text += r.Ref
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
