package service

import (
	"fmt"
	"net/http"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
)

// List is the reply to a query or a search.
type List[T any] struct {
	Items   []T       `json:"items"` // never null
	AsOf    time.Time `json:"as_of"`
	Replica bool      `json:"replica"`
}

// The states of a submission.
const (
	StateUnknown    = "unknown"    // never final: the request may still be under way
	StateProcessing = "processing" // taken on, not carried out yet
	StateCreated    = "created"
	StateRefused    = "refused" // for good
	StateVoid       = "void"    // fenced: it can never be carried out
)

// Submission is the reply to a query for an identifier.
type Submission struct {
	State string  `json:"state"`
	Final bool    `json:"final"`
	Ref   *string `json:"ref"` // null while there is none
}

// StateOf is a submission's reply; only what is refused or void is final.
func StateOf(state, ref string) Submission {
	s := Submission{State: state, Final: state == StateRefused || state == StateVoid}
	if ref != "" {
		s.Ref = &ref
	}
	return s
}

// The bounds of what one service keeps, whatever an agent does.
const (
	MaxName    = 255      // bytes of an identifier, a name or a digest
	MaxContent = 64 << 10 // bytes of what a person confirmed
	MaxRecords = 1000     // business records
)

// Full refuses to make one more record.
func Full() Reply {
	return Refuse(http.StatusTooManyRequests, "quota", "this service keeps %d records and takes no more", MaxRecords)
}

// Check makes the fields that a message must have, and the types and lengths of
// its names, the service's condition. The error is a [*dialect.FieldError].
func (c *Call) Check(required, names []string) error {
	if err := c.CheckNames(); err != nil {
		return err
	}
	if len(c.Message.Raw("content")) > MaxContent {
		return &dialect.FieldError{Field: "content", Problem: fmt.Sprintf("is longer than %d bytes", MaxContent)}
	}
	c.Message.Require(required...)
	for _, name := range names {
		if text := c.Message.Text(name); len(text) > MaxName {
			return tooLong(name)
		}
	}
	return c.Message.Err()
}

// CheckNames is [Call.Check] for a request without a body.
func (c *Call) CheckNames() error {
	if len(c.request.Header.Get("Idempotency-Key")) > MaxName {
		return tooLong("Idempotency-Key")
	}
	if len(c.Facts.Key) > MaxName || len(c.Facts.Ref) > MaxName {
		return tooLong("path")
	}
	return nil
}

func tooLong(field string) error {
	return &dialect.FieldError{Field: field, Problem: fmt.Sprintf("is longer than %d bytes", MaxName)}
}
