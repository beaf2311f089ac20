package dialect_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
)

func TestEqualContentsHaveEqualDigests(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		equal      bool
	}{
		{"order and space", `{"a":1,"b":{"c":[1,2],"d":"x"}}`, "{ \"b\": {\"d\":\"x\",\"c\":[1, 2]},\n\"a\": 1}", true},
		{"escapes", `{"a":"A<\u00e9"}`, `{"a":"\u0041\u003cé"}`, true},
		{"written numbers", `{"a":1200.00}`, `{"a":1200}`, false},
		{"a number and its text", `{"a":"1"}`, `{"a":1}`, false},
		{"large numbers", `{"a":10000000000000000000001}`, `{"a":10000000000000000000002}`, false},
		{"order of a list", `[1,2]`, `[2,1]`, false},
		{"a null field and none", `{"a":null}`, `{}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			a, b := dialect.ContentDigest([]byte(c.a)), dialect.ContentDigest([]byte(c.b))
			g.Expect(a).To(HavePrefix("sha256:"))
			if c.equal {
				g.Expect(a).To(Equal(b))
			} else {
				g.Expect(a).NotTo(Equal(b))
			}
		})
	}
}

func TestNoContentHasNoDigest(t *testing.T) {
	g := NewWithT(t)
	for _, none := range []string{"", "null", "{", `{} {}`, "nonsense"} {
		g.Expect(dialect.ContentDigest([]byte(none))).To(BeEmpty(), none)
	}
}
