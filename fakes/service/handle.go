package service

import "context"

// Handle is what a run does with any service: it finds it, waits for it and
// ends it. A service embeds the handle of its frame.
type Handle struct{ frame *Service }

// Handle is the service without what only its own operations need.
func (s *Service) Handle() Handle { return Handle{s} }

// Name is what anchors and records call the service.
func (h Handle) Name() string { return h.frame.Name() }

// Addr is host:port.
func (h Handle) Addr() string { return h.frame.Addr() }

// URL is the base of its routes, without a slash at the end.
func (h Handle) URL() string { return h.frame.URL() }

// Quiet tells that nothing changes here any more without another request, see
// [Service.Quiet].
func (h Handle) Quiet() bool { return h.frame.Quiet() }

// Close ends all that runs, see [Service.Close].
func (h Handle) Close(ctx context.Context) error { return h.frame.Close(ctx) }
