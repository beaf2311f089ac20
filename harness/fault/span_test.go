package fault

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

func TestASpanIsAMultipleOfALimit(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"2 attempt_timeout":       16 * time.Second,
		"1.2 retention":           48 * time.Second,
		"0.5 verification_period": 30 * time.Second,
		"3 backoff_base":          1500 * time.Millisecond,
		"0.25 backoff_max":        2 * time.Second,
	} {
		g := NewWithT(t)
		s, err := ParseSpan(text)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(s.Of(contract.Defaults())).To(Equal(want), text)
		g.Expect(s.String()).To(Equal(text))
		g.Expect(s.Of(contract.Defaults().Scale(0.5))).To(Equal(want/2), text)
	}
}

func TestASpanInAnotherUnitIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"500ms":              `"500ms" is no duration: write a multiple of a limit, such as 0.5 attempt_timeout`,
		"retention":          `"retention" is no duration: write a multiple of a limit, such as 0.5 attempt_timeout (did you mean "1 retention"?)`,
		"2 seconds":          `unknown unit "seconds": durations are multiples of attempt_timeout, backoff_base, backoff_max, verification_period, retention`,
		"2 atempt_timeout":   `unknown unit "atempt_timeout": durations are multiples of attempt_timeout, backoff_base, backoff_max, verification_period, retention (did you mean "2 attempt_timeout"?)`,
		"02 retention":       `"02" has a leading zero, which some readers take for octal (did you mean "2"?)`,
		"1_0 retention":      `"1_0" is no number: write digits, with a point where needed (did you mean "10"?)`,
		"-1 retention":       `"-1" is no number: write digits, with a point where needed`,
		"1e3 retention":      `"1e3" is no number: write digits, with a point where needed`,
		".5 retention":       `".5" is no number: write digits, with a point where needed`,
		"0 retention":        "0 is out of range: a multiple is more than 0 and at most 1000",
		"1001 retention":     "1001 is out of range: a multiple is more than 0 and at most 1000",
		"1 retention please": `unknown unit "retention please": durations are multiples of attempt_timeout, backoff_base, backoff_max, verification_period, retention`,
	} {
		_, err := ParseSpan(text)
		NewWithT(t).Expect(err).To(MatchError(want), text)
	}
}
