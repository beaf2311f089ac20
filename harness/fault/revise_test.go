package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestReviseKeepsTheWrittenText(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("revise", m("amount", "0900.00", "note", "x")))
	g.Expect(moves(t, firing(t, e, "approval.submit#1 sent"))).To(Equal([]string{"revise t-1 map[amount:0900.00 note:x]"}))
	g.Expect(e.String()).To(Equal("revise: {amount: 0900.00, note: x}"))
	g.Expect(wrong("revise")).To(Equal([]string{"revise: revise what? Write the fields that change, such as revise: {amount: 900.00}"}))
	g.Expect(wrong(m("revise", "amount"))).To(Equal([]string{"revise: this takes a map, such as {amount: 900.00}, not \"amount\""}))
}
