package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestRevokeIsOfAConfirmationOrAPermission(t *testing.T) {
	g := NewWithT(t)
	g.Expect(moves(t, firing(t, effect(t, m("revoke", "permission")), "approval.submit#1 sent"))).To(Equal([]string{"revoke t-1 permission"}))
	g.Expect(wrong("revoke")).To(Equal([]string{"revoke: revoke what? Write revoke: confirmation or revoke: permission"}))
	g.Expect(wrong(m("revoke", "permissions"))).To(Equal([]string{"revoke: unknown authorization \"permissions\" (did you mean \"permission\"?)"}))
}
