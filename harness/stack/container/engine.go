package container

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
	networks "github.com/testcontainers/testcontainers-go/network"
)

// ErrNoEngine is wrapped when there is no Docker engine that can be used.
var ErrNoEngine = errors.New("no Docker engine can be used")

// Config says what containers are made of.
type Config struct {
	_ struct{}

	// Binary is the static program that the image is made of: lostreceipt itself.
	Binary string
	// Told is told of what takes a moment. Nil: nobody is.
	Told func(text string)
}

// Engine is the Docker engine, and what this process owns there. Its methods
// are safe for concurrent use.
type Engine struct {
	docker  *testcontainers.DockerClient
	run     string
	labels  map[string]string
	image   string
	network *testcontainers.DockerNetwork
	gateway netip.Addr

	mu    sync.Mutex
	last  netip.Addr // the last address that was given
	names int
	pools []*Pool
	once  sync.Once
	ended error
}

// answerTime is how long the engine may take to say that it is there.
const answerTime = 5 * time.Second

// quiet keeps the library from printing, and from starting a container of its
// own that would have to be pulled. It reads its environment once.
var quiet = sync.OnceFunc(func() {
	log.SetDefault(log.NewNoopLogger())
	_ = os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true") // exactly this word
})

// Usable tells whether there is a Docker engine; if not, the error says what is
// missing and wraps [ErrNoEngine].
func Usable(ctx context.Context) error {
	docker, err := connect(ctx)
	if err != nil {
		return err
	}
	return docker.Close()
}

func connect(ctx context.Context) (docker *testcontainers.DockerClient, err error) {
	quiet()
	defer func() {
		if p := recover(); p != nil { // the library panics where it finds no host
			err = noEngine(fmt.Errorf("%v", p))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	docker, err = testcontainers.NewDockerClientWithOpts(ctx)
	if err != nil {
		return nil, noEngine(err)
	}
	// The library goes on to another engine, in silence.
	if asked := os.Getenv("DOCKER_HOST"); asked != "" && docker.DaemonHost() != asked {
		_ = docker.Close() // it is not used
		return nil, noEngine(fmt.Errorf("DOCKER_HOST is %s, and none answers there", asked))
	}
	if _, err := docker.Ping(ctx, client.PingOptions{}); err != nil {
		_ = docker.Close() // the other error says more
		return nil, noEngine(err)
	}
	return docker, nil
}

func noEngine(err error) error {
	return fmt.Errorf("%w: %s", ErrNoEngine, strings.TrimSpace(err.Error()))
}

// Open connects to the engine, takes away what dead owners left, and makes
// image and network. The caller closes the engine.
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	docker, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	if cfg.Told == nil {
		cfg.Told = func(string) {}
	}
	e := &Engine{docker: docker, run: strings.ToLower(rand.Text()[:12])}
	e.labels = ownLabels(e.run)
	swept, err := sweep(ctx, docker)
	if swept > 0 {
		cfg.Told(fmt.Sprintf("Took away what an earlier run left on the Docker engine: %d things.", swept))
	}
	if err != nil { // what cannot be taken away does not keep anybody from working
		cfg.Told(fmt.Sprintf("What an earlier run left on the Docker engine cannot all be taken away: %v", err))
	}
	e.image, err = imageOf(ctx, docker, cfg.Binary, cfg.Told)
	if err == nil {
		err = e.makeNetwork(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("containers: %w", err), e.Close(context.WithoutCancel(ctx)))
	}
	return e, nil
}

// Host is the address of the harness on the network.
func (e *Engine) Host() string { return e.gateway.String() }

// networkTries is how often a subnet is asked for that somebody else may take
// meanwhile.
const networkTries = 5

// makeNetwork makes the network with a subnet that Docker chooses, and makes it
// once more with that subnet asked for: only then can addresses be fixed.
func (e *Engine) makeNetwork(ctx context.Context) error {
	var last error
	for range networkTries {
		first, err := networks.New(ctx, networks.WithInternal(), networks.WithLabels(e.labels))
		if err != nil {
			return fmt.Errorf("making a network: %w", err)
		}
		seen, err := e.docker.NetworkInspect(ctx, first.ID, client.NetworkInspectOptions{})
		if err = errors.Join(err, first.Remove(ctx)); err != nil {
			return fmt.Errorf("making a network: %w", err)
		}
		subnet, gateway, err := addresses(seen.Network.IPAM)
		if err != nil {
			return err
		}
		e.network, last = networks.New(ctx, networks.WithInternal(), networks.WithLabels(e.labels),
			networks.WithIPAM(&network.IPAM{Config: []network.IPAMConfig{{Subnet: subnet, Gateway: gateway}}}))
		if last == nil {
			e.gateway, e.last = gateway, gateway
			return nil
		}
	}
	return fmt.Errorf("making a network: %w", last)
}

func addresses(ipam network.IPAM) (netip.Prefix, netip.Addr, error) {
	for _, c := range ipam.Config {
		if !c.Subnet.IsValid() || !c.Subnet.Addr().Is4() {
			continue
		}
		gateway := c.Gateway
		if !gateway.IsValid() {
			gateway = c.Subnet.Masked().Addr().Next()
		}
		return c.Subnet, gateway, nil
	}
	return netip.Prefix{}, netip.Addr{}, fmt.Errorf("the engine gave a network no IPv4 subnet: %v", ipam.Config)
}

// next is a name for something new, and an address on the network.
func (e *Engine) next(what string) (name string, address netip.Addr) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.names++
	e.last = e.last.Next()
	return fmt.Sprintf("lostreceipt-%s-%d-%s", e.run, e.names, what), e.last
}

// Close takes everything away that this engine made, but for the image.
func (e *Engine) Close(ctx context.Context) error {
	e.once.Do(func() {
		for _, p := range e.pools {
			p.close()
		}
		e.ended = errors.Join(remove(ctx, e.docker, func(labels map[string]string) bool { return labels[Label] == e.run }), e.docker.Close())
	})
	return e.ended
}
