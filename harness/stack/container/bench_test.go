package container_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/stack/container"
)

// BenchmarkStart is the start of a stack in containers, and how often the engine
// starts one container bare (docker run) in that time. The goal is three seconds
// on a machine that has nothing else to do.
func BenchmarkStart(b *testing.B) {
	pool := open(b).Pool(1)
	first, err := pool.Lease(b.Context(), false)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = first.Close(context.Background()) }()
	image := engine(b, "inspect", "--format", "{{.Image}}", pool.Containers()[0])
	var bare, whole time.Duration
	for b.Loop() {
		start := time.Now()
		ground, err := pool.Lease(b.Context(), true)
		if err != nil {
			b.Fatal(err)
		}
		whole += time.Since(start)
		if err := ground.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		start = time.Now()
		engine(b, "run", "--rm", "--network", "none", "--label", container.Label, image, "version")
		bare += time.Since(start)
	}
	b.ReportMetric(whole.Seconds()/float64(b.N), "s/start")
	b.ReportMetric(float64(whole)/float64(bare), "start/container")
}

// engine runs a command of the engine and returns what it printed.
func engine(b *testing.B, args ...string) string {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), "docker", args...).CombinedOutput()
	if err != nil {
		b.Fatalf("docker %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}
