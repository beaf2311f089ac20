package fault

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestStatusAnswersForTheService(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("status", m("code", 429, "retry_after", "2 backoff_base", "body", "slow down")))
	g.Expect(firing(t, e, "approval.submit#1 received").Order.Answer).To(Equal(&Answer{Status: 429, RetryAfter: time.Second, Body: "slow down"}))
	g.Expect(e.String()).To(Equal("status: {code: 429, retry_after: 2 backoff_base, body: \"slow down\"}"))
	g.Expect(firing(t, effect(t, m("status", m("code", 502))), "approval.submit#1 committed").Order.Answer).To(Equal(&Answer{Status: 502}))
	g.Expect(stands(t, "status")).To(Equal([]string{"received", "validated", "committed"}))
	g.Expect(wrong(m("status", m("code", 99)))).To(Equal([]string{"status.code: 99 is out of range: from 200 to 599"}))
	g.Expect(wrong(m("status", m("retry_after", "1 backoff_base")))).To(Equal([]string{"status: the field \"code\" is missing"}))
	kind, _ := FindKind("status")
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 replied"))).To(MatchError("status comes too late at replied: the service has written its reply; use received or validated or committed"))
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 sent"))).To(MatchError("status comes too early at sent: the service does not have the request; use received or validated or committed"))
}
