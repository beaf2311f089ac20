package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestTheNearestWordIsWhatWasMeant(t *testing.T) {
	for written, want := range map[string]string{
		"rest": "reset", "Reset": "reset", "kil": "kill", "paues": "pause", "dublicate": "duplicate", "holds": "hold", "redispach": "redispatch",
		"explode": "", "x": "", "": "",
	} {
		NewWithT(t).Expect(Nearest(written, Names())).To(Equal(want), written)
	}
}
