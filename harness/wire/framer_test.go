package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

// framed is one message as a reader of the stream sees it.
type framed struct {
	line string // method and target, or the status
	body string
	open bool // not complete at the end of the stream
}

// frame runs s through a framer, cut at the given offsets, and checks that the
// pieces add up to s.
func frame(t testing.TB, s string, reply bool, methods []string, cuts ...int) (all []framed, lost bool) {
	t.Helper()
	f := framer{reply: reply, method: func() string {
		n := 0
		for _, m := range all {
			if !strings.HasPrefix(m.line, "1") {
				n++
			}
		}
		if n < len(methods) {
			return methods[n]
		}
		return http.MethodGet
	}}
	var out, head, body strings.Builder
	var line string
	feed := func(p []byte) {
		for len(p) > 0 {
			st, err := f.next(p)
			if st.n <= 0 || st.n > len(p) {
				t.Fatalf("step of %d bytes out of %d", st.n, len(p))
			}
			out.Write(p[:st.n])
			lost = lost || err != nil
			switch st.part {
			case inHead:
				head.Write(p[:st.n])
			case content:
				body.Write(p[:st.n])
			case opaque:
				lost = lost || !f.tunnel
			}
			if st.head && reply {
				line = fmt.Sprint(f.res.StatusCode)
			} else if st.head {
				line = f.req.Method + " " + f.req.RequestURI
			}
			if st.end {
				all = append(all, framed{line: line, body: body.String()})
				line = ""
				head.Reset()
				body.Reset()
			}
			p = p[st.n:]
		}
	}
	from := 0
	for _, c := range append(cuts, len(s)) {
		feed([]byte(s[from:c]))
		from = c
	}
	if out.String() != s {
		t.Fatalf("the pieces add up to %q, not to %q", out.String(), s)
	}
	if f.open() {
		all = append(all, framed{line: line, body: body.String(), open: f.mode != atEOF})
	}
	return all, lost
}

