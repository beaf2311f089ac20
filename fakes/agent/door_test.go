package agent

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

// resetting serves requests on kept connections and resets each connection
// when its second request has arrived. It counts the requests.
func resetting(t *testing.T) (url string, arrived *atomic.Int32) {
	arrived = new(atomic.Int32)
	type seen struct{ n int }
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		arrived.Add(1)
		s := r.Context().Value(seen{}).(*seen)
		if s.n++; s.n == 1 {
			_, _ = rw.Write([]byte("{}"))
			return
		}
		conn, _, err := rw.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}))
	server.Config.ConnContext = func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, seen{}, &seen{})
	}
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, arrived
}

func TestEachCallIsSentOnce(t *testing.T) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for name, resend := range map[string]bool{"kept": false, "as net/http likes": true} {
			t.Run(method+" "+name, func(t *testing.T) {
				g := NewWithT(t)
				url, arrived := resetting(t)
				d := newDoor()
				d.resend = resend
				defer d.close()
				r := request{method: method, url: url}
				if method == http.MethodPost {
					r.key, r.body = "k-1", []byte(`{"a":1}`)
				}
				g.Expect(d.call(context.Background(), r).err).NotTo(HaveOccurred())
				again := d.call(context.Background(), r)
				if resend {
					g.Expect(again.err).NotTo(HaveOccurred(), "the library has hidden the reset")
					g.Expect(arrived.Load()).To(Equal(int32(3)))
					return
				}
				g.Expect(again.err).To(HaveOccurred())
				g.Expect(again.left).To(BeTrue())
				g.Expect(arrived.Load()).To(Equal(int32(2)), "the connection was reused, and nothing was sent twice")
			})
		}
	}
}

func TestARefusedDialLeavesNothing(t *testing.T) {
	g := NewWithT(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	url := "http://" + l.Addr().String()
	g.Expect(l.Close()).To(Succeed())
	r := newDoor().call(context.Background(), request{method: http.MethodPost, url: url, body: []byte("{}")})
	g.Expect(r.err).To(HaveOccurred())
	g.Expect(r.left).To(BeFalse())
}

// overWhen is a context whose time is over when the channel is closed.
type overWhen struct {
	context.Context
	over chan struct{}
}

func (o overWhen) Done() <-chan struct{} { return o.over }

func (o overWhen) Err() error {
	select {
	case <-o.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestAnAttemptEndsWithItsTime(t *testing.T) {
	g := NewWithT(t)
	release, over := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { close(over); <-release }))
	defer server.Close()
	defer close(release)
	r := newDoor().call(overWhen{t.Context(), over}, request{method: http.MethodGet, url: server.URL})
	g.Expect(r.timeout).To(BeTrue())
	g.Expect(r.left).To(BeTrue())
}

func TestRetryAfter(t *testing.T) {
	g := NewWithT(t)
	h := http.Header{}
	g.Expect(retryAfter(h)).To(BeZero())
	h.Set("Retry-After", "2")
	g.Expect(retryAfter(h)).To(Equal(2 * time.Second))
	h.Set("Retry-After-Ms", "12.5")
	g.Expect(retryAfter(h)).To(Equal(12500 * time.Microsecond))
}
