package container

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

// Seats is how many runs use one stack at once. A service spends its time
// waiting, as a run does.
const Seats = 32

// Concurrency is how many runs are at once where nothing else is said: fewer
// than in one process, since the services of each share the machine with it.
func Concurrency() int { return 10 * runtime.GOMAXPROCS(0) }

// lonely is how many runs at once may have a stack of their own.
const lonely = 2

// Pool are stacks that are used for one run after another. They are started
// when they are first needed.
type Pool struct {
	// Doors is the address at which the agent finds the services. "": the loopback.
	Doors string

	engine *Engine
	shared chan *slot // one entry a seat
	alone  chan *slot

	mu    sync.Mutex
	count int
	all   []*member
}

// slot is the place of one stack.
type slot struct {
	mu     sync.Mutex
	member *member // nil: none was needed yet, or it is not to be used any more
}

// Pool makes a pool for so many runs at once.
func (e *Engine) Pool(concurrency int) *Pool {
	stacks := (concurrency + Seats - 1) / Seats
	p := &Pool{engine: e, shared: make(chan *slot, stacks*Seats), alone: make(chan *slot, lonely)}
	slots := make([]*slot, stacks)
	for i := range slots {
		slots[i] = new(slot)
	}
	for range Seats { // one of each in turn, so that all are used
		for _, s := range slots {
			p.shared <- s
		}
	}
	for range lonely {
		p.alone <- new(slot)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pools = append(e.pools, p)
	return p
}

// Lease waits for the ground of one run. Alone, its containers are no other
// run's, and can be acted on, see [stack.Machines].
func (p *Pool) Lease(ctx context.Context, alone bool) (stack.Ground, error) {
	from := p.shared
	if alone {
		from = p.alone
	}
	var at *slot
	select {
	case at = <-from:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	m, err := p.memberOf(ctx, at)
	if err != nil {
		from <- at
		return nil, fmt.Errorf("containers: %w", err)
	}
	p.mu.Lock()
	p.count++
	l := &lease{pool: p, slot: at, from: from, member: m, alone: alone, name: fmt.Sprintf("s-%d", p.count), seats: map[string]*stack.Seat{}, porters: map[string]*porter{}}
	p.mu.Unlock()
	return l, nil
}

// memberOf is the stack of a slot; it is started if there is none.
func (p *Pool) memberOf(ctx context.Context, at *slot) (*member, error) {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.member != nil {
		return at.member, nil
	}
	m, err := p.engine.startMember(context.WithoutCancel(ctx)) // a start that is broken off half-way leaves the engine in between
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.all = append(p.all, m)
	p.mu.Unlock()
	at.member = m
	return m, nil
}

// spoil keeps a stack from being used again.
func (at *slot) spoil(m *member) {
	at.mu.Lock()
	defer at.mu.Unlock()
	if at.member == m {
		at.member = nil
	}
}

func (p *Pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.all {
		m.close()
	}
}

// lease is the ground of one run.
type lease struct {
	pool   *Pool
	slot   *slot
	from   chan *slot
	member *member
	alone  bool
	name   string
	back   sync.Once

	mu    sync.Mutex
	seats map[string]*stack.Seat
	// porters stand before the services of a run that is alone.
	porters map[string]*porter
}

var _ stack.Ground = (*lease)(nil)

// Host is where the agent finds the services.
func (l *lease) Host() string { return cmp.Or(l.pool.Doors, "127.0.0.1") }

// Place opens a seat.
func (l *lease) Place(ctx context.Context, s stack.Service) (stack.Backend, error) {
	served := l.member.services[s.Name]
	if served == nil {
		return nil, fmt.Errorf("there is no container of %q", s.Name)
	}
	var door *porter
	if l.alone {
		var err error
		if door, err = newPorter(); err != nil {
			return nil, err
		}
		gate := s.Frame.Identify
		s.Frame.Identify = func(peer string, seq int) (fault.Ref, bool) { return gate(door.gateOf(peer), seq) }
	}
	seat, err := served.remote.Seat(ctx, l.name, s)
	if err != nil {
		l.slot.spoil(l.member)
		if door != nil {
			err = errors.Join(err, door.close())
		}
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seats[s.Name] = seat
	if !l.alone {
		return seat, nil
	}
	door.aim(seat.Addr())
	l.porters[s.Name] = door
	return behind{seat, door}, nil
}

// behind is a seat that is reached by way of a porter.
type behind struct {
	*stack.Seat
	door *porter
}

// Addr is the porter's.
func (b behind) Addr() string { return b.door.addr() }

// Close gives the seats back. A stack that is not clean is not used again.
func (l *lease) Close(context.Context) error {
	var err error
	l.back.Do(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for name, seat := range l.seats {
			if !seat.Clean() {
				l.slot.spoil(l.member)
				err = errors.Join(err, fmt.Errorf("containers: %s: its seat is not clean", name))
			}
		}
		for _, door := range l.porters {
			err = errors.Join(err, door.close())
		}
		l.from <- l.slot
	})
	return err
}

// Containers are the ids of all containers that the pool has started, in order.
func (p *Pool) Containers() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []string
	for _, m := range p.all {
		for _, s := range m.services {
			ids = append(ids, s.id)
		}
	}
	slices.Sort(ids)
	return ids
}
