package knowledge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// maxRefund is what one refund may come to, in cents.
const maxRefund = 500_00

// changed is the reply of a tool that has changed a record.
type changed struct {
	ID     string `json:"id"`
	Status string `json:"status"` // deleted, archived
}

// remove deletes an article. One that is deleted already is answered alike, so
// that a call can be repeated.
func (s *Service) remove(c *service.Call, a arguments) (*service.Plan, service.Reply) {
	return s.take(c, a.ID, "deleted", history.RecordDeleted, &s.deleted, nil)
}

// move puts an article into the archive, once.
func (s *Service) move(c *service.Call, a arguments) (*service.Plan, service.Reply) {
	return s.take(c, a.ID, "archived", history.RecordArchived, &s.moved, &s.archive)
}

// take takes an article out of the knowledge base.
func (s *Service) take(c *service.Call, id, status, effect string, done *[]string, into *[]Article) (*service.Plan, service.Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := func(a Article) bool { return a.ID == id }
	if !slices.ContainsFunc(s.articles, there) && !slices.Contains(*done, id) {
		return nil, service.Refuse(http.StatusNotFound, "not_found", "there is no article %s", id)
	}
	return &service.Plan{Commit: func() service.Outcome {
		s.mu.Lock()
		defer s.mu.Unlock()
		if i := slices.IndexFunc(s.articles, there); i >= 0 {
			if into != nil {
				*into = append(*into, s.articles[i])
			}
			s.articles = slices.Delete(s.articles, i, i+1)
			*done = append(*done, id)
			s.frame.Row(c.Ref, effect, false, history.Facts{Ref: id, Status: status})
		}
		return service.Outcome{Reply: service.Reply{Status: http.StatusOK, Body: changed{id, status}}, Stands: true}
	}}, service.Reply{}
}

// refund pays back. An Idempotency-Key makes a repetition the same refund.
func (s *Service) refund(c *service.Call, a arguments) (*service.Plan, service.Reply) {
	cents, err := strconv.Atoi(strings.ReplaceAll(a.Amount, ".", ""))
	if err != nil || cents == 0 || cents > maxRefund {
		return nil, service.Refuse(http.StatusUnprocessableEntity, "bad_arguments", "a refund is more than 0.00 and at most %d.%02d", maxRefund/100, maxRefund%100)
	}
	return &service.Plan{Commit: func() service.Outcome {
		s.mu.Lock()
		defer s.mu.Unlock()
		key := c.Facts.Key
		i := slices.IndexFunc(s.refunds, func(r Refund) bool { return key != "" && r.Key == key })
		switch {
		case i < 0 && len(s.refunds) >= service.MaxRecords:
			return service.Outcome{Reply: service.Full()}
		case i < 0:
			i = len(s.refunds)
			r := Refund{ID: fmt.Sprintf("f_%d", i+1), Order: a.Order, Amount: a.Amount, Status: "done", Key: key, Task: c.Task}
			s.refunds = append(s.refunds, r)
			s.frame.Row(c.Ref, history.RefundIssued, false, history.Facts{Ref: r.ID, Key: key, Object: r.Order, Status: r.Status})
		}
		shown := s.refunds[i]
		shown.Task = ""
		return service.Outcome{Reply: service.Reply{Status: http.StatusCreated, Body: shown}, Stands: true}
	}}, service.Reply{}
}
