package agent

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
)

// class says who can mend a failure. The class decides what happens next.
type class string

const (
	fine      class = ""
	transient class = "transient" // the identical call may succeed shortly: wait, and make it again
	permanent class = "permanent" // it fails identically for ever: another tool, or another permission
)

// diagnosis is what the end of an attempt is a case of.
type diagnosis struct {
	class class
	name  string // of the error, as the model reads it
	text  string
}

var errNoJSON = errors.New("the reply is no JSON")

// anyJSON reads a reply of which nothing but JSON is asked, or one that has
// nothing to say.
func anyJSON(r reply) error {
	if r.status != http.StatusNoContent && !json.Valid(r.body) {
		return errNoJSON
	}
	return nil
}

// diagnose classifies the end of an attempt by what it is, never by the words
// that it comes with. read tells whether the body of a success is one.
func diagnose(r reply, read func(reply) error) diagnosis {
	d := diagnosis{class: permanent, name: errorName(r.status), text: r.problem()}
	switch {
	case r.timeout:
		d.class, d.name = transient, "Timeout"
	case r.err != nil:
		d.class, d.name = transient, "Unreachable"
	case r.status >= 200 && r.status < 300:
		if err := read(r); err != nil {
			return diagnosis{transient, "Unreadable", err.Error()}
		}
		return diagnosis{}
	case slices.Contains(passing(), r.status):
		d.class = transient
	}
	return d
}

// passing are the statuses of failures that pass.
func passing() []int {
	return []int{
		http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	}
}

func errorName(status int) string {
	switch status {
	case http.StatusTooManyRequests:
		return "RateLimited"
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return badArguments
	case http.StatusUnauthorized, http.StatusForbidden:
		return "PermissionDenied"
	case http.StatusNotFound, http.StatusGone:
		return "NotFound"
	case http.StatusConflict:
		return "Conflict"
	}
	if status >= http.StatusInternalServerError {
		return "ServerError"
	}
	return "Refused"
}

const (
	badArguments = "BadArguments"
	notDeclared  = "NotDeclared"
	circuitOpen  = "CircuitOpen"
)

// failure is a call that did not succeed, as data. Attempts are those that were
// made, not those that would have been allowed.
type failure struct {
	Error     string `json:"error"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
	Attempts  int    `json:"attempts"`
}

// content is the failure as the model reads it.
func (f failure) content() string { return string(encode(f)) }
