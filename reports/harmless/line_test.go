package harmless

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	. "github.com/onsi/gomega"
	"pgregory.net/rapid"
)

func TestLineShowsWhatItDoesNotLetAct(t *testing.T) {
	for in, want := range map[string]string{
		"text":                             "text",
		"a\nb\tc\r\nd":                     "a b c d",
		"a\rb":                             `a\rb`,
		"\x1b[31m":                         `\x1b[31m`,
		"\u009b31m\x7f\x00":                `\x9b31m\x7f\x00`,
		"\u202egpj.exe":                    `\u202egpj.exe`,
		"\U000e0041":                       `\U000e0041`,
		"a\u200bb":                         `a\u200bb`,
		"\xff\xfe":                         "\ufffd\ufffd",
		"e\u0301\u0301\u0301\u0301\u0301x": "e\u0301\u0301\u0301x",
		"日本":                               "日本",
		"":                                 "",
	} {
		NewWithT(t).Expect(Line(in, 100)).To(Equal(want), "%q", in)
	}
	g := NewWithT(t)
	g.Expect(Line("abcdef", 3)).To(Equal("abc…"))
	g.Expect(Line("abc", 3)).To(Equal("abc"))
}

func TestLineIsAlwaysOneHarmlessBoundedLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		limit := rapid.IntRange(1, 50).Draw(t, "limit")
		out := Line(in, limit)
		if !utf8.ValidString(out) || strings.ContainsFunc(out, unicode.IsControl) || strings.ContainsFunc(out, concealed) {
			t.Fatalf("%q became %q", in, out)
		}
		if n := utf8.RuneCountInString(out); n > 10*limit+1 {
			t.Fatalf("%d characters, limit %d", n, limit)
		}
	})
}
