package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestForgetLosesTheDeduplicationRecords(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, m("forget", "idempotency")), "approval.submit#2 received").Order).To(Equal(Order{Conduct: Conduct{Forget: true}}))
	g.Expect(stands(t, "forget")).To(Equal([]string{"received"}))
	g.Expect(wrong("forget")).To(Equal([]string{"forget: forget what? Write forget: idempotency"}))
}
