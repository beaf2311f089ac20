package container

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	dockercontainer "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"

	"github.com/lostreceipt/lostreceipt/fakes/remote"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

// member is one stack of a pool: one container a service.
type member struct {
	engine   *Engine
	http     *http.Transport
	services map[string]*served
}

// served is one service and its container.
type served struct {
	id      string
	address netip.Addr
	remote  stack.Remote
}

const (
	adminPort = "7070"
	dataDir   = "/data"

	// startTime is how long a container may take until it answers.
	startTime = 30 * time.Second
)

// startMember starts a stack, all its containers at once.
func (e *Engine) startMember(ctx context.Context) (*member, error) {
	m := &member{engine: e, http: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true}, services: map[string]*served{}}
	token := rand.Text()
	var (
		starting sync.WaitGroup
		mu       sync.Mutex
		errs     []error
	)
	for _, name := range remote.Services() {
		starting.Go(func() {
			s, err := m.start(ctx, name, token)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, fmt.Errorf("container of %s: %w", name, err))
				return
			}
			m.services[name] = s
		})
	}
	starting.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err // the engine's Close takes away what there is
	}
	return m, nil
}

func (m *member) start(ctx context.Context, service, token string) (*served, error) {
	e := m.engine
	name, address := e.next(service)
	if _, err := e.docker.VolumeCreate(ctx, client.VolumeCreateOptions{Name: name, Labels: e.labels}); err != nil {
		return nil, err
	}
	c, err := testcontainers.Run(ctx, e.image,
		testcontainers.WithName(name),
		testcontainers.WithLabels(e.labels),
		testcontainers.WithCmd("stack", "serve", service, "--listen", "0.0.0.0:"+adminPort, "--data", dataDir),
		testcontainers.WithEnv(map[string]string{remote.TokenVariable: token}),
		testcontainers.WithHostConfigModifier(func(h *dockercontainer.HostConfig) {
			h.Mounts = append(h.Mounts, mount.Mount{Type: mount.TypeVolume, Source: name, Target: dataDir})
		}),
		testcontainers.CustomizeRequestOption(func(r *testcontainers.GenericContainerRequest) error {
			r.Networks = []string{e.network.Name}
			return nil
		}),
		testcontainers.WithEndpointSettingsModifier(func(settings map[string]*network.EndpointSettings) {
			for _, s := range settings {
				s.IPAMConfig = &network.EndpointIPAMConfig{IPv4Address: address}
			}
		}),
	)
	if err != nil {
		return nil, err
	}
	s := &served{id: c.GetContainerID(), address: address, remote: stack.Remote{
		Admin: "http://" + net.JoinHostPort(address.String(), adminPort), Host: address.String(), Token: token,
		Client: &http.Client{Transport: m.http},
	}}
	return s, m.await(ctx, s)
}

// await waits until a service answers. A process that is starting has no event
// that could be seen from here, so it is asked again and again.
func (m *member) await(ctx context.Context, s *served) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	ticks := time.NewTicker(5 * time.Millisecond)
	defer ticks.Stop()
	for {
		_, err := s.remote.State(ctx)
		if err == nil {
			return nil
		}
		c, looked := m.engine.docker.ContainerInspect(ctx, s.id, client.ContainerInspectOptions{})
		if looked == nil && c.Container.State != nil && !c.Container.State.Running {
			return fmt.Errorf("it has ended with status %d: %s", c.Container.State.ExitCode, m.engine.lastWords(ctx, s.id))
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return fmt.Errorf("it does not answer at %s within %s (the containers of another machine, or of a virtual one, cannot be reached): %w",
				s.remote.Admin, startTime, err)
		}
	}
}

// close ends the connections to the services. Containers go with the engine.
func (m *member) close() { m.http.CloseIdleConnections() }
