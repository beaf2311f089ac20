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

func TestANameOfSeveralWordsIsFoundByOneOfThem(t *testing.T) {
	names := []string{"backoff-flat", "duplicate-consequence", "claim-missing", "claim-false", "closed-matter-continued"}
	for written, want := range map[string]string{
		"duplicate": "duplicate-consequence", "duplicates": "duplicate-consequence", "no-backoff": "backoff-flat", "matter_closed": "closed-matter-continued",
		"claim": "", "claims-missing-here": "claim-missing", "nothing-of-it": "",
	} {
		NewWithT(t).Expect(NearestName(written, names)).To(Equal(want), written)
	}
}
