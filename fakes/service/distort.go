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
		if b, ok := honest.Body.(interface{ emptied() any }); ok {
			honest.Body = b.emptied()
		} else {
			honest.Body = nil
		}
		return honest
	case s.spec.Distort != nil:
		return s.spec.Distort(c, how, honest)
	}
	return honest
}

func (l List[T]) emptied() any {
	l.Items = []T{}
	return l
}

func (Submission) emptied() any { return StateOf(StateUnknown, "") }

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
