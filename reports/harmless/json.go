package harmless

import (
	"bytes"
	"fmt"
	"unicode/utf16"
)

// JSON escapes, inside JSON text, what a terminal might act on: DEL, the C1
// controls and what reorders or hides text. They can only stand in strings.
func JSON(text []byte) []byte {
	if !bytes.ContainsFunc(text, unsafeInJSON) {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for _, c := range string(text) {
		switch {
		case !unsafeInJSON(c):
			out = append(out, string(c)...)
		case c > 0xffff:
			hi, lo := utf16.EncodeRune(c)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, c)
		}
	}
	return out
}

func unsafeInJSON(c rune) bool { return c != '\n' && concealed(c) }
