package container

import (
	"os"
	"os/exec"
	"testing"

	. "github.com/onsi/gomega"
)

func TestAnOwnerIsDeadWhenItsProcessHasEnded(t *testing.T) {
	g := NewWithT(t)
	me := self()
	if me.boot == "" {
		t.Skip("this system does not tell processes apart as Linux does")
	}
	again, ok := parseOwner(me.String())
	g.Expect(ok).To(BeTrue())
	g.Expect(again).To(Equal(me))
	g.Expect(me.dead(me)).To(BeFalse())

	child := exec.Command(os.Args[0], "-test.run=^$")
	g.Expect(child.Start()).To(Succeed())
	other := me
	other.pid, other.start = child.Process.Pid, startOf(child.Process.Pid)
	_ = child.Process.Kill()
	_ = child.Wait() // it was killed
	g.Expect(other.dead(me)).To(BeTrue())

	number := me
	number.start = "1"
	g.Expect(number.dead(me)).To(BeTrue(), "another process has its number now")
	elsewhere := other
	elsewhere.space = "pid:[1]"
	g.Expect(elsewhere.dead(me)).To(BeFalse(), "one in a container counts its processes itself")
	earlier := me
	earlier.boot = "another"
	g.Expect(earlier.dead(me)).To(BeTrue(), "the machine was started anew")
}

func TestOnlyWhatCarriesBothLabelsIsLeft(t *testing.T) {
	g := NewWithT(t)
	gone := owner{boot: "another", space: "s", pid: 1, start: "2"}.String()
	if self().boot == "" {
		t.Skip("this system does not tell processes apart as Linux does")
	}
	g.Expect(left(map[string]string{Label: "r", labelOwner: gone})).To(BeTrue())
	g.Expect(left(map[string]string{labelOwner: gone})).To(BeFalse())
	g.Expect(left(map[string]string{Label: "r"})).To(BeFalse())
	g.Expect(left(map[string]string{Label: "r", labelOwner: "a/b/c/d"})).To(BeFalse())
	g.Expect(left(ownLabels("r"))).To(BeFalse())
}
