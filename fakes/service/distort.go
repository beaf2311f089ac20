package service

import (
	"fmt"
	"net/http"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// distort makes another reply of an honest one. What the frame cannot know, the
// service does. A refusal stays as it is.
func (s *Service) distort(c *Call, how fault.Distortion, honest Reply) Reply {
	switch {
	case how == "", honest.Status >= http.StatusMultipleChoices:
		return honest
	case how == fault.Queued:
		return s.Queued()
	case how == fault.Empty:
		if b, ok := honest.Body.(interface{ Emptied() any }); ok {
			honest.Body = b.Emptied()
		} else {
			honest.Body = nil
		}
		return honest
	case s.spec.Distort != nil:
		return s.spec.Distort(c, how, honest)
	}
	return honest
}

// Emptied is the list without what it shows.
func (l List[T]) Emptied() any {
	l.Items = []T{}
	return l
}

// Emptied is the state of an identifier that nobody knows.
func (Submission) Emptied() any { return StateOf(StateUnknown, "") }

// Queued is a gateway's reply to a request that it has put into a queue: a
// number, which is no acceptance. Numbers are q-1, q-2, ...
func (s *Service) Queued() Reply {
	return Reply{Status: http.StatusAccepted, Body: queueNumber{fmt.Sprintf("q-%d", s.queued.Add(1))}}
}

type queueNumber struct {
	Queue string `json:"queue"`
}

// Processing is the reply to a request that was taken on and is carried out
// later.
func Processing() Reply {
	return Reply{Status: http.StatusAccepted, Body: StateOf(StateProcessing, "")}
}
