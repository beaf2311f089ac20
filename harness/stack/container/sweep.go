package container

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/containerd/errdefs"
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
				_, err := docker.ContainerRemove(ctx, c.ID, client.ContainerRemoveOptions{Force: true, RemoveVolumes: true})
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
			_, err := docker.NetworkRemove(ctx, n.ID, client.NetworkRemoveOptions{})
			gone("network", n.Name, err)
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
