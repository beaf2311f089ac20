package approval_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"testing"

	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
)

// target is an approval service at any URL.
type target struct {
	servicetest.Client
	// NewName makes a name that the service has not seen; it is called by many goroutines at once. Nil: the
	// prefix and something random.
	NewName func(prefix string) string
}

// Name is a name that the service has not seen.
func (a *target) Name(prefix string) string {
	if a.NewName == nil {
		return prefix + "-" + rand.Text()
	}
	return a.NewName(prefix)
}

// submission is what a submission says.
type submission struct {
	Key, Confirmation, Tenant, Object, Digest, Supersedes string
	Content                                               string // as JSON
	Version                                               int
}

// Fresh is a submission that the service has not seen.
func (a *target) Fresh() submission {
	return submission{
		Key: a.Name("k"), Confirmation: a.Name("c"), Version: 1, Tenant: "acme", Object: a.Name("po"),
		Content: `{"amount":"1200.00","currency":"EUR","applicant":"u-1"}`, Digest: "d-1",
	}
}

// Body is the submission as a message.
func (s submission) Body() string {
	supersedes := ""
	if s.Supersedes != "" {
		supersedes = fmt.Sprintf(`,"supersedes":%q`, s.Supersedes)
	}
	return fmt.Sprintf(`{"confirmation":{"id":%q,"version":%d},"tenant":%q,"object":%q,"content":%s,"digest":%q%s}`,
		s.Confirmation, s.Version, s.Tenant, s.Object, s.Content, s.Digest, supersedes)
}

// Submit sends a submission.
func (a *target) Submit(t testing.TB, s submission) servicetest.Reply {
	t.Helper()
	return a.Call(t, http.MethodPost, "/v1/approvals", s.Key, s.Body())
}

// Created sends a submission and returns its reference; without one the test
// fails.
func (a *target) Created(t testing.TB, s submission) string {
	t.Helper()
	reply := a.Submit(t, s)
	if reply.Status != http.StatusCreated || reply.Ref() == "" {
		t.Fatalf("submit: %d %s", reply.Status, reply.Text)
	}
	return reply.Ref()
}

// ByKey looks an identifier up.
func (a *target) ByKey(t testing.TB, key string) []map[string]any {
	t.Helper()
	reply := a.Call(t, http.MethodGet, "/v1/approvals?key="+key, "", "")
	if reply.Status != http.StatusOK || reply.Get("as_of") == "" {
		t.Fatalf("query: %d %s", reply.Status, reply.Text)
	}
	return reply.Items()
}
