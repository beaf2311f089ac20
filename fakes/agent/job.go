package agent

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
)

// job is one piece of work and what is needed to do it.
type job struct {
	policies *policies
	control  *control
	work     work
	log      *slog.Logger
}

// do does a task, by its type.
func (j *job) do(ctx context.Context) error {
	t := j.work.Task
	switch {
	case t.Type == "question":
		return j.answer(ctx)
	case len(t.confirmed()) == 0:
		return fmt.Errorf("task %s of type %q holds no confirmation: only purchase-approval and question are understood", t.ID, t.Type)
	}
	return j.approve(ctx)
}

// approve drives every confirmation of a purchase approval and posts the result.
func (j *job) approve(ctx context.Context) error {
	t := j.work.Task
	durable, err := newVault(t.StateDir)
	if err != nil {
		return err
	}
	defer durable.close() //nolint:errcheck // what counts is on the disk
	store := j.policies.ledger(durable)
	door := j.policies.door()
	defer door.close()
	s := newSignals()
	dice := newDice()

	ctx, stop := context.WithCancel(ctx)
	var watcher, flows sync.WaitGroup
	defer watcher.Wait()
	defer stop()
	ready := make(chan struct{})
	var once sync.Once
	var lost error
	watcher.Go(func() {
		if lost = s.watch(ctx, j.control, t.ID, j.policies.listen, func() { once.Do(func() { close(ready) }) }); lost != nil {
			stop()
		}
	})
	<-ready

	all := make([]conclusion, len(t.confirmed()))
	errs := make([]error, len(all))
	for i, c := range t.confirmed() {
		f := &flow{
			p: j.policies, control: j.control, store: store, door: door, signals: s, task: t, given: c,
			log: j.log.With("confirmation", c.ID), dice: dice,
		}
		flows.Go(func() {
			if all[i], errs[i] = f.run(ctx); errs[i] != nil {
				stop()
			}
		})
	}
	flows.Wait()
	if err := errors.Join(errs...); err != nil {
		stop()
		watcher.Wait()
		return errors.Join(lost, err)
	}
	r, err := store.conclude(merge(all))
	if err != nil {
		return err
	}
	return j.post(ctx, r)
}

// post tells the result.
func (j *job) post(ctx context.Context, r result) error {
	for _, r := range j.policies.outcome(r) {
		j.log.Info("result", "status", r.Status)
		if err := j.control.result(ctx, j.work.Task.ID, r); err != nil {
			return err
		}
	}
	return nil
}

func newDice() *dice {
	var seed [16]byte
	_, _ = crand.Read(seed[:]) // never fails
	return &dice{rng: rand.New(rand.NewPCG(binary.LittleEndian.Uint64(seed[:8]), binary.LittleEndian.Uint64(seed[8:])))}
}
