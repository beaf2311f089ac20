package harmless

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// concealed tells whether a character does something else than show itself:
// controls (C0, DEL, C1), format characters such as those that reorder or join
// text, private use, and surrogates. A terminal or a page never gets one raw.
func concealed(c rune) bool {
	if ' ' <= c && c < 0x7f {
		return false
	}
	return c != ' ' && unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) ||
		unicode.Is(unicode.Variation_Selector, c)
}

// maxMarks is how many combining characters one character keeps: more would
// grow out of its line.
const maxMarks = 3

// Line makes one bounded line of harmless text: what is concealed is written
// as its escape, invalid UTF-8 becomes U+FFFD, and what exceeds limit
// characters is cut with an ellipsis. Line ends become blanks.
func Line(s string, limit int) string {
	var out strings.Builder
	n, marks := 0, 0
	for i, c := range s {
		if n >= limit {
			out.WriteString("…")
			break
		}
		n++
		if unicode.Is(unicode.M, c) {
			if marks++; marks > maxMarks {
				continue
			}
		} else {
			marks = 0
		}
		switch {
		case c == '\n' || c == '\t':
			out.WriteByte(' ')
		case c == '\r':
			if !strings.HasPrefix(s[i:], "\r\n") {
				out.WriteString(`\r`)
			}
		case c == utf8.RuneError:
			out.WriteRune(utf8.RuneError)
		case c < 0x100 && concealed(c):
			fmt.Fprintf(&out, `\x%02x`, c)
		case c > 0xffff && concealed(c):
			fmt.Fprintf(&out, `\U%08x`, c)
		case concealed(c):
			fmt.Fprintf(&out, `\u%04x`, c)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}
