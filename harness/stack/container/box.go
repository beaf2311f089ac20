package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/api/pkg/stdcopy"
	dockercontainer "github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/moby/moby/api/types/network"
	"github.com/moby/moby/client"
)

// Own is the name by which the image of this program is meant.
const Own = repository

// Image finds an image on the engine, which pulls none. [Own] is the image of
// this program.
func (e *Engine) Image(ctx context.Context, name string) (string, error) {
	if name == Own {
		return e.image, nil
	}
	_, err := e.docker.ImageInspect(ctx, name)
	if errdefs.IsNotFound(err) {
		return "", fmt.Errorf("image %q is not on this Docker engine: build or pull it first, with docker build -t or docker pull", name)
	}
	return name, err
}

// Spec is a container on the network that is no service.
type Spec struct {
	_ struct{}

	Image string
	Args  []string // nil: the image's own
	Env   []string
	Dir   string // of this machine, found at the same path
}

// Box is such a container.
type Box struct {
	engine *Engine
	id     string
	ended  client.ContainerWaitResult
}

// Box makes a container. It does not run yet.
func (e *Engine) Box(ctx context.Context, what string, s Spec) (*Box, error) {
	name, address := e.next(what)
	made, err := e.docker.ContainerCreate(ctx, client.ContainerCreateOptions{
		Name:       name,
		Config:     &dockercontainer.Config{Image: s.Image, Cmd: s.Args, Env: s.Env, Labels: e.labels, User: user()},
		HostConfig: &dockercontainer.HostConfig{Mounts: []mount.Mount{{Type: mount.TypeBind, Source: s.Dir, Target: s.Dir}}},
		NetworkingConfig: &network.NetworkingConfig{EndpointsConfig: map[string]*network.EndpointSettings{
			e.network.Name: {IPAMConfig: &network.EndpointIPAMConfig{IPv4Address: address}},
		}},
	})
	if err != nil {
		return nil, err
	}
	return &Box{engine: e, id: made.ID}, nil
}

// user is this process's, where it could not take away what root has written;
// "": the image's own.
func user() string {
	if os.Getuid() == 0 {
		return ""
	}
	return fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
}

// Start starts it. Its end is heard of by [Box.Wait], however early it is.
func (b *Box) Start(ctx context.Context) error {
	b.ended = b.engine.docker.ContainerWait(context.WithoutCancel(ctx), b.id, client.ContainerWaitOptions{Condition: dockercontainer.WaitConditionNextExit})
	_, err := b.engine.docker.ContainerStart(ctx, b.id, client.ContainerStartOptions{})
	return err
}

// Wait waits until it has ended and returns its status; above 128 it is that of
// a signal.
func (b *Box) Wait() (int, error) {
	select {
	case r := <-b.ended.Result:
		if r.Error != nil {
			return int(r.StatusCode), errors.New(r.Error.Message)
		}
		return int(r.StatusCode), nil
	case err := <-b.ended.Error:
		return 0, err
	}
}

// Kill sends SIGKILL.
func (b *Box) Kill(ctx context.Context) error {
	_, err := b.engine.docker.ContainerKill(ctx, b.id, client.ContainerKillOptions{Signal: "SIGKILL"})
	return err
}

// Pause makes all its processes stand still; Resume lets them go on.
func (b *Box) Pause(ctx context.Context) error {
	_, err := b.engine.docker.ContainerPause(ctx, b.id, client.ContainerPauseOptions{})
	return err
}

// Resume ends a pause.
func (b *Box) Resume(ctx context.Context) error {
	_, err := b.engine.docker.ContainerUnpause(ctx, b.id, client.ContainerUnpauseOptions{})
	return err
}

// Stop sends SIGTERM, and SIGKILL after grace, in whole seconds.
func (b *Box) Stop(ctx context.Context, grace time.Duration) error {
	seconds := int(grace.Round(time.Second) / time.Second)
	_, err := b.engine.docker.ContainerStop(ctx, b.id, client.ContainerStopOptions{Timeout: &seconds})
	return err
}

// Output is what it has printed, of each stream at most so many bytes.
func (b *Box) Output(ctx context.Context, most int64) ([]byte, error) {
	logs, err := b.engine.docker.ContainerLogs(ctx, b.id, client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true})
	if err != nil {
		return nil, err
	}
	defer logs.Close()
	var text bytes.Buffer
	_, err = stdcopy.StdCopy(&text, &text, io.LimitReader(logs, most))
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return text.Bytes(), err
}

// Remove takes it away, whether it runs or not.
func (b *Box) Remove(ctx context.Context) error {
	_, err := b.engine.docker.ContainerRemove(ctx, b.id, client.ContainerRemoveOptions{Force: true})
	if errdefs.IsNotFound(err) {
		return nil
	}
	return err
}
