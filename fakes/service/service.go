package service

import (
	"context"
	"errors"
	"net/http"
)

// Service is one running service.
type Service struct {
	cfg  Config
	spec Spec
	addr string
}

// Open starts to listen. The caller closes the service.
func Open(cfg Config, spec Spec) (*Service, error) { return nil, errors.ErrUnsupported }

// Name is what anchors and records call the service.
func (s *Service) Name() string { return s.spec.Name }

// Addr is host:port.
func (s *Service) Addr() string { return s.addr }

// URL is the base of its routes, without a slash at the end.
func (s *Service) URL() string { return "http://" + s.addr }

// Close ends waits, timers and connections, and returns when nothing of the
// service runs any more, or with the context's error.
func (s *Service) Close(ctx context.Context) error { return nil }

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {}
