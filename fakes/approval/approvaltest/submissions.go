package approvaltest

import (
	"sync"
	"testing"

	"github.com/onsi/gomega"
)

// submissions are the promises about what is submitted.
func submissions() []Promise {
	return []Promise{
		{Name: "a submission becomes a record that can be tracked", Covers: []string{"B03"}, needs: []feature{tracked}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			reply := a.Submit(t, s)
			g.Expect(reply.Status).To(gomega.Equal(201))
			for path, want := range map[string]string{
				"key": s.Key, "tenant": s.Tenant, "object": s.Object, "confirmation.id": s.Confirmation, "confirmation.version": "1",
				"content.amount": "1200.00", "digest": s.Digest, "status": "pending", "consequences.notification": "none", "seq": "1",
			} {
				g.Expect(reply.Get(path)).To(gomega.Equal(want), path)
			}
			g.Expect(reply.Get("at")).NotTo(gomega.BeEmpty())
			tracked := a.Call(t, "GET", "/v1/approvals/"+reply.Ref(), "", "")
			g.Expect(tracked.Status).To(gomega.Equal(200))
			g.Expect(tracked.Body).To(gomega.Equal(reply.Body))
		}},
		{Name: "an unknown reference is not found", Covers: []string{"B17"}, needs: []feature{tracked}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			reply := a.Call(t, "GET", "/v1/approvals/"+a.Name("none"), "", "")
			g.Expect(reply.Status).To(gomega.Equal(404))
			g.Expect(reply.Get("code")).To(gomega.Equal("not_found"))
		}},
		{Name: "a repetition is answered with the same record", Covers: []string{"B08", "B11"}, needs: []feature{recognised, queried}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			ref := a.Created(t, s)
			s.Content = `{ "applicant":"u-1", "currency":"EUR", "amount":"1200.00" }` // the same, written otherwise
			g.Expect(a.Created(t, s)).To(gomega.Equal(ref))
			g.Expect(a.ByKey(t, s.Key)).To(gomega.HaveLen(1))
		}},
		{Name: "identical requests at once create one record", Covers: []string{"B11", "C2"}, needs: []feature{recognised, queried}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			refs := sync.Map{}
			var all sync.WaitGroup
			for range 100 {
				all.Go(func() {
					reply, err := a.Try(t.Context(), "POST", "/v1/approvals", s.Key, s.Body())
					if err != nil || reply.Status != 201 {
						t.Errorf("submit: %v %d %s", err, reply.Status, reply.Text)
					}
					refs.Store(reply.Ref(), true)
				})
			}
			all.Wait()
			n := 0
			refs.Range(func(any, any) bool { n++; return true })
			g.Expect(n).To(gomega.Equal(1))
			g.Expect(a.ByKey(t, s.Key)).To(gomega.HaveLen(1))
		}},
		{Name: "other content under the same identifier is refused", Covers: []string{"B10", "C2"}, needs: []feature{recognised, conflicting, queried}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			ref := a.Created(t, s)
			for name, change := range map[string]func(*Submission){
				"content":      func(s *Submission) { s.Content = `{"amount":"1300.00"}` },
				"version":      func(s *Submission) { s.Version = 2 },
				"confirmation": func(s *Submission) { s.Confirmation += "x" },
				"digest":       func(s *Submission) { s.Digest += "x" },
			} {
				other := s
				change(&other)
				reply := a.Submit(t, other)
				g.Expect(reply.Status).To(gomega.Equal(409), name)
				g.Expect(reply.Get("code")).To(gomega.Equal("identifier_conflict"), name)
			}
			g.Expect(a.Created(t, s)).To(gomega.Equal(ref), "the original is still recognised")
			g.Expect(a.ByKey(t, s.Key)).To(gomega.HaveLen(1))
		}},
		{Name: "an identifier is unique within tenant and object", Covers: []string{"B09"}, needs: []feature{recognised, scoped}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			refs := []string{a.Created(t, s)}
			for _, change := range []func(*Submission){
				func(s *Submission) { s.Tenant = "other" },
				func(s *Submission) { s.Object += "-b" },
			} {
				other := s
				change(&other)
				refs = append(refs, a.Created(t, other))
			}
			g.Expect(refs[0]).NotTo(gomega.Or(gomega.Equal(refs[1]), gomega.Equal(refs[2])))
			g.Expect(refs[1]).NotTo(gomega.Equal(refs[2]))
		}},
		{Name: "without an identifier every submission is new", Covers: []string{"B11"}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			s.Key = ""
			g.Expect(a.Created(t, s)).NotTo(gomega.Equal(a.Created(t, s)))
		}},
		{Name: "an identifier can be looked up before and after", Covers: []string{"B17", "B20"}, needs: []feature{queried}, Check: func(t testing.TB, a *Target) {
			g := gomega.NewWithT(t)
			s := a.Fresh()
			g.Expect(a.ByKey(t, s.Key)).To(gomega.BeEmpty())
			state := a.Call(t, "GET", "/v1/submissions/"+s.Key, "", "")
			g.Expect(state.Body).To(gomega.Equal(map[string]any{"state": "unknown", "final": false, "ref": nil}))
			ref := a.Created(t, s)
			items := a.ByKey(t, s.Key)
			g.Expect(items).To(gomega.HaveLen(1))
			g.Expect(items[0]).To(gomega.HaveKeyWithValue("ref", ref))
			state = a.Call(t, "GET", "/v1/submissions/"+s.Key, "", "")
			g.Expect(state.Body).To(gomega.Equal(map[string]any{"state": "created", "final": false, "ref": ref}))
		}},
	}
}
