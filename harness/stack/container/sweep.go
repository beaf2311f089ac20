package container

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
)

// sweep takes away what dead owners left, and returns how many things.
func sweep(ctx context.Context, docker *testcontainers.DockerClient) (n int, err error) {
	err = remove(ctx, docker, func(labels map[string]string) bool {
		if left(labels) {
			n++
			return true
		}
		return false
	})
	return n, err
}

// Left names what dead owners have left on the engine.
func Left(ctx context.Context) (names []string, err error) {
	docker, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = docker.Close() }()
	ours := client.Filters{}.Add("label", Label)
	containers, err := docker.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: ours})
	for _, c := range containers.Items {
		if left(c.Labels) {
			names = append(names, "container "+c.ID)
		}
	}
	networks, err2 := docker.NetworkList(ctx, client.NetworkListOptions{Filters: ours})
	for _, n := range networks.Items {
		if left(n.Labels) {
			names = append(names, "network "+n.ID)
		}
	}
	volumes, err3 := docker.VolumeList(ctx, client.VolumeListOptions{Filters: ours})
	for _, v := range volumes.Items {
		if left(v.Labels) {
			names = append(names, "volume "+v.Name)
		}
	}
	return names, errors.Join(err, err2, err3)
}

// remove takes away every container, network and volume of ours whose labels
// fit. What somebody else takes away at the same time is away.
func remove(ctx context.Context, docker *testcontainers.DockerClient, fits func(labels map[string]string) bool) error {
	ours := client.Filters{}.Add("label", Label)
	var (
		mu       sync.Mutex
		errs     []error
		removing sync.WaitGroup
	)
	gone := func(what, id string, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil && !errdefs.IsNotFound(err) && !errdefs.IsConflict(err) {
			errs = append(errs, fmt.Errorf("removing %s %s: %w", what, id, err))
		}
	}
	containers, err := docker.ContainerList(ctx, client.ContainerListOptions{All: true, Filters: ours})
	if err != nil {
		return fmt.Errorf("listing containers: %w", err)
	}
	for _, c := range containers.Items {
		if fits(c.Labels) {
			removing.Go(func() {
				err := end(ctx, docker, c.ID)
				gone("container", c.ID[:12], err)
			})
		}
	}
	removing.Wait() // what they use goes after them
	networks, err := docker.NetworkList(ctx, client.NetworkListOptions{Filters: ours})
	if err != nil {
		return errors.Join(append(errs, fmt.Errorf("listing networks: %w", err))...)
	}
	for _, n := range networks.Items {
		if fits(n.Labels) {
			gone("network", n.Name, removeNetwork(ctx, docker, n.ID))
		}
	}
	volumes, err := docker.VolumeList(ctx, client.VolumeListOptions{Filters: ours})
	if err != nil {
		return errors.Join(append(errs, fmt.Errorf("listing volumes: %w", err))...)
	}
	for _, v := range volumes.Items {
		if fits(v.Labels) {
			_, err := docker.VolumeRemove(ctx, v.Name, client.VolumeRemoveOptions{Force: true})
			gone("volume", v.Name, err)
		}
	}
	return errors.Join(errs...)
}

// end ends a container and takes it away. It is killed first and removed when it
// has ended: an engine that does both at once may lose count of a network's
// endpoints, and then keeps the network for ever.
func end(ctx context.Context, docker *testcontainers.DockerClient, id string) error {
	ended := docker.ContainerWait(ctx, id, client.ContainerWaitOptions{Condition: container.WaitConditionNotRunning})
	_, err := docker.ContainerKill(ctx, id, client.ContainerKillOptions{Signal: "SIGKILL"})
	if err == nil {
		select {
		case <-ended.Result:
		case err := <-ended.Error:
			if ctx.Err() != nil {
				return err
			}
		}
	}
	_, err = docker.ContainerRemove(ctx, id, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
	if !errdefs.IsConflict(err) {
		return err
	}
	// Somebody else removes it: what it uses is free when it is gone.
	removed := docker.ContainerWait(ctx, id, client.ContainerWaitOptions{Condition: container.WaitConditionRemoved})
	select {
	case <-removed.Result:
		return nil
	case err := <-removed.Error:
		return err
	}
}

// A network is free a little after its last container is gone, without an event.
const (
	networkRemovals = 20
	networkPause    = 100 * time.Millisecond
)

func removeNetwork(ctx context.Context, docker *testcontainers.DockerClient, id string) error {
	ticks := time.NewTicker(networkPause)
	defer ticks.Stop()
	for try := 1; ; try++ {
		_, err := docker.NetworkRemove(ctx, id, client.NetworkRemoveOptions{})
		if err == nil || errdefs.IsNotFound(err) || try == networkRemovals {
			return err
		}
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return err
		}
	}
}
