package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

// In place of an HTTP status.
const (
	timeout = 0
	broken  = -1
	notSent = -2
)

// object is a JSON object whose numbers keep their text.
type object = map[string]any

// A new connection for each attempt: net/http sends a request with an
// Idempotency-Key again by itself when a kept connection ends.
var client = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// call makes one attempt: its status, the body of its reply, and how long the
// reply asks to wait.
func call(method, url string, body any, within time.Duration, header, value string) (int, []byte, time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	var sent io.Reader
	if body != nil {
		sent = bytes.NewReader(encode(body))
	}
	request, err := http.NewRequestWithContext(ctx, method, url, sent)
	check(err)
	request.Header.Set("Content-Type", "application/json")
	if header != "" {
		request.Header.Set(header, value)
	}
	reply, err := client.Do(request)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(reply.Body)
		_ = reply.Body.Close()
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return timeout, nil, 0
	case errors.Is(err, syscall.ECONNREFUSED):
		return notSent, nil, 0
	case err != nil:
		return broken, nil, 0
	}
	wait, _ := strconv.Atoi(reply.Header.Get("Retry-After-Ms"))
	seconds, _ := strconv.Atoi(reply.Header.Get("Retry-After"))
	if wait == 0 {
		wait = 1000 * seconds
	}
	return reply.StatusCode, text, time.Duration(wait) * time.Millisecond
}

func encode(o any) []byte {
	text, err := json.Marshal(o)
	check(err)
	return text
}

// read understands a body; what is no JSON object says nothing.
func read(text []byte) object {
	var o object
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	_ = d.Decode(&o)
	return o
}
