package approval_test

import (
	"context"
	"testing"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
)

// BenchmarkOpenAndClose is a service's part of setting up and tearing down a
// stack.
func BenchmarkOpenAndClose(b *testing.B) {
	for b.Loop() {
		s, err := approval.Open(approval.Config{})
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
