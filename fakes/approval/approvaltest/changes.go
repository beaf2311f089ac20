package approvaltest

import (
	"fmt"
	"testing"

	"github.com/onsi/gomega"
)

// changes are the promises about what is done with a submission later.
func changes() []Promise {
	return []Promise{
		{Name: "a fenced identifier is never carried out", Covers: []string{"B21"}, needs: []feature{fenced, queried}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			for range 2 {
				reply := a.Call(t, "POST", "/v1/submissions/"+s.Key+"/void", "", "")
				g.Expect(reply.Status).To(gomega.Equal(200))
				g.Expect(reply.Body).To(gomega.Equal(map[string]any{"state": "void", "final": true, "ref": nil}))
			}
			refused := a.Submit(t, s)
			g.Expect(refused.Status).To(gomega.Equal(409))
			g.Expect(refused.Get("code")).To(gomega.Equal("void"))
			g.Expect(a.ByKey(t, s.Key)).To(gomega.BeEmpty())
			g.Expect(a.Call(t, "GET", "/v1/submissions/"+s.Key, "", "").Get("state")).To(gomega.Equal("void"))

			successor := s
			successor.Key, successor.Supersedes = a.Name("k"), s.Key
			a.Created(t, successor)
		}},
		{Name: "a fence that comes too late says so", Covers: []string{"B21"}, needs: []feature{fenced, recognised}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			ref := a.Created(t, s)
			reply := a.Call(t, "POST", "/v1/submissions/"+s.Key+"/void", "", "")
			g.Expect(reply.Status).To(gomega.Equal(200))
			g.Expect(reply.Body).To(gomega.Equal(map[string]any{"state": "created", "final": false, "ref": ref}))
			g.Expect(a.Created(t, s)).To(gomega.Equal(ref))
		}},
		{Name: "a pending approval is withdrawn once, and again is the same", Covers: []string{"B32"}, needs: []feature{withdrawn}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			for _, by := range []string{"ref", "key"} {
				s := a.Fresh()
				ref := a.Created(t, s)
				body := fmt.Sprintf(`{"ref":%q}`, ref)
				if by == "key" {
					body = fmt.Sprintf(`{"key":%q}`, s.Key)
				}
				for _, key := range []string{s.Key + "-w", s.Key + "-w", s.Key + "-w2"} {
					reply := a.Call(t, "POST", "/v1/withdrawals", key, body)
					g.Expect(reply.Status).To(gomega.Equal(200), by)
					g.Expect(reply.Ref()).To(gomega.Equal(ref))
					g.Expect(reply.Get("status")).To(gomega.Equal("withdrawn"))
					g.Expect(reply.Get("seq")).To(gomega.Equal("2"))
				}
			}
		}},
		{Name: "what is not there cannot be withdrawn, and may still come", Covers: []string{"B32", "B33"}, needs: []feature{withdrawn, tracked}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			reply := a.Call(t, "POST", "/v1/withdrawals", s.Key+"-w", fmt.Sprintf(`{"key":%q}`, s.Key))
			g.Expect(reply.Status).To(gomega.Equal(404))
			ref := a.Created(t, s)
			g.Expect(a.Call(t, "GET", "/v1/approvals/"+ref, "", "").Get("status")).To(gomega.Equal("pending"))
		}},
		{Name: "an identifier of a withdrawal carries one withdrawal", Covers: []string{"B09", "B32"}, needs: []feature{withdrawn, recognised}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			ref := a.Created(t, s)
			s.Key, s.Confirmation = a.Name("k"), a.Name("c") // the same object
			other := a.Created(t, s)
			key := a.Name("w")
			g.Expect(a.Call(t, "POST", "/v1/withdrawals", key, fmt.Sprintf(`{"ref":%q}`, ref)).Status).To(gomega.Equal(200))
			reply := a.Call(t, "POST", "/v1/withdrawals", key, fmt.Sprintf(`{"ref":%q}`, other))
			g.Expect(reply.Status).To(gomega.Equal(409))
			g.Expect(reply.Get("code")).To(gomega.Equal("identifier_conflict"))
		}},
		{Name: "there is nothing to notify before a decision", Covers: []string{"B26"}, needs: []feature{notified}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			reply := a.Call(t, "POST", "/v1/approvals/"+a.Created(t, a.Fresh())+"/notifications", a.Name("n"), "")
			g.Expect(reply.Status).To(gomega.Equal(409))
			g.Expect(reply.Get("code")).To(gomega.Equal("state"))
		}},
	}
}

// messages are the promises about what cannot be understood.
func messages() []Promise {
	return []Promise{
		{Name: "a message that cannot be read names its field", Covers: []string{"B02"}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			good := a.Fresh().Body()
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
				g.Expect(reply.Status).To(gomega.Equal(400), c.body)
				g.Expect(reply.Get("field")).To(gomega.Equal(c.field), c.body)
			}
			g.Expect(a.Call(t, "POST", "/v1/approvals", a.Name("k"), good).Status).To(gomega.Equal(201))
		}},
	}
}
