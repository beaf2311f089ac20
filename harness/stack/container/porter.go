package container

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// porter stands between the gate and a container that something may happen to.
// The gate must get a connection at once whatever became of the service, or it
// would see the request later than it was sent; so the porter takes each
// connection, and does with it what the network would: while the process is
// killed it resets it once the request comes, and while the service is cut off
// it keeps it, connects when the service is back, and drops it if the client has
// gone by then.
type porter struct {
	listener *net.TCPListener
	ctx      context.Context
	cancel   context.CancelFunc
	running  sync.WaitGroup

	mu      sync.Mutex
	target  string
	outage  fault.Outage // "": the service can be reached
	changed chan struct{}
	peers   map[string]string // the container's peer -> the gate's end
}

func newPorter() (*porter, error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	p := &porter{listener: l, changed: make(chan struct{}), peers: map[string]string{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.running.Go(func() {
		for {
			c, err := l.AcceptTCP()
			if err != nil { // it was closed
				return
			}
			p.running.Go(func() { p.carry(c) })
		}
	})
	return p, nil
}

func (p *porter) addr() string { return p.listener.Addr().String() }

// aim says where the service is, before anybody connects.
func (p *porter) aim(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.target = target
}

// suffer says what happens to the service from now on.
func (p *porter) suffer(how fault.Outage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.outage = how
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *porter) state() (target string, how fault.Outage, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.target, p.outage, p.changed
}

// gateOf is the gate's end of a connection that the container sees.
func (p *porter) gateOf(peer string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.peers[peer]
}

// carry carries one connection.
func (p *porter) carry(c *net.TCPConn) {
	defer func() { _ = c.Close() }()
	stop := context.AfterFunc(p.ctx, func() { _ = c.Close() })
	defer stop()
	in := p.read(c)
	first, ok := <-in.chunks
	if !ok {
		return
	}
	up := p.dial(in, c.RemoteAddr().String())
	if up == nil {
		_ = c.SetLinger(0)
		return
	}
	defer func() { _ = up.Close() }()
	stopUp := context.AfterFunc(p.ctx, func() { _ = up.Close() })
	defer stopUp()
	var back sync.WaitGroup
	back.Go(func() {
		if _, err := io.Copy(c, up); err != nil {
			_ = c.SetLinger(0)
		}
		_ = c.Close() // the service has ended it
	})
	for chunk := first; ok; chunk, ok = <-in.chunks {
		if _, err := up.Write(chunk); err != nil {
			break // what comes back says how it ended
		}
	}
	_ = up.CloseWrite()
	back.Wait()
}

// introduce makes a connection to the container known, before its first byte. It
// is false for one from an address that was used before: the system gives those
// away again, and a service that is late may still ask about the earlier one.
func (p *porter) introduce(peer, gate string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.peers[peer]; known {
		return false
	}
	p.peers[peer] = gate
	return true
}

// dial connects to the service, for the gate's end of a connection, as soon as
// that can be; nil: the connection is to be reset, or the client has gone.
func (p *porter) dial(in *incoming, gate string) *net.TCPConn {
	for {
		target, how, changed := p.state()
		switch how {
		case fault.Killed:
			return nil
		case fault.Isolated:
			select {
			case <-changed:
				continue
			case <-in.ended:
				return nil
			case <-p.ctx.Done():
				return nil
			}
		}
		d := net.Dialer{Timeout: dialTime}
		c, err := d.DialContext(p.ctx, "tcp", target)
		if err == nil {
			up := c.(*net.TCPConn)
			if p.introduce(up.LocalAddr().String(), gate) {
				return up
			}
			_ = up.SetLinger(0)
			_ = up.Close()
			continue
		}
		if closed(changed) && p.ctx.Err() == nil { // it happened meanwhile
			continue
		}
		return nil
	}
}

const dialTime = 2 * time.Second

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// incoming is what the gate sends. It is read ahead, so that its end is seen.
type incoming struct {
	chunks chan []byte
	ended  chan struct{}
}

// ahead is how many chunks are read that nobody has taken.
const ahead = 256

func (p *porter) read(c *net.TCPConn) *incoming {
	in := &incoming{chunks: make(chan []byte, ahead), ended: make(chan struct{})}
	p.running.Go(func() {
		defer close(in.chunks)
		defer close(in.ended)
		for {
			buf := make([]byte, 32<<10)
			n, err := c.Read(buf)
			if n > 0 {
				select {
				case in.chunks <- buf[:n]:
				case <-p.ctx.Done():
					return
				}
			}
			if err != nil {
				return
			}
		}
	})
	return in
}

// close ends everything and waits for it.
func (p *porter) close() error {
	p.cancel()
	err := p.listener.Close()
	p.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
