package stack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/remote"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Seat is one service of a run in another process, and the long poll that
// brings what it says into the history. Its methods are safe for concurrent
// use.
type Seat struct {
	remote  Remote
	name    string
	service Service
	addr    string

	ctx    context.Context // of the long poll; ends with the seat
	cancel context.CancelFunc
	over   chan struct{} // closed when the long poll has ended

	mu      sync.Mutex
	epoch   string
	after   int
	rows    int
	answers []remote.Answer
	quiet   bool
	live    chan struct{}      // closed while the process can be reached
	poll    context.CancelFunc // breaks off the long poll that is under way
	failed  error
	ledger  any
	ended   chan struct{} // closed with the last message
	counted chan struct{} // closed while no release waits
	waiting int           // releases that are to come
	clean   bool          // nothing of it is left
}

var _ Backend = (*Seat)(nil)

// Name is the service's.
func (k *Seat) Name() string { return k.service.Name }

// Addr is host:port, and stays the same when the process is started again.
func (k *Seat) Addr() string { return k.addr }

// Quiet is what the service said last. What it has not said yet belongs to a
// call that is in flight on the wire.
func (k *Seat) Quiet() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.quiet && reachable(k.live)
}

func reachable(live <-chan struct{}) bool {
	select {
	case <-live:
		return true
	default:
		return false
	}
}

// Ledger is the last that the service said; before the end, what it holds now.
func (k *Seat) Ledger() any {
	k.mu.Lock()
	held, ended := k.ledger, k.ended
	k.mu.Unlock()
	select {
	case <-ended:
		return held
	default:
		return nil
	}
}

// Lost says that the process cannot be reached from now on, until [Seat.Found].
// What it says meanwhile is heard then, if it still exists.
func (k *Seat) Lost() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !reachable(k.live) {
		return
	}
	k.live = make(chan struct{})
	if k.poll != nil {
		k.poll()
	}
}

// Found says that the process, or the one in its place, can be reached again.
func (k *Seat) Found() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !reachable(k.live) {
		close(k.live)
	}
}

// follow is the long poll.
func (k *Seat) follow() {
	defer close(k.over)
	for failures := 0; ; {
		k.mu.Lock()
		live := k.live
		k.mu.Unlock()
		select {
		case <-live:
		case <-k.ctx.Done():
			return
		}
		news, err := k.exchange()
		switch {
		case k.ctx.Err() != nil:
			return
		case err != nil && !k.isLive(): // it was lost meanwhile
			continue
		case err != nil:
			if failures++; failures > 1 { // an idle connection may have ended on the way
				k.fail(fmt.Errorf("%s does not answer: %w", k.service.Name, err))
				return
			}
			continue
		}
		failures = 0
		if k.take(news) {
			return
		}
	}
}

func (k *Seat) isLive() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return reachable(k.live)
}

// exchange says what there is to say and waits for news.
func (k *Seat) exchange() (news remote.News, err error) {
	ctx, cancel := context.WithTimeout(k.ctx, pollMS*time.Millisecond+patience)
	defer cancel()
	k.mu.Lock()
	k.poll = cancel
	x := remote.Exchange{Epoch: k.epoch, After: k.after, Rows: k.rows, Answers: k.answers, WaitMS: pollMS}
	if !reachable(k.live) { // since it was looked at
		cancel()
	}
	k.mu.Unlock()
	err = k.remote.call(ctx, http.MethodPost, "/v1/seats/"+k.name+"/exchange", x, &news)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.poll = nil
	if err == nil {
		k.answers = k.answers[len(x.Answers):]
	}
	return news, err
}

// patience bounds one request beyond what it waits for.
const patience = 10 * time.Second

// take hears the news, in their order. It returns true after the last message.
func (k *Seat) take(news remote.News) bool {
	k.mu.Lock()
	if news.Epoch != k.epoch { // the process before has ended, with all that it asked
		k.epoch, k.after, k.answers, k.quiet = news.Epoch, 0, nil, false
	}
	after := k.after
	k.mu.Unlock()
	for _, m := range news.Messages {
		if m.N <= after {
			continue
		}
		after = m.N
		answer, last := k.hear(m, news.Epoch)
		k.mu.Lock()
		k.after = m.N
		if answer != nil {
			k.answers = append(k.answers, *answer)
		}
		k.mu.Unlock()
		if last {
			return true
		}
	}
	return false
}

