package wire

import (
	"bufio"
	"bytes"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// parseRequest reads the head of a request as net/http does.
func parseRequest(text []byte) (*http.Request, error) {
	if r := plainRequest(text); r != nil {
		return r, nil
	}
	buf := read(text)
	defer readers.Put(buf)
	r, err := http.ReadRequest(buf.Reader)
	if err != nil {
		return nil, err
	}
	r.Body = http.NoBody
	return r, nil
}

// parseReply reads the head of the reply to a request of that method.
func parseReply(text []byte, method string) (*http.Response, error) {
	if r := plainReply(text, method); r != nil {
		return r, nil
	}
	buf := read(text)
	defer readers.Put(buf)
	r, err := http.ReadResponse(buf.Reader, &http.Request{Method: method})
	if err != nil {
		return nil, err
	}
	r.Body = http.NoBody
	return r, nil
}

// A reader is what net/http reads heads from. All framers share them.
type reader struct {
	*bufio.Reader
	src bytes.Reader
}

var readers = sync.Pool{New: func() any { return &reader{Reader: bufio.NewReaderSize(nil, 1024)} }}

func read(text []byte) *reader {
	r := readers.Get().(*reader)
	r.src.Reset(text)
	r.Reset(&r.src)
	return r
}

// plainRequest reads a head in which nothing is unusual, in a quarter of
// net/http's time; it is nil for any other. What it reads is what net/http reads.
func plainRequest(text []byte) *http.Request {
	s := string(text)
	line, fields, _ := strings.Cut(s, "\r\n")
	method, rest, ok1 := strings.Cut(line, " ")
	target, proto, ok2 := strings.Cut(rest, " ")
	if !ok1 || !ok2 || proto != "HTTP/1.1" || method == "" || !all(method, upper) || method == http.MethodConnect || method == "PRI" {
		return nil
	}
	u := plainURL(target)
	h, ok := plainFields(fields)
	if u == nil || !ok {
		return nil
	}
	r := &http.Request{
		Method: method, URL: u, RequestURI: target, Proto: proto, ProtoMajor: 1, ProtoMinor: 1,
		Header: h.all, Body: http.NoBody, ContentLength: max(h.length, 0), Close: h.closes,
	}
	if host := h.all["Host"]; len(host) == 1 {
		r.Host = host[0]
		delete(h.all, "Host")
	} else if len(host) > 1 {
		return nil
	}
	if h.chunked {
		r.TransferEncoding, r.ContentLength = []string{"chunked"}, -1
	}
	return r
}

// plainReply is plainRequest of a reply that has a body.
func plainReply(text []byte, method string) *http.Response {
	if method == http.MethodHead || method == http.MethodConnect {
		return nil
	}
	s := string(text)
	line, fields, _ := strings.Cut(s, "\r\n")
	const proto = "HTTP/1.1"
	if !strings.HasPrefix(line, proto+" ") || len(line) < len(proto)+5 {
		return nil
	}
	status := line[len(proto)+1:]
	if !all(status[:3], digit) || status[3] != ' ' || !all(status, printable) || status[4:] != strings.TrimSpace(status[4:]) {
		return nil
	}
	code, _ := strconv.Atoi(status[:3])
	if code < 200 || code == http.StatusNoContent || code == http.StatusNotModified {
		return nil
	}
	h, ok := plainFields(fields)
	if !ok || h.closes || h.length < 0 && !h.chunked {
		return nil
	}
	r := &http.Response{
		Status: status, StatusCode: code, Proto: proto, ProtoMajor: 1, ProtoMinor: 1,
		Header: h.all, Body: http.NoBody, ContentLength: h.length,
	}
	if h.chunked {
		r.TransferEncoding, r.ContentLength = []string{"chunked"}, -1
	}
	return r
}

// plainURL reads a path, perhaps with a query, that needs no unescaping.
func plainURL(target string) *url.URL {
	if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") || !all(target, inTarget) {
		return nil
	}
	path, query, asked := strings.Cut(target, "?")
	return &url.URL{Path: path, RawQuery: query, ForceQuery: asked && query == ""}
}

// header are the fields of a head and what they say about its body.
type header struct {
	all     http.Header
	length  int64 // -1: not stated
	chunked bool
	closes  bool
}

// plainFields reads the fields of a head up to its end.
func plainFields(s string) (header, bool) {
	h := header{length: -1}
	n := strings.Count(s, "\r\n") - 1
	if n < 0 || n > 64 {
		return h, false
	}
	h.all = make(http.Header, n)
	values := make([]string, 0, n)
	for {
		line, rest, ok := strings.Cut(s, "\r\n")
		if !ok {
			return h, false
		}
		if line == "" {
			return h, rest == ""
		}
		s = rest
		name, value, ok := strings.Cut(line, ":")
		value = strings.Trim(value, " \t")
		if !ok || name == "" || !all(name, inName) || !all(value, printable) {
			return h, false
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		if !h.note(name, value) {
			return h, false
		}
		if name == "Transfer-Encoding" {
			continue // net/http takes it out of the header
		}
		if len(h.all[name]) > 0 {
			h.all[name] = append(h.all[name], value)
			continue
		}
		values = append(values, value)
		h.all[name] = values[len(values)-1 : len(values) : len(values)]
	}
}

// note takes in what a field says about the message. It is false when net/http
// had better read it.
func (h *header) note(name, value string) bool {
	switch name {
	case "Content-Length":
		if h.length >= 0 || h.chunked || value == "" || len(value) > 18 || !all(value, digit) {
			return false
		}
		h.length, _ = strconv.ParseInt(value, 10, 64)
	case "Transfer-Encoding":
		if h.length >= 0 || h.chunked || value != "chunked" {
			return false
		}
		h.chunked = true
	case "Connection":
		h.closes = h.closes || strings.EqualFold(value, "close")
		return strings.EqualFold(value, "close") || strings.EqualFold(value, "keep-alive")
	case "Pragma", "Trailer", "Upgrade":
		return false
	}
	return true
}

// class is a set of ASCII characters.
type class uint8

const (
	upper     class = 1 << iota // A to Z
	digit                       // 0 to 9
	inName                      // of a field's name
	inTarget                    // of a path or a query that needs no unescaping
	printable                   // and blanks
)

var classes = func() (t [256]class) {
	for c := ' '; c <= '~'; c++ {
		t[c] |= printable
	}
	t['\t'] |= printable
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		t[c] |= upper | inName | inTarget
	}
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		t[c] |= inName | inTarget
	}
	for _, c := range "0123456789" {
		t[c] |= digit | inName | inTarget
	}
	for _, c := range "-_.~" {
		t[c] |= inName | inTarget
	}
	for _, c := range "/?=&:@$+,;" {
		t[c] |= inTarget
	}
	return t
}()

// all tells whether every character of s is of the class.
func all(s string, c class) bool {
	for i := range len(s) {
		if classes[s[i]]&c == 0 {
			return false
		}
	}
	return true
}
