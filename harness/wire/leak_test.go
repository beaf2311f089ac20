package wire_test

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// mixed is a seam under which call after call meets another fault.
type mixed struct{ calls, struck atomic.Int64 }

func (m *mixed) At(_ context.Context, p fault.Point) fault.Order {
	if p.Copy || p.Phase == fault.Delivered {
		return fault.Order{}
	}
	orders := []fault.Order{
		{},
		{Action: fault.Reset},
		{Action: fault.Close},
		{Action: fault.Hang},
		{Action: fault.Garble},
		{Action: fault.Duplicate},
		{Action: fault.Drip},
		{Action: fault.Truncate, Bytes: -1},
		{Action: fault.Truncate},
		{Action: fault.Truncate, Bytes: 5},
		{Action: fault.Truncate, Cut: fault.InHead, Bytes: 9},
		{Wait: released(time.Millisecond)},
		{Wait: released(2 * leakPatience)},
		weather("latency", false, map[string]int64{"latency": 1}), weather("slicer", true, map[string]int64{"average_size": 20}), weather("timeout", false, nil),
	}
	n := m.calls.Add(1)
	o := orders[int(n)%len(orders)]
	if o.Action != fault.Pass || o.Wait != nil || len(o.Weather) > 0 {
		m.struck.Add(1)
	}
	return o
}

// released is closed after a while.
func released(after time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(after, func() { close(c) })
	return c
}

// leakPatience is when a client gives a call up.
const leakPatience = 20 * time.Millisecond

// Goroutines, sockets and memory return to where they were after 10,000 calls
// with all kinds of faults, from clients that give up on some of them.
func TestNothingIsLeftOfManyCalls(t *testing.T) {
	calls := int64(10_000)
	if testing.Short() {
		calls = 1000
	}
	g := NewWithT(t)
	s := newService()
	defer s.close()
	seam := &mixed{}
	round := func(calls int64) {
		gate := wire.New(wire.Config{Log: history.NewLog(nil), Seam: seam, Dialect: paths{}})
		p, err := gate.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: s.addr()})
		g.Expect(err).NotTo(HaveOccurred())
		var left atomic.Int64
		left.Store(calls)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				cl := newClient(p.URL())
				defer cl.c.CloseIdleConnections()
				for left.Add(-1) >= 0 {
					ctx, cancel := context.WithTimeout(context.Background(), leakPatience)
					_, _ = cl.post(ctx, "pay", "0123456789")
					cancel()
				}
			})
		}
		wg.Wait()
		g.Eventually(gate.Idle).WithTimeout(patience).Should(BeClosed())
		g.Expect(gate.Close(context.Background())).To(Succeed())
		s.CloseClientConnections()
		s.mu.Lock()
		clear(s.seen) // what the service remembers is the test's own
		s.mu.Unlock()
	}
	round(500) // pools are filled
	goroutines, sockets, bytes := gleak.Goroutines(), descriptors(t), heap()
	seam.struck.Store(0)
	round(calls)
	g.Expect(seam.struck.Load()).To(BeNumerically(">", calls/2), "most calls met a fault")
	g.Eventually(gleak.Goroutines).WithTimeout(patience).ShouldNot(gleak.HaveLeaked(goroutines))
	g.Eventually(func() int { return descriptors(t) }).WithTimeout(patience).Should(BeNumerically("<=", sockets), "sockets")
	const tolerance = 2 << 20 // 200 bytes a call would be seen
	g.Eventually(heap).WithTimeout(patience).Should(BeNumerically("<", bytes+tolerance), "bytes of the heap")
}

// descriptors counts the open files of this process; 0 where that cannot be told.
func descriptors(t testing.TB) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // what the first one freed from pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
