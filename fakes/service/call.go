package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Call is one request that the gate let through.
type Call struct {
	fault.Ref
	Operation string
	Received  time.Duration    // when the service had it, on the service's clock
	Facts     history.Facts    // what it states
	Message   *dialect.Message // its body, as an object
	Body      []byte
	Query     url.Values

	request *http.Request
}

// Arguments are what a call of a tool states, see [dialect.Arguments].
func (c *Call) Arguments() json.RawMessage {
	return dialect.Arguments(c.Operation, c.request, c.Body)
}

// Read answers an operation that has no consequence.
type Read func(c *Call) Reply

// Write checks a request and returns what will carry it out, or nil and the
// refusal. It must not change anything that a caller could see.
type Write func(c *Call) (*Plan, Reply)

// Plan carries out a write that was taken on.
type Plan struct {
	// Commit does it, in one step, and appends the rows of the ledger.
	Commit func() Outcome
	// Later is called instead of Commit when the consequence is to come after the reply: it makes sure that
	// it comes when the channel is closed, by [Service.CommitWhen], and answers at once. Nil: it cannot.
	Later func(until <-chan struct{}) Outcome
	// Dropped is called instead of Commit when the request ends before it. May be nil.
	Dropped func()
}

// Outcome is what a commit came to.
type Outcome struct {
	Reply Reply
	// Stands says that the consequence asked for stands in the ledger, now or since an earlier request:
	// the call has the phase committed.
	Stands bool
	// Finish is done after that phase, unless the service crashes there. May be nil. It exists for
	// services that are made to break a promise.
	Finish func()
}

// Reply is an answer. Body is encoded as JSON.
type Reply struct {
	Status     int
	Body       any
	RetryAfter time.Duration // 0: no header

	dictated bool // by a fault
}

// Problem is the body of an answer that is no success.
type Problem struct {
	Code     string `json:"code"`
	Message  string `json:"message,omitempty"`
	Field    string `json:"field,omitempty"`
	NoEffect bool   `json:"no_effect,omitempty"`
}

// Refuse answers with a problem.
func Refuse(status int, code, format string, args ...any) Reply {
	return Reply{Status: status, Body: Problem{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// NotOffered answers a request for what the service does not promise to have.
func NotOffered(what string) Reply {
	return Refuse(http.StatusNotFound, "not_offered", "this service does not offer %s", what)
}

// Malformed answers a message that cannot be read, with the path of its field.
// It has had no effect.
func Malformed(err error) Reply {
	p := Problem{Code: "malformed", Message: err.Error(), NoEffect: true}
	var field *dialect.FieldError
	if errors.As(err, &field) {
		p.Field, p.Message = field.Field, field.Problem
	}
	return Reply{Status: http.StatusBadRequest, Body: p}
}
