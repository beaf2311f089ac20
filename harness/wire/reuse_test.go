package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// keeping is a dialect whose facts keep the strings that it is given.
type keeping struct{}

func (keeping) Operation(_ string, r *http.Request) string { return r.URL.Path[1:] }

func (keeping) Request(_, _ string, r *http.Request, _ []byte) *history.Facts {
	return &history.Facts{Key: r.Header.Get("Idempotency-Key"), Object: r.Header.Get("X-Own"), Digest: r.URL.RawQuery, Listed: len(r.Header["X-Odd"]) > 0}
}

func (keeping) Reply(_, _ string, _ int, h http.Header, _ []byte) *history.Facts {
	return &history.Facts{Ref: h.Get("X-Ref"), Listed: len(h["X-Odd"]) > 0}
}

// The gate reads one message after the other into the same room. What it has
// recorded of one stays as it was, whatever the next ones on the connection are,
// also where a service answers a request of which it has not got all.
func TestRecordsOutliveTheirMessages(t *testing.T) {
	const conns, calls, long = 4, 60, 70_000 // a body so long is not gathered
	g := NewWithT(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	var services sync.WaitGroup
	defer services.Wait()
	defer ln.Close()
	services.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			services.Go(func() { answerEarly(c) })
		}
	})
	log := history.NewLog(nil)
	gateway := wire.New(wire.Config{Log: log, Dialect: keeping{}})
	defer func() { g.Expect(gateway.Close(t.Context())).To(Succeed()) }()
	p, err := gateway.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "any", Upstream: ln.Addr().String()})
	g.Expect(err).NotTo(HaveOccurred())

	var clients sync.WaitGroup
	for n := range conns {
		clients.Go(func() {
			c, err := net.Dial("tcp", strings.TrimPrefix(p.URL(), "http://"))
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			replies := bufio.NewReader(c)
			for i := range calls {
				id := fmt.Sprintf("%d-%d", n, i)
				body, odd := "b-"+id, ""
				if i%2 == 1 {
					body, odd = body+strings.Repeat(".", long), "X-Odd: 1\r\n"
				}
				head := fmt.Sprintf("POST /op-%s?q-%s HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k-%s\r\n%sX-Own: o-%s\r\nContent-Length: %d\r\n\r\n", id, id, id, odd, id, len(body))
				begin := min(len(body), long/10)
				_, _ = io.WriteString(c, head+body[:begin])
				sent := make(chan struct{})
				rest := func() {
					_, _ = io.WriteString(c, body[begin:])
					close(sent)
				}
				if i%4 == 3 {
					go rest() // while the reply comes
				}
				res, err := http.ReadResponse(replies, nil)
				if err != nil {
					t.Errorf("call %s: %v", id, err)
					return
				}
				got, err := io.ReadAll(res.Body)
				if err != nil || string(got) != "r-"+id {
					t.Errorf("call %s: got %q, %v", id, got, err)
				}
				if i%4 != 3 {
					rest()
				}
				<-sent
			}
		})
	}
	clients.Wait()

	byCall := map[string]map[history.Kind]history.Record{}
	digests := map[string]string{}
	for _, r := range log.Records() {
		if r.Call == "" {
			continue
		}
		of := byCall[r.Wire.Operation]
		if of == nil {
			of = map[history.Kind]history.Record{}
			byCall[r.Wire.Operation] = of
		}
		of[r.Kind] = r
	}
	g.Expect(byCall).To(HaveLen(conns * calls))
	for op, of := range byCall {
		id := strings.TrimPrefix(op, "op-")
		_, nth, _ := strings.Cut(id, "-")
		i, err := strconv.Atoi(nth)
		g.Expect(err).NotTo(HaveOccurred())
		sent, replied := of[history.CallSent], of[history.CallReplied]
		g.Expect(sent.Wire.Method+" "+sent.Wire.Path+" "+sent.Wire.Key).To(Equal("POST /op-"+id+"?q-"+id+" k-"+id), op)
		g.Expect(sent.Wire.Seq).To(Equal(i+1), op)
		g.Expect(strings.TrimRight(sent.Wire.Body, ".")).To(Equal("b-"+id), op)
		g.Expect(sent.Facts).To(Equal(&history.Facts{Key: "k-" + id, Object: "o-" + id, Digest: "q-" + id, Listed: i%2 == 1}), op)
		if i%4 == 1 {
			g.Expect(sent.Wire.Whole).To(BeFalse(), op)
		}
		g.Expect(digests[sent.Wire.Digest]).To(BeEmpty(), op)
		digests[sent.Wire.Digest] = op
		g.Expect(replied.Wire.Body).To(Equal("r-"+id), op)
		g.Expect(replied.Wire.Whole).To(BeTrue(), op)
		g.Expect(replied.Wire.Status).To(Equal(200+i%2), op)
		g.Expect(replied.Facts).To(Equal(&history.Facts{Ref: "x-" + id, Listed: i%2 == 1}), op)
		g.Expect(of).To(HaveKey(history.CallPassed), op)
	}
}

// answerEarly answers each request of a connection when it has its head.
func answerEarly(c net.Conn) {
	defer c.Close()
	requests := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(requests)
		if err != nil {
			return
		}
		id, status, odd := strings.TrimPrefix(r.URL.Path, "/op-"), 200, ""
		if r.Header.Get("X-Odd") != "" {
			status, odd = 201, "X-Odd: 1\r\n"
		}
		_, _ = fmt.Fprintf(c, "HTTP/1.1 %d OK\r\n%sX-Ref: x-%s\r\nContent-Length: %d\r\n\r\nr-%s", status, odd, id, len(id)+2, id)
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
	}
}
