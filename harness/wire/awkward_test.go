package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// A client that speaks HTTP/2 without TLS, by prior knowledge, is served, and
// its connection is one unknown call in the record.
func TestHTTP2PassesAndIsRecorded(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { fmt.Fprint(w, req.Proto) }))
	service.Config.Protocols = new(http.Protocols)
	service.Config.Protocols.SetHTTP1(true)
	service.Config.Protocols.SetUnencryptedHTTP2(true)
	service.Start()
	defer service.Close()
	defer service.CloseClientConnections()
	p, err := r.g.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-2", Service: "approval", Upstream: service.Listener.Addr().String()})
	g.Expect(err).NotTo(HaveOccurred())
	tr := &http.Transport{Protocols: new(http.Protocols)}
	tr.Protocols.SetUnencryptedHTTP2(true)
	defer tr.CloseIdleConnections()
	r.seam.at("unknown#1 sent", fault.Order{Action: fault.Reset}) // a connection that is no HTTP/1 has no phase
	for range 2 {
		res, err := (&http.Client{Transport: tr}).Get(p.URL() + "/pay")
		g.Expect(err).NotTo(HaveOccurred())
		b, err := io.ReadAll(res.Body)
		res.Body.Close()
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(string(b)).To(Equal("HTTP/2.0"))
	}
	tr.CloseIdleConnections()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	sent := r.records(history.CallSent)
	g.Expect(sent).To(HaveLen(1))
	g.Expect(sent[0].Wire.Operation).To(Equal("unknown"))
	g.Expect(r.seam.asked()).NotTo(ContainElement("unknown#1 sent"))
}

// A client that speaks TLS, or anything else that no HTTP begins with, gets its
// answer at once, and not only when it has ended its side.
func TestForeignBytesAreNotWaitedFor(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	g.Expect(err).NotTo(HaveOccurred())
	defer ln.Close()
	go func() {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		_, _ = io.Copy(c, c)
	}()
	p, err := r.g.Open(t.Context(), wire.Door{Task: "t-1", Work: "w-2", Service: "approval", Upstream: ln.Addr().String()})
	g.Expect(err).NotTo(HaveOccurred())
	c, err := net.Dial("tcp", strings.TrimPrefix(p.URL(), "http://"))
	g.Expect(err).NotTo(HaveOccurred())
	defer c.Close()
	g.Expect(c.SetDeadline(time.Now().Add(patience))).To(Succeed())
	for _, said := range []string{"\x16\x03\x01\x02\x00\x01", "HTTP/1.1 and more"} {
		_, err = io.WriteString(c, said)
		g.Expect(err).NotTo(HaveOccurred())
		b := make([]byte, len(said))
		_, err = io.ReadFull(c, b)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(string(b)).To(Equal(said))
	}
	c.Close()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.records(history.CallSent)).To(HaveLen(1))
	g.Expect(r.records(history.CallSent)[0].Wire.Operation).To(Equal("unknown"))
}

// Replies that have no body by their nature end where they should: what follows
// on the connection is another reply. A fault strikes one of them alone.
func TestRepliesWithoutABody(t *testing.T) {
	for _, c := range []struct {
		method string
		status int
	}{{"HEAD", 200}, {"GET", 204}, {"GET", 304}, {"POST", 204}} {
		t.Run(fmt.Sprint(c.method, c.status), func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			r.service.reply = func(w http.ResponseWriter, req *http.Request, _ []byte) {
				if c.method == "HEAD" {
					w.Header().Set("Content-Length", "5")
				}
				w.WriteHeader(c.status)
			}
			r.seam.at("pay#3 replied", fault.Order{Action: fault.Reset})
			conn := r.dial()
			in := bufio.NewReader(conn)
			for n := 1; n <= 3; n++ {
				_, err := fmt.Fprintf(conn, "%s /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", c.method)
				g.Expect(err).NotTo(HaveOccurred())
				res, err := http.ReadResponse(in, &http.Request{Method: c.method})
				if n == 3 {
					g.Expect(class(err)).To(Or(Equal("reset"), Equal("cut short")))
					break
				}
				g.Expect(err).NotTo(HaveOccurred())
				g.Expect(res.StatusCode).To(Equal(c.status))
			}
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			for n := 1; n <= 2; n++ {
				g.Expect(r.call("pay", n)).To(Equal(whole(0)))
			}
			g.Expect(r.call("pay", 3)).To(Equal([]string{"sent", "forwarded", "replied"}))
		})
	}
}

