package wire_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

func TestExpectContinue(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	cl := r.client() // waits a minute for the interim reply
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, cl.url+"/pay", strings.NewReader("body"))
	g.Expect(err).NotTo(HaveOccurred())
	req.Header.Set("Expect", "100-continue")
	began := time.Now()
	res, err := cl.c.Do(req)
	g.Expect(err).NotTo(HaveOccurred())
	b, err := io.ReadAll(res.Body)
	res.Body.Close()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(b)).To(Equal("pay:body"))
	g.Expect(time.Since(began)).To(BeNumerically("<", 50*time.Second), "the interim reply did not pass")
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.call("pay", 1)).To(Equal(whole(8)))
	g.Expect(r.sentBy("pay", 1).Wire.Body).To(Equal("body"))
	g.Expect(r.seam.asked()).To(Equal([]string{"pay#1 sent", "pay#1 replied"}))
}

// A service that answers before it has the whole request is recorded after what
// the client had sent by then.
func TestEarlyReply(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusExpectationFailed)
	})
	c := r.dial()
	_, err := io.WriteString(c, "POST /pay HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
	g.Expect(err).NotTo(HaveOccurred())
	read(t, c)
	c.Close()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.call("pay", 1)).To(Equal([]string{"sent part", "replied", "passing 3", "passed 3"}))
}

// Pipelined requests, cut at every byte, pass unaltered and are recorded in order.
func TestPipelined(t *testing.T) {
	const text = "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc" +
		"HEAD /b HTTP/1.1\r\nHost: h\r\n\r\n" +
		"POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nxyz\r\n2\r\n--\r\n0\r\nT: 1\r\n\r\n" +
		"GET /none HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, req *http.Request, body []byte) {
		if req.URL.Path == "/none" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, _ = w.Write(body)
		w.(http.Flusher).Flush() // a chunked reply
		_, _ = w.Write(body)
	}
	c := r.dial()
	for i := range text {
		_, err := io.WriteString(c, text[i:i+1])
		g.Expect(err).NotTo(HaveOccurred())
	}
	in := bufio.NewReader(c)
	for _, want := range []struct {
		method string
		status int
		body   string
	}{{"POST", 200, "abcabc"}, {"HEAD", 200, ""}, {"POST", 200, "xyz--xyz--"}, {"GET", 204, ""}} {
		res, err := http.ReadResponse(in, &http.Request{Method: want.method})
		g.Expect(err).NotTo(HaveOccurred())
		b, err := io.ReadAll(res.Body)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(res.StatusCode).To(Equal(want.status))
		g.Expect(string(b)).To(Equal(want.body))
	}
	_, err := in.ReadByte()
	g.Expect(err).To(Equal(io.EOF))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	var paths []string
	for i, rec := range r.records(history.CallSent) {
		g.Expect(rec.Wire.Seq).To(Equal(i + 1))
		paths = append(paths, rec.Wire.Path+" "+rec.Wire.Body)
	}
	g.Expect(paths).To(Equal([]string{"/a abc", "/b ", "/c xyz--", "/none "}))
	for op, size := range map[string]int{"a": 6, "b": 0, "c": 10, "none": 0} {
		g.Expect(r.call(op, 1)).To(ConsistOf(toAny(whole(size))...))
	}
}

// HTTP/1.0 with a body that lasts until the end, short and long.
func TestUntilTheEnd(t *testing.T) {
	for _, size := range []int{5, 300 << 10} {
		for _, action := range []fault.Action{fault.Pass, fault.Truncate, fault.Garble} {
			t.Run(fmt.Sprint(size, action), func(t *testing.T) {
				g := NewWithT(t)
				r := newRig(t)
				r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
					_, _ = w.Write(bytes.Repeat([]byte("y"), size))
					w.(http.Flusher).Flush()
				}
				r.seam.at("pay#1 replied", fault.Order{Action: action, Bytes: 3})
				c := r.dial()
				_, err := io.WriteString(c, "GET /pay HTTP/1.0\r\n\r\n")
				g.Expect(err).NotTo(HaveOccurred())
				res, err := http.ReadResponse(bufio.NewReader(c), nil)
				g.Expect(err).NotTo(HaveOccurred())
				g.Expect(res.ContentLength).To(Equal(int64(-1)))
				b, err := io.ReadAll(res.Body)
				g.Expect(err).NotTo(HaveOccurred())
				want := map[fault.Action]string{fault.Pass: strings.Repeat("y", size), fault.Truncate: "yyy", fault.Garble: strings.Repeat("#", size)}[action]
				g.Expect(string(b) == want).To(BeTrue())
				c.Close()
				g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
				g.Expect(r.call("pay", 1)).To(ContainElement(HavePrefix(fmt.Sprintf("passed %d", len(want)))))
			})
		}
	}
}

