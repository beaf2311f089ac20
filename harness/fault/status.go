package fault

import (
	"fmt"
	"strconv"
)

// status puts a reply in the service's mouth.
type status struct {
	code       int
	retryAfter Span
	body       string
}

const statusUsage = "status: {code: <number>, retry_after: <duration>, body: <text>}"

func statusKind() Kind {
	return Kind{
		Name: "status", Family: Service, Place: Final,
		Summary: "the service answers with this status; at committed it does so although the consequence stands",
		Usage:   statusUsage,
		Where:   "received, validated (instead of going on), committed (instead of its own reply)",
		Stand:   inService("status", Received, Validated, Committed),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("which status? Write %s", statusUsage)
				return status{}
			}
			if !r.Fields("code", "retry_after", "body") {
				return status{}
			}
			return status{r.Need("code").Int(200, 599), r.Field("retry_after").Span(), r.Field("body").Text()}
		},
	}
}

func (status) Name() string { return "status" }

func (s status) String() string {
	text := fmt.Sprintf("status: {code: %d", s.code)
	if !s.retryAfter.IsZero() {
		text += ", retry_after: " + s.retryAfter.String()
	}
	if s.body != "" {
		text += ", body: " + strconv.Quote(s.body)
	}
	return text + "}"
}

func (s status) Words() string {
	text := fmt.Sprintf("the service answers %d", s.code)
	if !s.retryAfter.IsZero() {
		text += " and asks to wait " + s.retryAfter.String()
	}
	return text
}

func (s status) Apply(f *Firing) {
	f.Order.Answer = &Answer{Status: s.code, RetryAfter: s.retryAfter.Of(f.Limits), Body: s.body}
}

func (status) skips(at Phase) []Phase {
	switch at {
	case Received:
		return []Phase{Validated, Committed}
	case Validated:
		return []Phase{Committed}
	}
	return nil
}
