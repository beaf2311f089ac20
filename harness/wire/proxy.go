package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

const (
	dialTimeout = 5 * time.Second
	maxConns    = 512 // of one proxy at a time; more wait in the kernel's queue
)

// Door says what a proxy stands between.
type Door struct {
	Task     string // whose calls these are
	Work     string // the work item, and so the process
	Service  string // approval, purchase, desk, ...
	Upstream string // host:port of the service
	Host     string // the address to listen on; default 127.0.0.1
}

// A Proxy is the only way from one work item to one service.
type Proxy struct {
	door     Door
	g        *Gateway
	addr     string
	reserved *reservation
	ctx      context.Context
	stop     context.CancelFunc
	slots    chan struct{}
	running  sync.WaitGroup // accept loops, dials, connections, duplicates

	mu    sync.Mutex
	ln    net.Listener
	shutt bool
	conns map[*conn]struct{}
}

func newProxy(g *Gateway, d Door) (*Proxy, error) {
	if d.Upstream == "" {
		return nil, errors.New("no upstream: say where the service listens")
	}
	if d.Host == "" {
		d.Host = "127.0.0.1"
	}
	r, err := g.reserve(d.Host)
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		door: d, g: g, reserved: r, addr: r.addr,
		slots: make(chan struct{}, maxConns),
		conns: map[*conn]struct{}{},
	}
	p.ctx, p.stop = context.WithCancel(g.ctx)
	return p, nil
}

func (p *Proxy) route() route { return route{p.door.Task, p.door.Service} }

// URL is where the agent finds the service: "http://host:port".
func (p *Proxy) URL() string { return "http://" + p.addr }

// listen opens the door.
func (p *Proxy) listen() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shutt || p.ln != nil {
		return nil
	}
	ln, err := net.Listen("tcp", p.addr)
	if err != nil {
		return fmt.Errorf("port of %s is lost: %w", p.door.Service, err)
	}
	p.ln = ln
	p.running.Go(func() { p.accept(ln) })
	return nil
}

// refuse closes the door; who is in stays in.
func (p *Proxy) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ln != nil {
		unlisten(p.ln)
		p.ln.Close()
		p.ln = nil
	}
}

// unlisten has the kernel refuse connections from now on. Closing a listener does
// that only when nobody else has it, and a process that is just being started has
// all that this one has until its program is loaded. Where the system can not, it
// is left to the close.
func unlisten(ln net.Listener) {
	raw, err := ln.(*net.TCPListener).SyscallConn()
	if err != nil {
		return // it is closed
	}
	_ = raw.Control(func(fd uintptr) { _ = syscall.Shutdown(int(fd), syscall.SHUT_RD) })
}

func (p *Proxy) accept(ln net.Listener) {
	for {
		select {
		case p.slots <- struct{}{}:
		case <-p.ctx.Done():
			return
		}
		c, err := ln.Accept()
		if err != nil {
			<-p.slots
			if errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.EINVAL) { // it does not listen any more
				return
			}
			// Out of descriptors, say: nothing tells when there are some again.
			retry := time.NewTimer(5 * time.Millisecond)
			select {
			case <-retry.C:
				continue
			case <-p.ctx.Done():
				retry.Stop()
				return
			}
		}
		k := newConn(p, c.(*net.TCPConn))
		p.mu.Lock()
		if p.shutt {
			p.mu.Unlock()
			k.close()
			<-p.slots
			return
		}
		p.conns[k] = struct{}{}
		p.running.Add(1)
		p.mu.Unlock()
		k.record(history.ConnOpened, history.Wire{})
		go p.serve(k)
	}
}

// serve dials the service, off the accept loop, and starts the links. The
// connection lives until both have ended.
func (p *Proxy) serve(k *conn) {
	defer p.running.Done()
	defer func() {
		k.close()
		p.mu.Lock()
		delete(p.conns, k)
		p.mu.Unlock()
		<-p.slots
	}()
	up, seen, err := p.reach(p.ctx)
	if err != nil {
		k.endByHarness(history.HowRST)
		return
	}
	if err := k.connect(up, seen); err != nil {
		k.endByHarness(history.HowRST)
		return
	}
	k.link()
	k.links.Wait()
}

// shut ends everything of the proxy; wait waits until it has ended.
func (p *Proxy) shut() {
	p.refuse()
	p.mu.Lock()
	p.shutt = true
	open := make([]*conn, 0, len(p.conns))
	for k := range p.conns {
		open = append(open, k)
	}
	p.mu.Unlock()
	p.stop()
	for _, k := range open {
		k.abort()
		p.running.Go(k.clear)
	}
}

func (p *Proxy) wait() {
	p.running.Wait()
	p.g.mu.Lock()
	defer p.g.mu.Unlock()
	p.reserved.release()
	delete(p.g.proxies, p)
}

// Close stops listening, ends the connections, drops what is held on them, and
// waits for their goroutines. A request that is to arrive late needs its proxy.
func (p *Proxy) Close() error {
	p.shut()
	p.wait()
	return nil
}

func hostPort(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) }
