package wire

import (
	"bytes"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// part says what a piece of the stream is.
type part uint8

const (
	filler  part = iota // line ends before a request, which RFC 9112, 2.2 lets a server ignore
	inHead              // of a message's head
	coding              // of the transfer coding: sizes, line ends, trailers
	content             // of the body
	opaque              // not HTTP/1.x, or no longer
)

// step is what [framer.next] found: the first n bytes are one piece.
type step struct {
	n    int
	part part
	head bool // the head is complete with this piece: req or res is set
	end  bool // the message is complete with this piece

	chunk    int   // the piece is of the data of this chunk, from 1; 0: of none
	from, of int64 // it begins there in them, and they are so long
}

// mode is what the framer expects next.
type mode uint8

const (
	atHead mode = iota
	atLength
	atChunkSize
	atChunkData
	atChunkEnd
	atTrailer
	atEOF // the body lasts until the stream ends
	atOpaque
)

const (
	maxHead      = 1<<20 + 4096 // what net/http's server accepts by default
	maxChunkLine = 4096         // likewise
)

var errNotHTTP = errors.New("not HTTP/1.x")

// A framer cuts one direction of a connection into HTTP/1.x messages. It keeps
// no byte of a body and alters none. Its idea of a head is net/http's own, so
// that it and the services agree where a message ends.
//
// After an error everything is opaque.
type framer struct {
	reply  bool
	method func() string // replies: the method that the next one answers

	mode mode
	held []byte // the head or chunk line so far, when it came in several pieces
	left int64  // of a length or a chunk
	size int64  // of the chunk
	nth  int    // the chunk
	line int    // bytes of the current line so far
	cr   bool   // the current line is so far exactly "\r"

	room    headRoom       // where heads are read
	req     *http.Request  // of the message at hand, once its head is complete; it may be in room
	res     *http.Response // likewise
	interim bool           // res is a 1xx; the reply proper follows
	tunnel  bool           // res switched protocols; what follows is opaque
}

// next takes one piece from p, which must not be empty. On an error the step's
// bytes are a piece all the same.
func (f *framer) next(p []byte) (step, error) {
	switch f.mode {
	case atHead:
		return f.nextHead(p)
	case atLength, atChunkData:
		n := int(min(int64(len(p)), f.left))
		f.left -= int64(n)
		s := step{n: n, part: content}
		if f.mode == atChunkData {
			s.chunk, s.from, s.of = f.nth, f.size-f.left-int64(n), f.size
		}
		switch {
		case f.left > 0:
		case f.mode == atLength:
			f.mode, s.end = atHead, true
		default:
			f.mode = atChunkEnd
		}
		return s, nil
	case atChunkSize, atChunkEnd, atTrailer:
		return f.nextLine(p)
	case atEOF:
		return step{n: len(p), part: content}, nil
	default:
		return step{n: len(p), part: opaque}, nil
	}
}

// open tells whether the stream stands inside a message.
func (f *framer) open() bool {
	return f.mode != atOpaque && (f.mode != atHead || len(f.held) > 0)
}

func (f *framer) nextHead(p []byte) (step, error) {
	if !f.reply && len(f.held) == 0 {
		if n := len(p) - len(bytes.TrimLeft(p, "\r\n")); n > 0 {
			return step{n: n, part: filler}, nil
		}
	}
	if f.foreign(p) {
		return f.lost(step{n: len(p), part: inHead})
	}
	n := f.headEnd(p)
	if n < 0 {
		f.held = append(f.held, p...)
		if len(f.held) > maxHead {
			return f.lost(step{n: len(p), part: inHead})
		}
		return step{n: len(p), part: inHead}, nil
	}
	text := p[:n]
	if len(f.held) > 0 {
		f.held = append(f.held, text...)
		text = f.held
	}
	f.held = f.held[:0]
	s := step{n: n, part: inHead, head: true}
	if len(text) > maxHead {
		return f.lost(s)
	}
	if f.reply {
		return f.replyHead(text, s)
	}
	return f.requestHead(text, s)
}

func (f *framer) requestHead(text []byte, s step) (step, error) {
	r, err := f.room.parseRequest(text)
	if err != nil || r.Method == "PRI" {
		return f.lost(s)
	}
	f.req = r
	f.body(&s, len(r.TransferEncoding) > 0, max(r.ContentLength, 0))
	return s, nil
}

func (f *framer) replyHead(text []byte, s step) (step, error) {
	method := http.MethodGet
	if f.method != nil {
		method = f.method()
	}
	r, err := f.room.parseReply(text, method) //nolint:bodyclose // it has no body: the head alone was parsed
	if err != nil {
		return f.lost(s)
	}
	f.res = r
	f.tunnel = r.StatusCode == http.StatusSwitchingProtocols || method == http.MethodConnect && r.StatusCode/100 == 2
	f.interim = r.StatusCode/100 == 1 && !f.tunnel
	switch {
	case f.tunnel:
		f.mode, s.end = atOpaque, true
	case f.interim, method == http.MethodHead, r.StatusCode == http.StatusNoContent, r.StatusCode == http.StatusNotModified:
		s.end = true
	case len(r.TransferEncoding) == 0 && r.ContentLength < 0:
		f.mode = atEOF
	default:
		f.body(&s, len(r.TransferEncoding) > 0, r.ContentLength)
	}
	return s, nil
}

func (f *framer) body(s *step, chunked bool, length int64) {
	switch {
	case chunked:
		f.mode, f.nth = atChunkSize, 0
	case length > 0:
		f.mode, f.left = atLength, length
	default:
		s.end = true
	}
}

// foreign tells whether a head that begins, or goes on, with p is none of
// HTTP/1.x: nobody must wait for the end of such a head. That of a reply begins
// with the protocol's name, that of a request with a method, which is printable.
func (f *framer) foreign(p []byte) bool {
	if !f.reply {
		return len(f.held) == 0 && (p[0] <= ' ' || p[0] > '~')
	}
	const begin = "HTTP/"
	if len(f.held) >= len(begin) {
		return false
	}
	rest := begin[len(f.held):]
	n := min(len(rest), len(p))
	return string(p[:n]) != rest[:n]
}

// headEnd is the length of p up to the end of the empty line that ends a head,
// or -1. Like net/http it takes a bare line feed for a line end.
func (f *framer) headEnd(p []byte) int {
	for i := 0; ; {
		j := bytes.IndexByte(p[i:], '\n')
		if j < 0 {
			f.grow(p[i:])
			return -1
		}
		f.grow(p[i : i+j])
		i += j + 1
		if f.endLine() {
			return i
		}
	}
}

// grow adds to the current line, endLine ends it and tells whether it was empty.
func (f *framer) grow(p []byte) {
	f.cr = f.line == 0 && len(p) == 1 && p[0] == '\r' || f.cr && len(p) == 0
	f.line += len(p)
}

func (f *framer) endLine() (empty bool) {
	empty = f.line == 0 || f.cr
	f.line, f.cr = 0, false
	return empty
}

func (f *framer) nextLine(p []byte) (step, error) {
	s := step{n: len(p), part: coding}
	i := bytes.IndexByte(p, '\n')
	if i >= 0 {
		s.n = i + 1
	}
	if f.mode == atTrailer {
		if i < 0 {
			f.grow(p)
			return s, nil
		}
		f.grow(p[:i])
		if f.endLine() {
			f.mode, s.end = atHead, true
		}
		return s, nil
	}
	f.held = append(f.held, p[:s.n]...)
	if len(f.held) > maxChunkLine {
		return f.lost(s)
	}
	if i < 0 {
		return s, nil
	}
	text, ok := strings.CutSuffix(string(f.held), "\r\n")
	f.held = f.held[:0]
	if f.mode == atChunkEnd {
		f.mode = atChunkSize
		if !ok || text != "" {
			return f.lost(s)
		}
		return s, nil
	}
	digits, _, _ := strings.Cut(text, ";")
	size, err := strconv.ParseUint(strings.TrimRight(digits, " \t"), 16, 63)
	switch {
	case err != nil || !ok:
		return f.lost(s)
	case size == 0:
		f.mode = atTrailer
	default:
		f.mode, f.left, f.size = atChunkData, int64(size), int64(size)
		f.nth++
	}
	return s, nil
}

func (f *framer) lost(s step) (step, error) {
	f.mode, f.held = atOpaque, nil
	s.head, s.end = false, false
	return s, errNotHTTP
}