// A client that ends its own direction still gets the reply.
func TestHalfClose(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, req *http.Request, body []byte) {
		<-req.Context().Done() // the end of the client's direction has reached the service
		_, _ = w.Write(append([]byte("pay:"), body...))
	}
	c := r.dial()
	ask(t, c, "pay")
	g.Expect(c.CloseWrite()).To(Succeed())
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	g.Expect(err).NotTo(HaveOccurred())
	b, err := io.ReadAll(res.Body)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(b)).To(Equal("pay:x"))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	if runtime.GOOS == "linux" {
		ended := r.records(history.ConnEnded)[0].Wire
		g.Expect([]any{ended.By, ended.How, ended.Half}).To(Equal([]any{"client", "fin", true}), "it may read on")
		g.Expect(judge.Deliveries(r.log.Records())).To(Equal(map[string]string{"c-1": judge.Ambiguous}))
	}
}

// Large bodies stream in both directions; their phase comes at 64 KiB.
func TestLargeBodies(t *testing.T) {
	for _, action := range []fault.Action{fault.Pass, fault.Garble, fault.Truncate} {
		t.Run("reply "+string(action), func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			r.seam.at("pay#1 replied", fault.Order{Action: action, Bytes: 1 << 20})
			const size = 4 << 20
			body := strings.Repeat("x", size)
			answer, problem := r.client().post(t.Context(), "pay", body)
			given := size + 4
			want := "pay:" + body
			switch action {
			case fault.Truncate:
				given = 1 << 20
				want = want[:given]
				g.Expect(problem).To(Equal("cut short"))
			case fault.Garble:
				want = strings.Repeat("#", given)
			default:
			}
			g.Expect(answer == want).To(BeTrue())
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.sentBy("pay", 1).Wire.Whole).To(BeTrue())
			g.Expect(r.sentBy("pay", 1).Wire.Size).To(BeNumerically(">", size))
			g.Expect(r.call("pay", 1)).To(ContainElements("replied part", HavePrefix(fmt.Sprintf("passed %d", given))))
		})
	}
	for _, order := range []fault.Order{{Action: fault.Reset}, {Action: fault.Truncate, Bytes: 100 << 10}, {Action: fault.Close}} {
		t.Run("request "+string(order.Action), func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			r.seam.at("pay#1 sent", order)
			_, problem := r.client().post(t.Context(), "pay", strings.Repeat("x", 4<<20))
			g.Expect(problem).NotTo(BeEmpty())
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.service.count("pay")).To(BeZero())
			g.Expect(r.sentBy("pay", 1).Wire.Whole).To(BeFalse())
		})
	}
}

// Truncation falls where it was ordered, also inside a chunk and between two.
func TestTruncateChunked(t *testing.T) {
	const all = "4\r\n0123\r\n4\r\n4567\r\n4\r\n89ab\r\n0\r\n\r\n"
	for n, want := range []string{
		"", "4\r\n0", "4\r\n01", "4\r\n012", "4\r\n0123", "4\r\n0123\r\n4\r\n4", "4\r\n0123\r\n4\r\n45", "4\r\n0123\r\n4\r\n456",
		"4\r\n0123\r\n4\r\n4567", "4\r\n0123\r\n4\r\n4567\r\n4\r\n8", "4\r\n0123\r\n4\r\n4567\r\n4\r\n89",
		"4\r\n0123\r\n4\r\n4567\r\n4\r\n89a", "4\r\n0123\r\n4\r\n4567\r\n4\r\n89ab", all,
	} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
				for _, part := range []string{"0123", "4567", "89ab"} {
					_, _ = io.WriteString(w, part)
					w.(http.Flusher).Flush()
				}
			}
			r.seam.at("pay#1 replied", fault.Order{Action: fault.Truncate, Bytes: n})
			c := r.dial()
			ask(t, c, "pay")
			b, err := io.ReadAll(c)
			g.Expect(err).NotTo(HaveOccurred())
			_, body, _ := strings.Cut(string(b), "\r\n\r\n")
			g.Expect(body).To(Equal(want))
			if given := fmt.Sprintf("passed %d", min(n, 12)); want != all {
				g.Expect(r.call("pay", 1)).To(ContainElement(given + " part"))
			} else {
				g.Expect(r.call("pay", 1)).To(ContainElement(given))
			}
		})
	}
}

