package reports

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestEnvironmentDecidesAboutColours(t *testing.T) {
	for name, tc := range map[string]struct {
		environ     []string
		live, color bool
	}{
		"terminal":         {[]string{"TERM=xterm"}, true, true},
		"no colour wanted": {[]string{"TERM=xterm", "NO_COLOR=1"}, true, false},
		"any value counts": {[]string{"TERM=xterm", "NO_COLOR=no"}, true, false},
		"empty is unset":   {[]string{"TERM=xterm", "NO_COLOR="}, true, true},
		"dumb":             {[]string{"TERM=dumb"}, false, false},
		"unknown":          {nil, false, false},
		"last one counts":  {[]string{"TERM=dumb", "TERM=xterm"}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			look := environment(Look{Live: true, Width: 70}, tc.environ)
			g.Expect(look).To(Equal(Look{Width: 70, Live: tc.live, Color: tc.color}))
		})
	}
}
