package wire

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Whatever the bytes are, HTTP or not, whole or broken, both sides get exactly
// what the other one wrote.
func TestAnyBytesPass(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	g := New(Config{Log: history.NewLog(nil)})
	defer func() {
		if err := g.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	p, err := g.Open(t.Context(), Door{Task: "t-1", Work: "w-1", Service: "any", Upstream: ln.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		request, _ := randomStream(rng, false)
		reply, _ := randomStream(rng, true)
		up, down := spoil(rng, request), spoil(rng, reply)
		client, err := net.Dial("tcp", strings.TrimPrefix(p.URL(), "http://"))
		if err != nil {
			t.Fatal(err)
		}
		service, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan []byte)
		go func() { got <- exchange(rng.Uint64(), service, down) }()
		read := exchange(uint64(i), client, up)
		if b := <-got; !bytes.Equal(b, up) {
			t.Fatalf("stream %d: the service got %q of %q", i, b, up)
		}
		if !bytes.Equal(read, down) {
			t.Fatalf("stream %d: the client got %q of %q\nafter %q", i, read, down, up)
		}
	}
	if n := g.Busy(); n > 0 {
		<-g.Idle()
	}
}

// exchange writes p in pieces, ends its direction, and returns what came.
func exchange(seed uint64, c net.Conn, p []byte) []byte {
	defer c.Close()
	rng := rand.New(rand.NewPCG(seed, 0))
	for len(p) > 0 {
		n := 1 + rng.IntN(len(p))
		_, _ = c.Write(p[:n])
		p = p[n:]
	}
	_ = c.(*net.TCPConn).CloseWrite()
	b, _ := io.ReadAll(c)
	return b
}

// spoil changes, cuts or leaves a stream.
func spoil(rng *rand.Rand, s string) []byte {
	p := []byte(s)
	switch rng.IntN(4) {
	case 0:
		p[rng.IntN(len(p))] = byte(rng.IntN(256))
	case 1:
		p = p[:1+rng.IntN(len(p))]
	case 2:
		p = append(p[:rng.IntN(len(p))], byte(rng.IntN(256)), '\n', '\n', 0)
	}
	return p
}
