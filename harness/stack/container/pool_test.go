package container_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/stack"
	"github.com/lostreceipt/lostreceipt/harness/stack/container"
	"github.com/lostreceipt/lostreceipt/harness/stack/container/containertest"
)

const calm = `
id: calm
title: Nothing breaks
covers: [B03]
task: purchase-approval
`

func open(t testing.TB) *container.Engine {
	t.Helper()
	containertest.NeedEngine(t)
	start := time.Now()
	engine, err := container.Open(t.Context(), container.Config{Binary: containertest.Program(), Told: func(text string) { t.Log(text) }})
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	t.Logf("engine, image and network: %s", time.Since(start))
	t.Cleanup(func() {
		start := time.Now()
		NewWithT(t).Expect(engine.Close(context.Background())).To(Succeed())
		t.Logf("taking all away: %s", time.Since(start))
	})
	return engine
}

func compiled(t *testing.T) *scenario.Compiled {
	g := NewWithT(t)
	parsed, err := scenario.Parse("calm.yaml", []byte(calm), scenario.Options{})
	g.Expect(err).NotTo(HaveOccurred())
	c, err := parsed.Compile(contract.Defaults().Scale(contract.DefaultScale))
	g.Expect(err).NotTo(HaveOccurred())
	return c
}

func TestAStackIsUsedAgainWithoutAContainerStart(t *testing.T) {
	g := NewWithT(t)
	pool := open(t).Pool(1)
	run := compiled(t)
	var ids []string
	for n := range 3 {
		start := time.Now()
		ground, err := pool.Lease(t.Context(), false)
		g.Expect(err).NotTo(HaveOccurred())
		s, err := stack.Open(t.Context(), stack.Config{Log: history.NewLog(nil), Scenario: run, Ground: ground, Failed: func(err error) { t.Error(err) }})
		g.Expect(err).NotTo(HaveOccurred())
		t.Logf("use %d: %s", n+1, time.Since(start))
		g.Expect(s.Close(context.Background())).To(Succeed())
		text, err := json.Marshal(s.Ledger())
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(text).To(MatchJSON(`{"approval": {"records": [], "keys": []}, "purchase": {"purchases": []}, "desk": {"escalations": []}}`))
		if n == 0 {
			ids = pool.Containers()
		}
		g.Expect(pool.Containers()).To(Equal(ids), "no container is started for a second run")
	}
}
