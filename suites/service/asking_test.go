package service_test

import (
	"context"

	"github.com/lostreceipt/lostreceipt/suites/service"
)

// asking is a service whose time goes on when it is asked.
type asking struct {
	service.Approvals
	tick func()
}

func (a *asking) Query(ctx context.Context, key string) (service.Found, error) {
	defer a.tick()
	return a.Approvals.Query(ctx, key)
}

func (a *asking) State(ctx context.Context, key string) (service.State, error) {
	defer a.tick()
	return a.Approvals.State(ctx, key)
}
