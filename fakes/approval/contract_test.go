package approval_test

import (
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
)

// target is an approval service that promises everything, at any URL. Nothing
// about it is known but its routes.
type target struct {
	servicetest.Client
	// name makes a name that this service has not seen.
	name func(prefix string) string
}

// submission is the body of a submission; the zero value is filled with fresh names.
type submission struct {
	key, confirmation, tenant, object, content, digest, supersedes string
	version                                                        int
}

func (a target) fresh() submission {
	return submission{
		key: a.name("k"), confirmation: a.name("c"), version: 1, tenant: "acme", object: a.name("po"),
		content: `{"amount":"1200.00","currency":"EUR","applicant":"u-1"}`, digest: "d-1",
	}
}

func (s submission) body() string {
	supersedes := ""
	if s.supersedes != "" {
		supersedes = fmt.Sprintf(`,"supersedes":%q`, s.supersedes)
	}
	return fmt.Sprintf(`{"confirmation":{"id":%q,"version":%d},"tenant":%q,"object":%q,"content":%s,"digest":%q%s}`,
		s.confirmation, s.version, s.tenant, s.object, s.content, s.digest, supersedes)
}

func (a target) submit(t testing.TB, s submission) servicetest.Reply {
	t.Helper()
	return a.Call(t, "POST", "/v1/approvals", s.key, s.body())
}

func (a target) created(t testing.TB, s submission) string {
	t.Helper()
	reply := a.submit(t, s)
	if reply.Status != 201 || reply.Ref() == "" {
		t.Fatalf("submit: %d %s", reply.Status, reply.Text)
	}
	return reply.Ref()
}

func (a target) byKey(t testing.TB, key string) []map[string]any {
	t.Helper()
	reply := a.Call(t, "GET", "/v1/approvals?key="+key, "", "")
	if reply.Status != 200 || reply.Get("as_of") == "" {
		t.Fatalf("query: %d %s", reply.Status, reply.Text)
	}
	return reply.Items()
}