// hear takes one message.
func (k *Seat) hear(m remote.Message, epoch string) (answer *remote.Answer, last bool) {
	switch {
	case m.Record != nil:
		if m.Row > 0 {
			if m.Row <= k.rows { // another process repeats what the one before has said
				return nil, false
			}
			k.rows = m.Row
		}
		k.service.Frame.Log.Append(*m.Record)
	case m.Peer != nil:
		answer = &remote.Answer{N: m.N}
		if ref, ok := k.service.Frame.Identify(m.Peer.Addr, m.Peer.Seq); ok {
			answer.Ref = &ref
		}
	case m.Point != nil:
		return k.decide(m, epoch), false
	case m.Event != nil:
		var e approval.Event
		if err := json.Unmarshal(m.Event.Body, &e); err != nil {
			k.fail(fmt.Errorf("%s: an event cannot be read: %w", k.service.Name, err))
			return nil, false
		}
		if k.service.Emit != nil {
			k.service.Emit(m.Event.Task, e)
		}
	case m.Escalated != nil:
		if k.service.Escalated != nil {
			k.service.Escalated(m.Escalated.Task, m.Escalated.ID)
		}
	case m.Quiet != nil:
		k.mu.Lock()
		k.quiet = *m.Quiet
		k.mu.Unlock()
	case m.Failed != "":
		k.fail(fmt.Errorf("%s: %s", k.service.Name, m.Failed))
	case m.Ledger != nil:
		held, err := ledgers[k.service.Name].read(m.Ledger)
		if err != nil {
			k.fail(fmt.Errorf("%s: its ledger cannot be read: %w", k.service.Name, err))
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		k.ledger = held
		close(k.ended)
		return nil, true
	}
	return answer, false
}

// decide asks the seam about a point.
func (k *Seat) decide(m remote.Message, epoch string) *remote.Answer {
	seam := k.service.Frame.Seam
	if seam == nil {
		seam = fault.Calm{}
	}
	order := seam.At(k.ctx, *m.Point)
	told := remote.Order{Wait: order.Wait != nil, Later: order.Later != nil, Conduct: order.Conduct}
	told.Conduct.Later = nil
	if told.Wait {
		k.releaseAfter(order.Wait, epoch, remote.Release{N: m.N})
	}
	if told.Later {
		k.releaseAfter(order.Later, epoch, remote.Release{N: m.N, Later: true})
	}
	return &remote.Answer{N: m.N, Order: &told}
}

// releaseAfter ends a wait of the service when its end has come. Without
// contact it waits for it: the process that waits may be there again, or gone.
func (k *Seat) releaseAfter(until <-chan struct{}, epoch string, r remote.Release) {
	k.count(1)
	go func() {
		defer k.count(-1)
		select {
		case <-until:
		case <-k.ctx.Done():
			return
		}
		for failures := 0; ; {
			k.mu.Lock()
			live, now := k.live, k.epoch
			k.mu.Unlock()
			select {
			case <-live:
			case <-k.ctx.Done():
				return
			}
			if now != epoch {
				return
			}
			ctx, cancel := context.WithTimeout(k.ctx, patience)
			err := k.remote.call(ctx, http.MethodPost, "/v1/seats/"+k.name+"/releases", remote.Exchange{Epoch: epoch, Releases: []remote.Release{r}}, nil)
			cancel()
			switch {
			case err == nil || k.ctx.Err() != nil:
				return
			case !k.isLive():
				continue
			}
			if failures++; failures > 1 {
				k.fail(fmt.Errorf("%s: a fault cannot end: %w", k.service.Name, err))
				return
			}
		}
	}()
}

// count counts the releases that are to come.
func (k *Seat) count(n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.waiting == 0 {
		k.counted = make(chan struct{})
	}
	if k.waiting += n; k.waiting == 0 {
		close(k.counted)
	}
}

// fail says that the seat cannot go on, the first time.
func (k *Seat) fail(err error) {
	k.mu.Lock()
	first := k.failed == nil
	if first {
		k.failed = err
	}
	k.mu.Unlock()
	if first && k.service.Failed != nil {
		k.service.Failed(err)
	}
}

// Close lets the service end, hears its last word, and takes the seat away. The
// error is that this could not be done: then the seat's process is not to be
// used again.
func (k *Seat) Close(ctx context.Context) error {
	select {
	case <-k.ctx.Done(): // it was closed
		return nil
	default:
	}
	k.mu.Lock()
	live := k.live
	k.mu.Unlock()
	var err error
	select {
	case <-live:
		err = k.remote.call(ctx, http.MethodPost, "/v1/seats/"+k.name+"/close", nil, nil)
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err == nil {
		select {
		case <-k.over:
		case <-ctx.Done():
			err = fmt.Errorf("its last word: %w", ctx.Err())
		}
	}
	k.cancel()
	<-k.over
	k.mu.Lock()
	counted, failed := k.counted, k.failed
	k.mu.Unlock()
	<-counted
	if err != nil {
		err = fmt.Errorf("%s: %w", k.service.Name, err)
	}
	erased := k.erase(ctx)
	k.mu.Lock()
	k.clean = err == nil && erased == nil
	k.mu.Unlock()
	return errors.Join(failed, err, erased)
}

// Clean tells that the seat was closed and nothing of it is left.
func (k *Seat) Clean() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.clean
}
