package agent

import (
	"context"
	"sync"
)

// answer does a question: it runs the loop beside the inbox and posts the result.
func (j *job) answer(ctx context.Context) error {
	t := j.work.Task
	durable, err := newVault(t.StateDir)
	if err != nil {
		return err
	}
	defer durable.close() //nolint:errcheck // what counts is on the disk
	door := j.policies.door()
	defer door.close()
	s := newSignals()
	ctx, stop := context.WithCancel(ctx)
	ready := make(chan struct{})
	var once sync.Once
	var watcher sync.WaitGroup
	var lost error
	defer watcher.Wait()
	defer stop()
	watcher.Go(func() {
		if lost = s.watch(ctx, j.control, t.ID, j.policies.listen, func() { once.Do(func() { close(ready) }) }); lost != nil {
			stop()
		}
	})
	<-ready

	l := &loop{
		p: j.policies, book: j.policies.loop.notebook(pad{durable}), door: door, signals: s, task: t, log: j.log, dice: newDice(),
	}
	r, err := l.run(ctx)
	if err == nil {
		r, err = durable.conclude(r)
	}
	if err == nil {
		err = j.post(ctx, r)
	}
	if err != nil {
		stop()
		watcher.Wait()
		if lost != nil {
			return lost
		}
	}
	return err
}
