package model

import (
	"fmt"
	"net/http"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Service is one running model.
type Service struct {
	service.Handle

	frame *service.Service
	set   Settings
}

// Open starts the model. The caller closes it. The error is a setting that
// makes no sense, or the failure to listen.
func Open(cfg Config) (*Service, error) {
	if err := cfg.Settings.check(); err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if cfg.Settings.Models == nil {
		cfg.Settings.Models = []string{"primary", "backup"}
	}
	s := &Service{set: cfg.Settings}
	frame, err := service.Open(cfg.Frame, service.Spec{
		Name:    "model",
		Reads:   map[string]service.Read{"chat": s.chat, "list": s.list},
		Speak:   s.speak,
		Refusal: func(p service.Problem, status int) any { return problem(status, p.Code, p.Message) },
	})
	if err != nil {
		return nil, err
	}
	s.frame, s.Handle = frame, frame.Handle()
	return s, nil
}

// MaxContext is the longest request that the model takes, in bytes: below what is
// recorded of a message (64 KiB), so that no conversation is judged by a part of it.
const MaxContext = 60 << 10

// chat answers with the turn of the script.
func (s *Service) chat(c *service.Call) service.Reply {
	q, refusal := s.read(c)
	if refusal != nil {
		return *refusal
	}
	return s.say(q, c, s.scripted(q), scriptedCall)
}

// speak answers with what a fault makes the model say; where it cannot, with the
// turn of the script.
func (s *Service) speak(c *service.Call, said fault.Speech) (reply service.Reply, unable string) {
	q, refusal := s.read(c)
	if refusal != nil {
		return *refusal, "the request is refused"
	}
	switch turn := s.scripted(q); {
	case said.Malformed != "" && len(turn.Calls) == 0:
		return s.say(q, c, turn, scriptedCall), "the turn asks for no call, so that there are no arguments to damage"
	case said.Malformed != "":
		return s.say(q, c, damaged(turn, said.Malformed), extraCall), ""
	case said.Repeats && len(q.last()) == 0:
		return s.say(q, c, turn, scriptedCall), "no turn has asked for a call yet that could be repeated"
	}
	return s.say(q, c, said, extraCall), ""
}

func (s *Service) say(q request, c *service.Call, speech fault.Speech, ids string) service.Reply {
	return service.Reply{Status: http.StatusOK, Body: s.completion(q, c.Body, q.message(speech, ids))}
}

// read reads a request, or refuses it.
func (s *Service) read(c *service.Call) (request, *service.Reply) {
	q, bad := readRequest(c.Body)
	var r service.Reply
	switch {
	case len(c.Body) > MaxContext:
		r = refuse(http.StatusBadRequest, "context_length_exceeded", fmt.Sprintf("this model's maximum context length is %d bytes, and the request has %d", MaxContext, len(c.Body)))
	case bad != "":
		r = refuse(http.StatusBadRequest, "invalid_request", bad)
	case !s.set.answers(q.Model):
		r = refuse(http.StatusNotFound, "model_not_found", fmt.Sprintf("the model %q does not exist or you do not have access to it", q.Model))
	default:
		return q, nil
	}
	return q, &r
}

// list names the models.
func (s *Service) list(*service.Call) service.Reply {
	type one struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	all := struct {
		Object string `json:"object"`
		Data   []one  `json:"data"`
	}{Object: "list", Data: []one{}}
	for _, name := range s.set.Models {
		if s.set.answers(name) {
			all.Data = append(all.Data, one{name, "model", 0, "lostreceipt"})
		}
	}
	return service.Reply{Status: http.StatusOK, Body: all}
}

// failed is an error as OpenAI's interface writes it.
type failed struct {
	Error failure `json:"error"`
}

type failure struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}

func problem(status int, code, message string) failed {
	kind := "invalid_request_error"
	switch {
	case status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case status >= http.StatusInternalServerError:
		kind = "server_error"
	}
	return failed{failure{Message: message, Type: kind, Code: code}}
}

func refuse(status int, code, message string) service.Reply {
	return service.Reply{Status: status, Body: problem(status, code, message)}
}
