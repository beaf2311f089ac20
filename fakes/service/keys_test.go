package service_test

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
)

func TestAnIdentifierIsUniqueWithinItsScope(t *testing.T) {
	base := service.Identity{Key: "k", Tenant: "acme", Action: "submit", Object: "po-1"}
	for _, c := range []struct {
		name  string
		scope []string
		other service.Identity
		same  bool
	}{
		{"no scope: everywhere", nil, service.Identity{Key: "k", Tenant: "x", Action: "y", Object: "z"}, true},
		{"another identifier", nil, service.Identity{Key: "k2", Tenant: "acme", Action: "submit", Object: "po-1"}, false},
		{"another tenant", []string{"tenant"}, service.Identity{Key: "k", Tenant: "x", Action: "submit", Object: "po-1"}, false},
		{"another action", []string{"tenant", "action"}, service.Identity{Key: "k", Tenant: "acme", Action: "notify", Object: "po-1"}, false},
		{"another object", []string{"tenant", "action", "object"}, service.Identity{Key: "k", Tenant: "acme", Action: "submit", Object: "po-2"}, false},
		{"another object outside the scope", []string{"tenant", "action"}, service.Identity{Key: "k", Tenant: "acme", Action: "submit", Object: "po-2"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			p := contract.Idempotency{Supported: true, Scope: c.scope}
			var keys service.Keys
			g.Expect(keys.Store(p, &service.Entry{Identity: base})).To(BeTrue())
			g.Expect(keys.Find(p, base, 0)).NotTo(BeNil())
			g.Expect(keys.Find(p, c.other, 0) != nil).To(Equal(c.same))
		})
	}
}

func TestAnIdentifierIsKnownForItsRetentionFromReceipt(t *testing.T) {
	g := NewWithT(t)
	p := contract.Idempotency{Supported: true, RetentionMS: 2000}
	id := service.Identity{Key: "k"}
	var expired []string
	keys := service.Keys{Expired: func(e *service.Entry) { expired = append(expired, e.Key) }}
	keys.Store(p, &service.Entry{Identity: id, Received: time.Second, Stored: 1500 * time.Millisecond})

	g.Expect(keys.Known("k", 1499*time.Millisecond)).To(BeEmpty(), "not stored yet")
	g.Expect(keys.Known("k", 1500*time.Millisecond)).To(HaveLen(1))
	g.Expect(keys.Find(p, id, 3*time.Second-1)).NotTo(BeNil())
	g.Expect(expired).To(BeEmpty())
	g.Expect(keys.Known("k", 3*time.Second)).To(BeEmpty())
	g.Expect(keys.Find(p, id, 3*time.Second)).To(BeNil())
	g.Expect(keys.Find(p, id, 4*time.Second)).To(BeNil())
	g.Expect(expired).To(Equal([]string{"k"}), "once")
	g.Expect(keys.All()).To(HaveLen(1))
}

func TestWithoutAPromiseNothingIsRecognised(t *testing.T) {
	g := NewWithT(t)
	var keys service.Keys
	g.Expect(keys.Store(contract.Idempotency{}, &service.Entry{Identity: service.Identity{Key: "k"}})).To(BeFalse())
	g.Expect(keys.Store(contract.Idempotency{Supported: true}, &service.Entry{})).To(BeFalse(), "no identifier")
	g.Expect(keys.All()).To(BeEmpty())
}

func TestForgettingIsTold(t *testing.T) {
	g := NewWithT(t)
	p := contract.Idempotency{Supported: true}
	var expired []string
	keys := service.Keys{Expired: func(e *service.Entry) { expired = append(expired, e.Key) }}
	for _, k := range []string{"b", "a", "c"} {
		keys.Store(p, &service.Entry{Identity: service.Identity{Key: k}})
	}
	keys.Forget()
	keys.Forget()
	g.Expect(expired).To(Equal([]string{"b", "a", "c"}))
	g.Expect(keys.Find(p, service.Identity{Key: "a"}, 0)).To(BeNil())
	g.Expect(keys.Known("a", 0)).To(BeEmpty())
}
