package container

import (
	"context"
	"errors"
	"fmt"

	dockercontainer "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

var _ stack.Machines = (*lease)(nil)

// Outage does something to the container of a service. The run must be alone on
// its stack.
func (l *lease) Outage(ctx context.Context, service string, how fault.Outage) (end func(context.Context) error, err error) {
	l.mu.Lock()
	seat, s, door := l.seats[service], l.member.services[service], l.porters[service]
	l.mu.Unlock()
	switch {
	case seat == nil || s == nil || door == nil:
		return nil, errors.New("it takes no part in this run")
	case !l.alone:
		return nil, errors.New("other runs use its container")
	}
	begin, over := l.member.outage(s, how)
	if begin == nil {
		return nil, fmt.Errorf("unknown outage %q", how)
	}
	seat.Lost()
	door.suffer(how)
	if err := begin(ctx); err != nil {
		l.slot.spoil(l.member)
		return nil, err
	}
	return func(ctx context.Context) error {
		err := over(ctx)
		l.member.http.CloseIdleConnections() // those to the process before
		if err == nil {
			err = l.member.await(ctx, s)
		}
		if err != nil {
			l.slot.spoil(l.member)
		}
		seat.Found()
		door.suffer("")
		return err
	}, nil
}

// outage is how one begins and ends.
func (m *member) outage(s *served, how fault.Outage) (begin, over func(context.Context) error) {
	docker := m.engine.docker
	switch how {
	case fault.Killed:
		begin = func(ctx context.Context) error {
			gone := docker.ContainerWait(ctx, s.id, client.ContainerWaitOptions{Condition: dockercontainer.WaitConditionNotRunning})
			if _, err := docker.ContainerKill(ctx, s.id, client.ContainerKillOptions{Signal: "SIGKILL"}); err != nil {
				return err
			}
			select {
			case <-gone.Result:
				return nil
			case err := <-gone.Error:
				return err
			}
		}
		over = func(ctx context.Context) error {
			_, err := docker.ContainerStart(ctx, s.id, client.ContainerStartOptions{})
			return err
		}
	case fault.Frozen:
		begin = func(ctx context.Context) error {
			_, err := docker.ContainerPause(ctx, s.id, client.ContainerPauseOptions{})
			return err
		}
		over = func(ctx context.Context) error {
			_, err := docker.ContainerUnpause(ctx, s.id, client.ContainerUnpauseOptions{})
			return err
		}
	case fault.Isolated:
		begin = func(ctx context.Context) error {
			_, err := docker.NetworkDisconnect(ctx, m.engine.network.ID, client.NetworkDisconnectOptions{Container: s.id})
			return err
		}
		over = func(ctx context.Context) error {
			_, err := docker.NetworkConnect(ctx, m.engine.network.ID, client.NetworkConnectOptions{
				Container: s.id, EndpointConfig: &network.EndpointSettings{IPAMConfig: &network.EndpointIPAMConfig{IPv4Address: s.address}},
			})
			return err
		}
	}
	return begin, over
}
