package container

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/containerd/errdefs"
	"github.com/testcontainers/testcontainers-go"
)

// repository is the name of the image; its tag is the digest of its content.
const repository = "lostreceipt"

// dockerfile makes the image of the program alone.
const dockerfile = `FROM scratch
COPY lostreceipt /lostreceipt
ENTRYPOINT ["/lostreceipt"]
`

// imageOf returns the image of a program, and builds it where the engine has
// none with this content.
func imageOf(ctx context.Context, docker *testcontainers.DockerClient, binary string, told func(string)) (string, error) {
	if err := static(binary); err != nil {
		return "", err
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return "", fmt.Errorf("reading the program for the image: %w", err)
	}
	tag := digest(program)
	name := repository + ":" + tag
	_, err = docker.ImageInspect(ctx, name)
	switch {
	case err == nil:
		return name, nil
	case !errdefs.IsNotFound(err):
		return "", fmt.Errorf("looking for image %s: %w", name, err)
	}
	told(fmt.Sprintf("Building image %s from this program.", name))
	archive, err := buildContext(program)
	if err != nil {
		return "", err
	}
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		return "", noEngine(err)
	}
	_, err = provider.BuildImage(ctx, &testcontainers.ContainerRequest{FromDockerfile: testcontainers.FromDockerfile{
		ContextArchive: bytes.NewReader(archive), Repo: repository, Tag: tag, KeepImage: true,
	}})
	if err = errors.Join(err, provider.Close()); err != nil {
		return "", fmt.Errorf("building image %s: %w", name, err)
	}
	return name, nil
}

// digest is that of everything that is in the image.
func digest(program []byte) string {
	h := sha256.New()
	h.Write([]byte(dockerfile))
	h.Write(program)
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// buildContext is the archive that the engine builds from. Its content decides
// about all of its bytes.
func buildContext(program []byte) ([]byte, error) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, f := range []struct {
		name string
		mode int64
		text []byte
	}{{"Dockerfile", 0o644, []byte(dockerfile)}, {"lostreceipt", 0o755, program}} {
		if err := w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), Typeflag: tar.TypeReg}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	return archive.Bytes(), w.Close()
}

// static tells whether a program runs where there is nothing beside it.
func static(binary string) error {
	f, err := elf.Open(binary)
	if err != nil {
		return fmt.Errorf("the image is made of this program, which is not one for Linux (%s): build lostreceipt on Linux", runtime.GOOS)
	}
	defer func() { _ = f.Close() }() // it was only read
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return errors.New("the image is made of this program alone, and it needs libraries of the system: build it with CGO_ENABLED=0, as make build does")
		}
	}
	return nil
}