// Very large bodies stream in both directions: they are never held whole. The
// planned fault makes the gate gather what it gathers at most.
func TestVeryLargeBodiesAreNotHeld(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	const size = 256 << 20
	r.service.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		n, _ := io.Copy(io.Discard, req.Body)
		w.Header().Set("Content-Length", fmt.Sprint(n))
		_, _ = io.CopyN(w, zeros{}, n)
	})
	r.seam.at("pay#1 sent", fault.Order{Action: fault.Garble})
	r.seam.at("pay#1 replied", fault.Order{Action: fault.Garble})
	before := heap()
	var most uint64
	res, err := http.Post(r.proxy.URL()+"/pay", "text/plain", watched{io.LimitReader(zeros{}, size), &most})
	g.Expect(err).NotTo(HaveOccurred())
	n, err := io.Copy(io.Discard, watched{res.Body, &most})
	res.Body.Close()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(n).To(BeNumerically("==", size))
	g.Expect(most-min(most, before)).To(BeNumerically("<", 64<<20), "bytes of the heap at most")
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// watched looks at the heap now and then while it is read.
type watched struct {
	io.Reader
	most *uint64
}

func (w watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	var m runtime.MemStats
	if n > 0 && p[0] == p[n-1] && n < len(p) || err != nil {
		runtime.ReadMemStats(&m)
		*w.most = max(*w.most, m.HeapAlloc)
	}
	return n, err
}

// An HTTP/1.0 client that asks to keep its connection, and one that closes it
// after each reply, get theirs.
func TestHTTP10(t *testing.T) {
	for _, connection := range []string{"keep-alive", "close"} {
		t.Run(connection, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			conn := r.dial()
			_, err := fmt.Fprintf(conn, "POST /pay HTTP/1.0\r\nConnection: %s\r\nContent-Length: 1\r\n\r\nx", connection)
			g.Expect(err).NotTo(HaveOccurred())
			in := bufio.NewReader(conn)
			res, err := http.ReadResponse(in, nil)
			g.Expect(err).NotTo(HaveOccurred())
			b, err := io.ReadAll(res.Body)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(string(b)).To(Equal("pay:x"))
			g.Expect(res.Close).To(Equal(connection == "close"))
			if connection == "close" {
				_, err = in.ReadByte()
				g.Expect(err).To(Equal(io.EOF))
			}
			conn.Close()
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.call("pay", 1)).To(Equal(whole(5)))
		})
	}
}

// A client that resets its connection while its request is held has sent it all
// the same: it arrives, once.
func TestClientResetsWhileItsRequestIsHeld(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	release := make(chan struct{})
	fired := r.seam.at("pay#1 sent", fault.Order{Wait: release})
	conn := r.dial()
	_, err := io.WriteString(conn, "POST /pay HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
	g.Expect(err).NotTo(HaveOccurred())
	<-fired
	g.Expect(net.Conn(conn).(*net.TCPConn).SetLinger(0)).To(Succeed())
	conn.Close()
	g.Eventually(func() []string { return r.ends("conn-1") }).WithTimeout(patience).Should(Equal([]string{"client rst"}))
	g.Expect(r.service.count("pay")).To(BeZero())
	close(release)
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(strings.Join(r.service.bodies("pay"), " ")).To(Equal("abc"))
}