// What is no HTTP passes as it is, and is one unknown call.
func TestNoHTTP(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	c := r.dial()
	_, err := io.WriteString(c, "\x16\x03\x01 hello\n\n")
	g.Expect(err).NotTo(HaveOccurred())
	b, err := io.ReadAll(c)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(b)).To(HavePrefix("HTTP/1.1 400 Bad Request"))
	c.Close()
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	sent := r.sentBy("unknown", 1)
	g.Expect(sent.Wire.Whole).To(BeFalse())
	g.Expect(sent.Wire.Method).To(BeEmpty())
}

// An upgrade and what follows it pass in both directions.
func TestUpgrade(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c, rw, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		line, _ := rw.ReadString('\n')
		_, _ = io.WriteString(c, line)
	})
	c := r.dial()
	_, err := io.WriteString(c, "GET /up HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	g.Expect(err).NotTo(HaveOccurred())
	in := bufio.NewReader(c)
	res, err := http.ReadResponse(in, nil)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(res.StatusCode).To(Equal(101))
	_, err = io.WriteString(c, "GET /no HTTP/1.1 request\n")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(in.ReadString('\n')).To(Equal("GET /no HTTP/1.1 request\n"))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	g.Expect(r.records(history.CallSent)).To(HaveLen(1))
	g.Expect(r.call("up", 1)).To(Equal(whole(0)))
}

// A request that its client did not finish is recorded and reaches the service
// as it is.
func TestPartialRequest(t *testing.T) {
	for name, text := range map[string]string{
		"head": "POST /pay HTTP/1.1\r\nHo",
		"body": "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc",
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			c := r.dial()
			_, err := io.WriteString(c, text)
			g.Expect(err).NotTo(HaveOccurred())
			c.Close()
			g.Eventually(func() []history.Record { return r.records(history.CallSent) }).WithTimeout(patience).Should(HaveLen(1))
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			sent := r.records(history.CallSent)[0]
			g.Expect(sent.Wire.Whole).To(BeFalse())
			g.Expect(sent.Wire.Size).To(BeNumerically("==", len(text)))
			g.Expect(r.service.count("pay")).To(BeZero())
			g.Expect(r.seam.asked()).NotTo(ContainElement(HaveSuffix("sent")))
		})
	}
}

// A service that resets its connection resets the client's; one that ends it in
// the middle of a reply ends the client's there.
func TestServiceEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		does   func(c *net.TCPConn)
		client string
		record []string
		how    string
	}{
		{"reset", func(c *net.TCPConn) { c.SetLinger(0) }, "reset", []string{"sent", "forwarded"}, history.HowRST},
		{"fin", func(*net.TCPConn) {}, "closed", []string{"sent", "forwarded"}, history.HowFIN},
		{"short", func(c *net.TCPConn) {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
		}, "cut short", []string{"sent", "forwarded", "replied part", "passing 3 part", "passed 3 part"}, history.HowFIN},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			r := newRig(t)
			r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) {
				conn, _, err := w.(http.Hijacker).Hijack()
				if err != nil {
					panic(err)
				}
				c.does(conn.(*net.TCPConn))
				conn.Close()
			}
			_, problem := r.client().post(t.Context(), "pay", "x")
			g.Expect(problem).To(Equal(c.client))
			g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
			g.Expect(r.call("pay", 1)).To(Equal(c.record))
			ended := r.records(history.ConnEnded)
			g.Expect(ended[0].Wire.By).To(Equal(history.ByService))
			g.Expect(ended[0].Wire.How).To(Equal(c.how))
		})
	}
}

// Hang is silent even when the service ends its connection after the reply.
func TestHangIsSilent(t *testing.T) {
	g := NewWithT(t)
	r := newRig(t)
	r.service.reply = func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.Header().Set("Connection", "close") }
	r.seam.at("pay#1 replied", fault.Order{Action: fault.Hang})
	c := r.dial()
	ask(t, c, "pay")
	g.Eventually(func() []history.Record { return r.records(history.ConnEnded) }).WithTimeout(patience).Should(HaveLen(1))
	g.Expect(r.records(history.ConnEnded)[0].Wire.By).To(Equal(history.ByService))
	g.Eventually(r.g.Idle).WithTimeout(patience).Should(BeClosed())
	// The client's socket is still open and empty: a read only runs into its deadline.
	c.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err := c.Read(make([]byte, 1))
	g.Expect(class(err)).To(Equal("gave up"))
	// What it sends is recorded, and goes nowhere.
	ask(t, c, "list")
	c.Close()
	g.Eventually(func() []string { return r.call("list", 1) }).WithTimeout(patience).Should(Equal([]string{"sent"}))
	g.Expect(r.service.count("list")).To(BeZero())
}

func toAny(s []string) []any {
	all := make([]any, len(s))
	for i := range s {
		all[i] = s[i]
	}
	return all
}
