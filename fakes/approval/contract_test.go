package approval_test

import (
	"fmt"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
)

// What a service must do over any transport is checked by the contract suite,
// package suites/service. Here is how this one says it.

func TestRepliesHaveTheShapeThatTheServiceDocuments(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{Plain: true})
	s := f.Fresh()
	state := func(method, path string) map[string]any {
		reply := f.Call(t, method, "/v1/submissions/"+path, "", "")
		g.Expect(reply.Status).To(Equal(200))
		return reply.Body
	}
	g.Expect(state("GET", s.Key)).To(Equal(map[string]any{"state": "unknown", "final": false, "ref": nil}))

	reply := f.Submit(t, s)
	g.Expect(reply.Status).To(Equal(201))
	for path, want := range map[string]string{
		"key": s.Key, "tenant": s.Tenant, "object": s.Object, "confirmation.id": s.Confirmation, "confirmation.version": "1",
		"content.amount": "1200.00", "digest": s.Digest, "status": "pending", "consequences.notification": "none", "seq": "1",
	} {
		g.Expect(reply.Get(path)).To(Equal(want), path)
	}
	g.Expect(reply.Get("at")).NotTo(BeEmpty())
	ref := reply.Ref()
	tracked := f.track(t, ref)
	g.Expect(tracked.Status).To(Equal(200))
	g.Expect(tracked.Body).To(Equal(reply.Body))
	items := f.ByKey(t, s.Key)
	g.Expect(items).To(HaveLen(1))
	g.Expect(items[0]).To(Equal(reply.Body))
	g.Expect(state("GET", s.Key)).To(Equal(map[string]any{"state": "created", "final": false, "ref": ref}))
	g.Expect(state("POST", s.Key+"/void")).To(Equal(map[string]any{"state": "created", "final": false, "ref": ref}))
	g.Expect(state("POST", "other/void")).To(Equal(map[string]any{"state": "void", "final": true, "ref": nil}))

	for code, refused := range map[string]struct {
		status          int
		path, key, body string
	}{
		"identifier_conflict": {409, "/v1/approvals", s.Key, (submission{Content: "{}", Confirmation: "c", Version: 2, Tenant: s.Tenant, Object: s.Object, Digest: "d"}).Body()},
		"void":                {409, "/v1/approvals", "other", s.Body()},
		"state":               {409, "/v1/approvals/" + ref + "/notifications", "n", ""},
		"not_found":           {404, "/v1/withdrawals", "w", `{"key":"nobody"}`},
	} {
		reply := f.Call(t, "POST", refused.path, refused.key, refused.body)
		g.Expect(reply.Status).To(Equal(refused.status), code)
		g.Expect(reply.Get("code")).To(Equal(code))
	}
	g.Expect(f.track(t, "a-99").Status).To(Equal(404))

	withdrawn := f.Call(t, "POST", "/v1/withdrawals", "w", fmt.Sprintf(`{"ref":%q}`, ref))
	g.Expect(withdrawn.Status).To(Equal(200))
	g.Expect(withdrawn.Get("status")).To(Equal("withdrawn"))
	g.Expect(withdrawn.Get("seq")).To(Equal("2"))
}

func TestWithoutAnIdentifierEverySubmissionIsNew(t *testing.T) {
	f := open(t, approval.Settings{})
	s := f.Fresh()
	s.Key = ""
	NewWithT(t).Expect(f.Created(t, s)).NotTo(Equal(f.Created(t, s)))
}

func TestAMessageThatCannotBeReadNamesItsField(t *testing.T) {
	g := NewWithT(t)
	a := open(t, approval.Settings{})
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
		g.Expect(reply.Status).To(Equal(400), c.body)
		g.Expect(reply.Get("field")).To(Equal(c.field), c.body)
	}
	g.Expect(a.Call(t, "POST", "/v1/approvals", a.target.Name("k"), good).Status).To(Equal(201))
}

func TestADigestIsPartOfWhatAnIdentifierCarries(t *testing.T) {
	g := NewWithT(t)
	f := open(t, approval.Settings{})
	s := f.Fresh()
	f.Created(t, s)
	s.Digest += "x"
	reply := f.Submit(t, s)
	g.Expect(reply.Status).To(Equal(409))
	g.Expect(reply.Get("code")).To(Equal("identifier_conflict"))
}
