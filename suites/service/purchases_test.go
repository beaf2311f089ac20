package service_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	fake "github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/suites/service"
)

// purchases shows a purchase service as one of approvals: a purchase is created
// under an identifier as an approval is, and nobody decides about it.
type purchases struct{ service.HTTP }

func (p purchases) Submit(ctx context.Context, s service.Submission) (service.Answer, error) {
	a, err := p.HTTP.Submit(ctx, s)
	a.Record.Status = ""
	return a, err
}

func (p purchases) Query(ctx context.Context, key string) (service.Found, error) {
	found, err := p.HTTP.Query(ctx, key)
	for i := range found.Records {
		found.Records[i].Status = ""
	}
	return found, err
}

// toPurchases sends what is meant for approvals to the routes of purchases.
type toPurchases struct{ http.RoundTripper }

func (t toPurchases) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	out.URL.Path = strings.Replace(r.URL.Path, "/v1/approvals", "/v1/purchases", 1)
	if r.Method == http.MethodPost {
		var asked struct {
			Object  string          `json:"object"`
			Content json.RawMessage `json:"content"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			return nil, err
		}
		body, err := json.Marshal(map[string]any{"approval": "a-" + asked.Object, "content": asked.Content})
		if err != nil {
			return nil, err
		}
		out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return t.RoundTripper.RoundTrip(out)
}

// purchaseSubject opens the harness's own purchase service.
func purchaseSubject(t *testing.T, breaks ...string) service.Subject {
	t.Helper()
	g := NewWithT(t)
	before := gleak.Goroutines()
	promises := purchase.Promises(retention)
	s, err := purchase.Open(purchase.Config{
		Frame: fake.Config{Seam: &shaky{operation: "buy"}}, Settings: purchase.Settings{Promises: promises, Breaks: breaks},
	})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		g.Expect(s.Close(context.Background())).To(Succeed())
		g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	client := &http.Client{Transport: toPurchases{&http.Transport{DisableKeepAlives: true}}}
	return service.Subject{
		Approvals: purchases{service.HTTP{URL: s.URL(), Client: client}},
		Promises:  contract.Guarantees{"approval.submit": promises["purchase.buy"]},
		Rounds:    5,
	}
}

func TestManyClientsMakeOnePurchaseAnIdentifier(t *testing.T) {
	NewWithT(t).Expect(crowd(t, purchaseSubject(t))).To(Succeed())
}

func TestACrowdFindsAServiceThatBuysTwice(t *testing.T) {
	for _, name := range []string{purchase.BreakIdempotency, purchase.BreakConflict, purchase.BreakConcurrency} {
		t.Run(name, func(t *testing.T) {
			NewWithT(t).Expect(crowd(t, purchaseSubject(t, name))).To(MatchError(HavePrefix("concurrency: with the seed ")))
		})
	}
}
