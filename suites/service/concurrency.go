package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
)

// The shape of the crowd: few identifiers, so that clients meet, and few
// requests that are given up, since each of them may or may not have happened.
const (
	identifiers = 4
	requests    = 6    // of one client in one round
	giveUp      = 0.05 // of the submissions
	others      = 0.3  // of the submissions have other content
)

func concurrency() []Check {
	return []Check{{
		Name: "whatever many clients see at once is explained by one creation an identifier", Breaks: "concurrency", skip: first(idempotent, byKey),
		run: func(ctx context.Context, s *Subject) error {
			seed := s.Seed
			if seed == 0 {
				seed = rand.Uint64()
			}
			for round := range s.Rounds {
				deeds, err := s.crowd(ctx, rand.New(rand.NewPCG(seed, uint64(round))))
				if err == nil {
					err = explain(deeds)
				}
				var broken *Broken
				if errors.As(err, &broken) {
					broken.Observed = fmt.Sprintf("with the seed %d in round %d: %s", seed, round+1, broken.Observed)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}}
}

// verbs are what a crowd does with this service, the more often the more often
// they stand here.
func (s *Subject) verbs() []verb {
	all := []verb{submits, submits, submits, submits, submits, submits, queries, queries, asks}
	p := s.promise("submit")
	if p.Void {
		all = append(all, fences)
	}
	if p.Withdrawable(Pending) && !p.Withdrawable(Approved) && !p.Withdrawable(Declined) {
		all = append(all, withdraws)
	}
	return all
}

// crowd lets many clients loose on few identifiers and returns all that they
// did.
func (s *Subject) crowd(ctx context.Context, random *rand.Rand) ([]deed, error) {
	submissions := make([]Submission, identifiers)
	for i := range submissions {
		submissions[i] = s.Fresh()
	}
	rejects := s.promise("submit").Idempotency.Conflict == "reject"
	verbs := s.verbs()
	start := time.Now()
	did, errs := make([][]deed, s.Clients), make([]error, s.Clients)
	var all sync.WaitGroup
	for client := range s.Clients {
		own := rand.New(rand.NewPCG(random.Uint64(), random.Uint64()))
		all.Go(func() {
			for range requests {
				sub := submissions[own.IntN(len(submissions))]
				d := deed{client: client, key: sub.Key, verb: verbs[own.IntN(len(verbs))], content: "A"}
				if rejects && own.Float64() < others {
					d.content = "B"
					sub.Content, sub.Digest = json.RawMessage(`{"amount":"1300.00"}`), sub.Digest+"-b"
				}
				short, cancel := ctx, context.CancelFunc(func() {})
				if d.verb == submits && own.Float64() < giveUp {
					short, cancel = context.WithTimeout(ctx, time.Duration(own.IntN(2000))*time.Microsecond)
				}
				d.call = time.Since(start)
				saw, err := s.see(short, d.verb, sub)
				cancel()
				if err == nil {
					d.saw, d.end = saw, time.Since(start)
				} else if short.Err() == nil {
					errs[client] = err
				}
				did[client] = append(did[client], d)
			}
		})
	}
	all.Wait()
	deeds := slices.Concat(did...)
	if unanswered := len(slices.DeleteFunc(slices.Clone(deeds), func(d deed) bool { return d.end > 0 })); 2*unanswered > len(deeds) {
		return nil, fmt.Errorf("%d of %d requests got no answer: %w", unanswered, len(deeds), errors.Join(errs...))
	}
	return deeds, nil
}

// see does one thing and returns what is seen.
func (s *Subject) see(ctx context.Context, v verb, sub Submission) (sight, error) {
	switch v {
	case queries:
		found, err := s.Approvals.Query(ctx, sub.Key)
		return found.sight(), err
	case asks:
		state, err := s.Approvals.State(ctx, sub.Key)
		return state.sight(), err
	case fences:
		state, err := s.Approvals.Void(ctx, sub.Key)
		return state.sight(), err
	case withdraws:
		a, err := s.Approvals.Withdraw(ctx, Withdrawal{Key: another("w"), Of: sub.Key})
		return a.sight(), err
	}
	a, err := s.Approvals.Submit(ctx, sub)
	return a.sight(), err
}

func (a Answer) sight() sight {
	switch {
	case a.Kind == Accepted:
		return sight{kind: records, refs: a.Record.Ref, status: a.Record.Status}
	case a.Kind == Absent:
		return sight{kind: absent}
	case a.Kind == Refused && a.Code == CodeConflict:
		return sight{kind: conflicts}
	case a.Kind == Refused && a.Code == CodeVoid:
		return sight{kind: fenced}
	case a.Kind == Refused && a.Code == CodeState:
		return sight{kind: decided}
	}
	return sight{}
}

func (f Found) sight() sight {
	if f.Replica {
		return sight{} // it may be old
	}
	refs := make([]string, len(f.Records))
	saw := sight{kind: records}
	for i, r := range f.Records {
		refs[i], saw.status = r.Ref, r.Status
	}
	saw.refs = strings.Join(refs, ",")
	return saw
}

func (s State) sight() sight {
	switch {
	case s.State == StateVoid && s.Final:
		return sight{kind: fenced}
	case s.State == StateCreated && !s.Final:
		return sight{kind: records, refs: s.Ref}
	case (s.State == StateUnknown || s.State == StateProcessing) && !s.Final:
		return sight{kind: unsettled}
	}
	return sight{kind: impossible}
}