func TestFramer(t *testing.T) {
	for _, c := range []struct {
		name    string
		text    string
		reply   bool
		methods []string
		want    []framed
		lost    bool
	}{
		{name: "length", text: "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", want: []framed{{line: "POST /a", body: "abc"}}},
		{
			name: "pipelined", text: "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\nGET /c HTTP/1.1\r\n\r\n",
			want: []framed{{line: "POST /a", body: "abc"}, {line: "GET /b"}, {line: "GET /c"}},
		},
		{
			name: "chunked with extension and trailer",
			text: "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nab\r\n\r\n0b \r\nhello world\r\n0\r\nT: 1\r\n\r\nGET /b HTTP/1.1\r\n\r\n",
			want: []framed{{line: "POST /a", body: "ab\r\nhello world"}, {line: "GET /b"}},
		},
		{name: "bare line feeds", text: "GET /a HTTP/1.1\nHost: h\n\nGET /b HTTP/1.0\r\n\n", want: []framed{{line: "GET /a"}, {line: "GET /b"}}},
		{name: "line ends between requests", text: "POST /a HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\n\r\nGET /b HTTP/1.1\r\n\r\n", want: []framed{{line: "POST /a", body: "a"}, {line: "GET /b"}}},
		{name: "body that looks like a head", text: "POST /a HTTP/1.1\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n", want: []framed{{line: "POST /a", body: "GET / HTTP/1.1\r\n\r\n"}}},
		{name: "partial head", text: "POST /a HTTP/1.1\r\nContent-Le", want: []framed{{open: true}}},
		{name: "partial body", text: "POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc", want: []framed{{line: "POST /a", body: "abc", open: true}}},
		{name: "no HTTP", text: "\x16\x03\x01\x02\x00\x01\x00\n\n", lost: true},
		{name: "h2c by prior knowledge", text: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00", lost: true},
		{name: "chunk size that is none", text: "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nGET / HTTP/1.1\r\n\r\n", lost: true},
		{name: "chunk longer than it says", text: "POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", lost: true},

		{name: "interim", reply: true, methods: []string{"POST"}, text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok", want: []framed{{line: "100"}, {line: "201", body: "ok"}}},
		{
			name: "replies without a body", reply: true, methods: []string{"HEAD", "GET", "GET", "GET"},
			text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
			want: []framed{{line: "200"}, {line: "204"}, {line: "304"}, {line: "200", body: "x"}},
		},
		{name: "until the end", reply: true, text: "HTTP/1.0 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", want: []framed{{line: "200", body: "HTTP/1.1 200 OK\r\n\r\n"}}},
		{name: "upgrade", reply: true, text: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n\x00\x01HTTP/1.1", want: []framed{{line: "101"}}},
		{name: "tunnel", reply: true, methods: []string{"CONNECT"}, text: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nxy", want: []framed{{line: "200"}}},
		{name: "reply that is none", reply: true, text: "SSH-2.0-x\r\n\r\n", lost: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			for cut := 0; cut <= len(c.text); cut++ {
				got, lost := frame(t, c.text, c.reply, c.methods, cut)
				g.Expect(lost).To(Equal(c.lost), "cut at %d", cut)
				if !c.lost {
					g.Expect(got).To(Equal(c.want), "cut at %d", cut)
				}
			}
			every := make([]int, len(c.text))
			for i := range every {
				every[i] = i
			}
			got, lost := frame(t, c.text, c.reply, c.methods, every...)
			g.Expect(lost).To(Equal(c.lost), "byte by byte")
			if !c.lost {
				g.Expect(got).To(Equal(c.want), "byte by byte")
			}
		})
	}
}

// A head or a chunk line that never ends is given up on, so that no stream
// makes the framer hold more than a bounded number of bytes.
func TestFramerIsBounded(t *testing.T) {
	for name, start := range map[string]string{
		"head":       "GET / HTTP/1.1\r\nA: ",
		"chunk line": "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;",
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			f := framer{}
			_, err := feedAll(&f, []byte(start))
			g.Expect(err).NotTo(HaveOccurred())
			more := bytes.Repeat([]byte("a"), 1<<10)
			for i := 0; i < 2<<10 && err == nil; i++ {
				_, err = feedAll(&f, more)
				g.Expect(cap(f.held)).To(BeNumerically("<=", 2*maxHead))
			}
			g.Expect(err).To(MatchError(errNotHTTP))
		})
	}
}

func feedAll(f *framer, p []byte) (out []byte, err error) {
	for len(p) > 0 {
		s, e := f.next(p)
		out = append(out, p[:s.n]...)
		p = p[s.n:]
		if e != nil {
			err = e
		}
	}
	return out, err
}

// The framer and net/http's own reader find the same messages in random valid
// streams, cut at every byte.
func TestFramerAgreesWithNetHTTP(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		reply := i%2 == 1
		text, methods := randomStream(rng, reply)
		want := readAll(t, text, reply, methods)
		for cut := range len(text) + 1 {
			got, lost := frame(t, text, reply, methods, cut)
			if lost || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("stream %d cut at %d: got %+v (lost %v), net/http reads %+v\n%q", i, cut, got, lost, want, text)
			}
		}
	}
}

// readAll is what net/http makes of a stream.
func readAll(t *testing.T, text string, reply bool, methods []string) (all []framed) {
	t.Helper()
	in := bufio.NewReader(strings.NewReader(text))
	for n := 0; ; {
		if _, err := in.Peek(1); err == io.EOF {
			return all
		}
		var m framed
		var body io.ReadCloser
		if reply {
			r, err := http.ReadResponse(in, &http.Request{Method: methods[n]})
			if err != nil {
				t.Fatal(err)
			}
			m.line, body = fmt.Sprint(r.StatusCode), r.Body
			if r.StatusCode >= 200 {
				n++
			}
		} else {
			r, err := http.ReadRequest(in)
			if err != nil {
				t.Fatal(err)
			}
			m.line, body = r.Method+" "+r.RequestURI, r.Body
		}
		b, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		m.body = string(b)
		all = append(all, m)
	}
}

