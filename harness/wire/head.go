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

// A headRoom is room in which the heads of one direction are read, one after the
// other: what was read last is overwritten by the next. The strings in it are
// not, they may be kept. The zero value is ready for use.
type headRoom struct {
	request http.Request
	url     url.URL
	reply   http.Response
	fields  http.Header
	values  [8]string
	coding  [1]string
}

// maxReused bounds the heads that are read in room which is kept for the next,
// and so what a connection keeps of the last one while nothing comes.
const maxReused = 4 << 10

// parseRequest reads the head of a request as net/http does.
func (d *headRoom) parseRequest(text []byte) (*http.Request, error) {
	if len(text) > maxReused {
		d = new(headRoom)
	}
	if r := d.plainRequest(text); r != nil {
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
func (d *headRoom) parseReply(text []byte, method string) (*http.Response, error) {
	if len(text) > maxReused {
		d = new(headRoom)
	}
	if r := d.plainReply(text, method); r != nil {
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
func (d *headRoom) plainRequest(text []byte) *http.Request {
	s := string(text)
	line, fields, _ := strings.Cut(s, "\r\n")
	method, rest, ok1 := strings.Cut(line, " ")
	target, proto, ok2 := strings.Cut(rest, " ")
	if !ok1 || !ok2 || proto != "HTTP/1.1" || method == "" || !all(method, upper) || method == http.MethodConnect || method == "PRI" {
		return nil
	}
	h := header{length: -1, request: true, all: d.noFields()}
	if !plainURL(&d.url, target) || !h.read(fields, d.values[:0]) {
		return nil
	}
	d.request = http.Request{
		Method: method, URL: &d.url, RequestURI: target, Proto: proto, ProtoMajor: 1, ProtoMinor: 1,
		Header: h.all, Body: http.NoBody, ContentLength: max(h.length, 0), Close: h.closes, Host: h.host,
	}
	if h.chunked {
		d.request.TransferEncoding, d.request.ContentLength = d.chunked(), -1
	}
	return &d.request
}

// noFields is the map for the fields of the next head.
func (d *headRoom) noFields() http.Header {
	if d.fields == nil {
		d.fields = make(http.Header, len(d.values))
	}
	clear(d.fields)
	return d.fields
}

func (d *headRoom) chunked() []string {
	d.coding[0] = "chunked"
	return d.coding[:]
}

// plainReply is plainRequest of a reply that has a body.
func (d *headRoom) plainReply(text []byte, method string) *http.Response {
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
	h := header{length: -1, all: d.noFields()}
	if !h.read(fields, d.values[:0]) || h.closes || h.length < 0 && !h.chunked {
		return nil
	}
	d.reply = http.Response{
		Status: status, StatusCode: code, Proto: proto, ProtoMajor: 1, ProtoMinor: 1,
		Header: h.all, Body: http.NoBody, ContentLength: h.length,
	}
	if h.chunked {
		d.reply.TransferEncoding, d.reply.ContentLength = d.chunked(), -1
	}
	return &d.reply
}

// plainURL reads a path, perhaps with a query, that needs no unescaping.
func plainURL(u *url.URL, target string) bool {
	if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") || !all(target, inTarget) {
		return false
	}
	path, query, asked := strings.Cut(target, "?")
	*u = url.URL{Path: path, RawQuery: query, ForceQuery: asked && query == ""}
	return true
}

// header are the fields of a head and what they say about its body.
type header struct {
	request bool
	all     http.Header
	host    string // of a request; net/http takes it out of the header
	hosts   int
	length  int64 // -1: not stated
	chunked bool
	closes  bool
}

// maxFields is how many fields a head has that is not unusual.
const maxFields = 64

// read reads the fields of a head up to its end. values is room for them.
func (h *header) read(s string, values []string) bool {
	for range maxFields {
		i := strings.IndexByte(s, '\n')
		if i < 1 || s[i-1] != '\r' {
			return false
		}
		line, rest := s[:i-1], s[i+1:]
		if line == "" {
			return rest == "" && h.hosts <= 1
		}
		s = rest
		n := 0
		for n < len(line) && classes[line[n]]&inName != 0 {
			n++
		}
		if n == 0 || n == len(line) || line[n] != ':' {
			return false
		}
		name, value := textproto.CanonicalMIMEHeaderKey(line[:n]), trimmed(line[n+1:])
		if !all(value, printable) || !h.note(name, value) {
			return false
		}
		switch {
		case name == "Transfer-Encoding": // net/http takes it out of the header
			continue
		case h.request && name == "Host":
			h.host = value
			h.hosts++
			continue
		}
		values = append(values, value)
		own := values[len(values)-1 : len(values) : len(values)]
		old := h.all[name]
		if len(old) > 0 {
			own = append(old, value) //nolint:gocritic // it has no room: that of the others is not written to
		}
		h.all[name] = own
	}
	return false
}

// trimmed is a value without the blanks around it.
func trimmed(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
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