// contractTests are what every approval service that promises everything must
// do, over HTTP alone.
func contractTests() []struct {
	name string
	run  func(t *testing.T, a target)
} {
	return []struct {
		name string
		run  func(t *testing.T, a target)
	}{
		{"a submission becomes a record that can be tracked", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			reply := a.submit(t, s)
			g.Expect(reply.Status).To(Equal(201))
			for path, want := range map[string]string{
				"key": s.key, "tenant": s.tenant, "object": s.object, "confirmation.id": s.confirmation, "confirmation.version": "1",
				"content.amount": "1200.00", "digest": s.digest, "status": "pending", "consequences.notification": "none", "seq": "1",
			} {
				g.Expect(reply.Get(path)).To(Equal(want), path)
			}
			g.Expect(reply.Get("at")).NotTo(BeEmpty())
			tracked := a.Call(t, "GET", "/v1/approvals/"+reply.Ref(), "", "")
			g.Expect(tracked.Status).To(Equal(200))
			g.Expect(tracked.Body).To(Equal(reply.Body))
		}},
		{"an unknown reference is not found", func(t *testing.T, a target) {
			g := NewWithT(t)
			reply := a.Call(t, "GET", "/v1/approvals/"+a.name("none"), "", "")
			g.Expect(reply.Status).To(Equal(404))
			g.Expect(reply.Get("code")).To(Equal("not_found"))
		}},
		{"a repetition is answered with the same record", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			ref := a.created(t, s)
			s.content = `{ "applicant":"u-1", "currency":"EUR", "amount":"1200.00" }` // the same, written otherwise
			g.Expect(a.created(t, s)).To(Equal(ref))
			g.Expect(a.byKey(t, s.key)).To(HaveLen(1))
		}},
		{"identical requests at once create one record", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			refs := sync.Map{}
			var all sync.WaitGroup
			for range 100 {
				all.Go(func() {
					reply, err := a.Try(t.Context(), "POST", "/v1/approvals", s.key, s.body())
					if err != nil || reply.Status != 201 {
						t.Errorf("submit: %v %d %s", err, reply.Status, reply.Text)
					}
					refs.Store(reply.Ref(), true)
				})
			}
			all.Wait()
			n := 0
			refs.Range(func(any, any) bool { n++; return true })
			g.Expect(n).To(Equal(1))
			g.Expect(a.byKey(t, s.key)).To(HaveLen(1))
		}},
		{"other content under the same identifier is refused", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			ref := a.created(t, s)
			for name, change := range map[string]func(*submission){
				"content":      func(s *submission) { s.content = `{"amount":"1300.00"}` },
				"version":      func(s *submission) { s.version = 2 },
				"confirmation": func(s *submission) { s.confirmation += "x" },
				"digest":       func(s *submission) { s.digest += "x" },
			} {
				other := s
				change(&other)
				reply := a.submit(t, other)
				g.Expect(reply.Status).To(Equal(409), name)
				g.Expect(reply.Get("code")).To(Equal("identifier_conflict"), name)
			}
			g.Expect(a.created(t, s)).To(Equal(ref), "the original is still recognised")
			g.Expect(a.byKey(t, s.key)).To(HaveLen(1))
		}},
		{"an identifier is unique within tenant and object", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			refs := []string{a.created(t, s)}
			for _, change := range []func(*submission){
				func(s *submission) { s.tenant = "other" },
				func(s *submission) { s.object += "-b" },
			} {
				other := s
				change(&other)
				refs = append(refs, a.created(t, other))
			}
			g.Expect(refs[0]).NotTo(Or(Equal(refs[1]), Equal(refs[2])))
			g.Expect(refs[1]).NotTo(Equal(refs[2]))
		}},
		{"without an identifier every submission is new", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			s.key = ""
			g.Expect(a.created(t, s)).NotTo(Equal(a.created(t, s)))
		}},
		{"an identifier can be looked up before and after", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			g.Expect(a.byKey(t, s.key)).To(BeEmpty())
			state := a.Call(t, "GET", "/v1/submissions/"+s.key, "", "")
			g.Expect(state.Body).To(Equal(map[string]any{"state": "unknown", "final": false, "ref": nil}))
			ref := a.created(t, s)
			items := a.byKey(t, s.key)
			g.Expect(items).To(HaveLen(1))
			g.Expect(items[0]).To(HaveKeyWithValue("ref", ref))
			state = a.Call(t, "GET", "/v1/submissions/"+s.key, "", "")
			g.Expect(state.Body).To(Equal(map[string]any{"state": "created", "final": false, "ref": ref}))
		}},
		{"a fenced identifier is never carried out", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			for range 2 {
				reply := a.Call(t, "POST", "/v1/submissions/"+s.key+"/void", "", "")
				g.Expect(reply.Status).To(Equal(200))
				g.Expect(reply.Body).To(Equal(map[string]any{"state": "void", "final": true, "ref": nil}))
			}
			refused := a.submit(t, s)
			g.Expect(refused.Status).To(Equal(409))
			g.Expect(refused.Get("code")).To(Equal("void"))
			g.Expect(a.byKey(t, s.key)).To(BeEmpty())
			g.Expect(a.Call(t, "GET", "/v1/submissions/"+s.key, "", "").Get("state")).To(Equal("void"))

			successor := s
			successor.key, successor.supersedes = a.name("k"), s.key
			a.created(t, successor)
		}},
		{"a fence that comes too late says so", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			ref := a.created(t, s)
			reply := a.Call(t, "POST", "/v1/submissions/"+s.key+"/void", "", "")
			g.Expect(reply.Status).To(Equal(200))
			g.Expect(reply.Body).To(Equal(map[string]any{"state": "created", "final": false, "ref": ref}))
			g.Expect(a.created(t, s)).To(Equal(ref))
		}},
		{"a pending approval is withdrawn once, and again is the same", func(t *testing.T, a target) {
			g := NewWithT(t)
			for _, by := range []string{"ref", "key"} {
				s := a.fresh()
				ref := a.created(t, s)
				body := fmt.Sprintf(`{"ref":%q}`, ref)
				if by == "key" {
					body = fmt.Sprintf(`{"key":%q}`, s.key)
				}
				for _, key := range []string{s.key + "-w", s.key + "-w", s.key + "-w2"} {
					reply := a.Call(t, "POST", "/v1/withdrawals", key, body)
					g.Expect(reply.Status).To(Equal(200), by)
					g.Expect(reply.Ref()).To(Equal(ref))
					g.Expect(reply.Get("status")).To(Equal("withdrawn"))
					g.Expect(reply.Get("seq")).To(Equal("2"))
				}
			}
		}},
		{"what is not there cannot be withdrawn, and may still come", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			reply := a.Call(t, "POST", "/v1/withdrawals", s.key+"-w", fmt.Sprintf(`{"key":%q}`, s.key))
			g.Expect(reply.Status).To(Equal(404))
			ref := a.created(t, s)
			g.Expect(a.Call(t, "GET", "/v1/approvals/"+ref, "", "").Get("status")).To(Equal("pending"))
		}},
		{"an identifier of a withdrawal carries one withdrawal", func(t *testing.T, a target) {
			g := NewWithT(t)
			s := a.fresh()
			ref := a.created(t, s)
			s.key, s.confirmation = a.name("k"), a.name("c") // the same object
			other := a.created(t, s)
			key := a.name("w")
			g.Expect(a.Call(t, "POST", "/v1/withdrawals", key, fmt.Sprintf(`{"ref":%q}`, ref)).Status).To(Equal(200))
			reply := a.Call(t, "POST", "/v1/withdrawals", key, fmt.Sprintf(`{"ref":%q}`, other))
			g.Expect(reply.Status).To(Equal(409))
			g.Expect(reply.Get("code")).To(Equal("identifier_conflict"))
		}},
		{"there is nothing to notify before a decision", func(t *testing.T, a target) {
			g := NewWithT(t)
			reply := a.Call(t, "POST", "/v1/approvals/"+a.created(t, a.fresh())+"/notifications", a.name("n"), "")
			g.Expect(reply.Status).To(Equal(409))
			g.Expect(reply.Get("code")).To(Equal("state"))
		}},
		{"a message that cannot be read names its field", func(t *testing.T, a target) {
			g := NewWithT(t)
			good := a.fresh().body()
			for _, c := range []struct{ path, body, field string }{
				{"/v1/approvals", `{`, "body"},
				{"/v1/approvals", `[1]`, "body"},
				{"/v1/approvals", ``, "body"},
				{"/v1/approvals", `{}`, "confirmation.id"},
				{"/v1/approvals", `{"confirmation":"c-1"}`, "confirmation"},
				{"/v1/approvals", `{"confirmation":{"id":"c","version":"1"},"tenant":"a","object":"o","content":{},"digest":"d"}`, "confirmation.version"},
				{"/v1/approvals", `{"confirmation":{"id":"c","version":1},"tenant":1,"object":"o","content":{},"digest":"d"}`, "tenant"},
				{"/v1/approvals", `{"confirmation":{"id":"c","version":1},"tenant":"a","object":"o","content":"x","digest":"d"}`, "content"},
				{"/v1/approvals", `{"confirmation":{"id":"c","version":1},"tenant":"a","object":"o","content":{}}`, "digest"},
				{"/v1/withdrawals", `{}`, "ref"},
				{"/v1/withdrawals", `{"ref":5}`, "ref"},
			} {
				reply := a.Call(t, "POST", c.path, "k", c.body)
				g.Expect(reply.Status).To(Equal(400), c.body)
				g.Expect(reply.Get("field")).To(Equal(c.field), c.body)
			}
			g.Expect(a.Call(t, "POST", "/v1/approvals", a.name("k"), good).Status).To(Equal(201))
		}},
	}
}

func TestTheFakeKeepsTheContract(t *testing.T) {
	a := open(t, approval.Settings{Plain: true})
	var n atomic.Int64
	a.name = func(prefix string) string { return prefix + "-" + strconv.FormatInt(n.Add(1), 10) }
	for _, c := range contractTests() {
		t.Run(c.name, func(t *testing.T) { c.run(t, a.target) })
	}
}
