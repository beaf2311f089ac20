package wire

import (
	"bufio"
	"bytes"
	"net/http"
	"testing"

	. "github.com/onsi/gomega"
)

// What is read the short way is exactly what net/http reads.
func FuzzPlainHead(f *testing.F) {
	for _, head := range []string{
		"POST /v1/approvals HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: Go-http-client/1.1\r\nContent-Length: 100\r\nContent-Type: application/json\r\nIdempotency-Key: k-1\r\nAccept-Encoding: gzip\r\n\r\n",
		"GET /v1/approvals?key=a-1&x= HTTP/1.1\r\nhost: h\r\naccept: */*\r\nconnection: close\r\n\r\n",
		"GET /? HTTP/1.1\r\nHost:h\r\nCookie: a=b\r\ncookie:\tc=d \r\n\r\n",
		"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n",
		"GET //a/b HTTP/1.1\r\n\r\n", "GET /a%20b HTTP/1.1\r\n\r\n", "GET http://h/a HTTP/1.1\r\n\r\n",
		"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n",
		"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
		"GET / HTTP/1.1\r\nPragma: no-cache\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\nA b: c\r\n\r\n",
		"HTTP/1.1 200 OK\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Length: 12\r\nContent-Type: application/json\r\n\r\n",
		"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n",
		"HTTP/1.1 200 \r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "HTTP/1.1 101 x\r\nUpgrade: y\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n",
	} {
		f.Add([]byte(head))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		g := NewWithT(t)
		d := used()
		if r := d.plainRequest(p); r != nil {
			src := bufio.NewReader(bytes.NewReader(p))
			want, err := http.ReadRequest(src)
			g.Expect(err).NotTo(HaveOccurred(), "%q", p)
			g.Expect(src.Buffered()).To(BeZero(), "%q", p)
			want.Body, r.Pattern = http.NoBody, want.Pattern
			g.Expect(r).To(Equal(want), "%q", p)
		}
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodHead} {
			r := d.plainReply(p, method)
			if r == nil {
				continue
			}
			src := bufio.NewReader(bytes.NewReader(p))
			want, err := http.ReadResponse(src, &http.Request{Method: method})
			g.Expect(err).NotTo(HaveOccurred(), "%q", p)
			want.Body, want.Request = http.NoBody, nil
			g.Expect(r).To(Equal(want), "%q", p)
		}
	})
}

// used is a room in which everything has been read that can be.
func used() *headRoom {
	d := new(headRoom)
	fields := "A: 1\r\nB: 2\r\nC: 3\r\nC: 4\r\nHost: h\r\nDate: now\r\nContent-Type: t\r\nConnection: keep-alive\r\nRetry-After: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
	if d.plainReply([]byte("HTTP/1.1 503 No\r\n"+fields), http.MethodGet) == nil ||
		d.plainRequest([]byte("POST /used?really HTTP/1.1\r\nConnection: close\r\n"+fields)) == nil {
		panic("these heads are plain")
	}
	return d
}

// The heads of real clients and services are read the short way.
func TestPlainHead(t *testing.T) {
	for name, head := range map[string]string{
		"Go":                 "POST /v1/approvals HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Go-http-client/1.1\r\nContent-Length: 10\r\nContent-Type: application/json\r\nIdempotency-Key: k\r\nAccept-Encoding: gzip\r\n\r\n",
		"curl":               "GET /v1/approvals?key=k-1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n\r\n",
		"urllib":             "POST / HTTP/1.1\r\nAccept-Encoding: identity\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 4\r\nHost: 127.0.0.1:8080\r\nUser-Agent: Python-urllib/3.11\r\nConnection: close\r\n\r\n",
		"Node's fetch":       "POST / HTTP/1.1\r\nhost: 127.0.0.1:8080\r\nconnection: keep-alive\r\ncontent-type: text/plain;charset=UTF-8\r\naccept: */*\r\naccept-language: *\r\nsec-fetch-mode: cors\r\nuser-agent: node\r\naccept-encoding: gzip, deflate\r\ncontent-length: 4\r\n\r\n",
		"net/http's service": "",
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			if head == "" {
				g.Expect(new(headRoom).plainReply([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Length: 2\r\n\r\n"), "POST")).NotTo(BeNil())
				return
			}
			g.Expect(new(headRoom).plainRequest([]byte(head))).NotTo(BeNil())
		})
	}
}