func randomStream(rng *rand.Rand, reply bool) (text string, methods []string) {
	var b strings.Builder
	n := 1 + rng.IntN(4)
	for i := range n {
		body := randomBody(rng)
		method := []string{"GET", "POST", "PUT", "HEAD", "DELETE"}[rng.IntN(5)]
		methods = append(methods, method)
		chunked := rng.IntN(2) == 0
		if reply {
			status := []int{200, 201, 204, 304, 409, 503}[rng.IntN(6)]
			if rng.IntN(3) == 0 {
				b.WriteString("HTTP/1.1 100 Continue\r\n\r\n")
			}
			fmt.Fprintf(&b, "HTTP/1.1 %d x\r\n", status)
			if method == "HEAD" || status == 204 || status == 304 {
				body, chunked = "", false
				if status != 204 && rng.IntN(2) == 0 {
					b.WriteString("Content-Length: 10\r\n\r\n")
					continue
				}
			} else if i == n-1 && rng.IntN(3) == 0 {
				b.WriteString("Connection: close\r\n\r\n" + body)
				continue
			}
		} else {
			fmt.Fprintf(&b, "%s /%d HTTP/1.1\r\nHost: h\r\n", method, rng.IntN(1000))
		}
		for range rng.IntN(4) {
			fmt.Fprintf(&b, "X-%d:%s%d\r\n", rng.IntN(99), strings.Repeat(" ", rng.IntN(3)), rng.IntN(99))
		}
		if !chunked {
			if body != "" || reply {
				fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
			}
			b.WriteString("\r\n" + body)
			continue
		}
		b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
		for body != "" {
			k := 1 + rng.IntN(len(body))
			ext := []string{"", ";a=b", " ", "; q=\"x\""}[rng.IntN(4)]
			fmt.Fprintf(&b, "%x%s\r\n%s\r\n", k, ext, body[:k])
			body = body[k:]
		}
		b.WriteString([]string{"0\r\n\r\n", "0\r\nX-T: 1\r\n\r\n", "000;z\r\nA: b\r\nC: d\r\n\r\n"}[rng.IntN(3)])
	}
	return b.String(), methods
}

func randomBody(rng *rand.Rand) string {
	if rng.IntN(4) == 0 {
		return ""
	}
	parts := []string{"\r\n", "\n", "\r", "0\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n", "{\"a\":1}", "x"}
	var b strings.Builder
	for range 1 + rng.IntN(12) {
		b.WriteString(parts[rng.IntN(len(parts))])
	}
	return b.String()
}

// Any bytes pass unaltered, however they are cut, and nothing panics.
func FuzzFramer(f *testing.F) {
	f.Add([]byte("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n"), uint16(5), uint16(40), false)
	f.Add([]byte("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"), uint16(45), uint16(50), false)
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), uint16(1), uint16(30), true)
	f.Add([]byte("HTTP/1.0 200 OK\n\nuntil the end"), uint16(17), uint16(18), true)
	f.Add([]byte("\r\n\r\n\x00\xff\n\n"), uint16(1), uint16(2), false)
	f.Fuzz(func(t *testing.T, p []byte, a, b uint16, reply bool) {
		i, j := int(a)%(len(p)+1), int(b)%(len(p)+1)
		if i > j {
			i, j = j, i
		}
		fr := framer{reply: reply}
		var out []byte
		for _, q := range [][]byte{p[:i], p[i:j], p[j:]} {
			o, _ := feedAll(&fr, bytes.Clone(q))
			out = append(out, o...)
		}
		if !bytes.Equal(out, p) {
			t.Fatalf("%q became %q", p, out)
		}
		if len(fr.held) > maxHead {
			t.Fatalf("holds %d bytes", len(fr.held))
		}
	})
}
