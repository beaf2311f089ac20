package service

import (
	"context"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// at records that a call has reached a phase, and obeys the fault that stands
// there as far as every phase has it in common: it waits, and it crashes.
func (s *Service) at(ctx context.Context, c *Call, phase fault.Phase) (fault.Order, error) {
	s.cfg.Log.Append(history.Record{
		Kind: kind(phase), Task: c.Task, Work: c.Work, Call: c.Call,
		Wire: &history.Wire{
			Service: s.spec.Name, Operation: c.Operation, Ordinal: c.Ordinal, Copy: c.Copy,
			Method: c.request.Method, Path: clip(c.request.URL.RequestURI()), Key: clip(c.request.Header.Get("Idempotency-Key")),
		},
	})
	order := s.cfg.Seam.At(ctx, fault.Point{Ref: c.Ref, Service: s.spec.Name, Operation: c.Operation, Phase: phase})
	if !s.wait(order.Wait) || order.Crash {
		return order, errAbort
	}
	return order, nil
}

func kind(phase fault.Phase) history.Kind {
	switch phase {
	case fault.Validated:
		return history.ServiceValidated
	case fault.Committed:
		return history.ServiceCommitted
	default:
		return history.ServiceReceived
	}
}

// wait returns true when the wait is over, false when the service was closed.
func (s *Service) wait(until <-chan struct{}) bool {
	if until == nil {
		return true
	}
	select {
	case <-until:
		return true
	case <-s.closing:
		return false
	}
}

// Event tells the seam of a moment that is no call, which a call or what
// followed from it has caused, and waits as long as a fault asks for.
// False: the service was closed meanwhile.
func (s *Service) Event(cause fault.Ref, event, detail string) bool {
	return s.wait(s.ask(cause, event, detail).Wait)
}

// Emit puts out an event of a service to those who listen, through put. A fault
// can hold it, put it out twice, let the task's next event overtake it, or lose
// it. An event that waits does not keep the caller.
func (s *Service) Emit(cause fault.Ref, detail string, put func()) {
	order := s.ask(cause, fault.EventEmitted, detail)
	deliver := func() { s.put(cause.Task, order.Conduct, put) }
	if order.Wait == nil {
		deliver()
		return
	}
	s.Go(func() {
		if s.wait(order.Wait) {
			deliver()
		}
	})
}

// put puts one event out, and after it those of its task that it overtakes.
func (s *Service) put(task string, how fault.Conduct, put func()) {
	switch how.Fate {
	case fault.Lost:
		return
	case fault.Overtaken:
		s.overtake(task, how.Later, put)
		return
	case fault.Twice:
		put()
	}
	put()
	s.mu.Lock()
	waiting := s.overtaken[task]
	delete(s.overtaken, task)
	s.mu.Unlock()
	for _, passed := range waiting {
		close(passed)
	}
}

// overtake keeps an event until the next one of its task is out, or for as long
// as the fault allows.
func (s *Service) overtake(task string, latest <-chan struct{}, put func()) {
	passed := make(chan struct{})
	s.mu.Lock()
	s.overtaken[task] = append(s.overtaken[task], passed)
	s.mu.Unlock()
	s.Go(func() {
		select {
		case <-passed:
		case <-latest:
		case <-s.closing:
			return
		}
		put()
	})
}

// ask leaves the counting of events to the seam.
func (s *Service) ask(cause fault.Ref, event, detail string) fault.Order {
	return s.cfg.Seam.At(context.Background(), fault.Point{
		Ref: fault.Ref{Task: cause.Task, Work: cause.Work}, Service: s.spec.Name, Event: event, Detail: detail,
	})
}

// clip bounds what an agent can write into one record by a path or a header.
func clip(text string) string {
	const most = 2048
	if len(text) > most {
		return text[:most]
	}
	return text
}
