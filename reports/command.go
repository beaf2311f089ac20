package reports

import (
	"regexp"
	"slices"
	"strings"
)

// Redacted stands for a secret on a reported command line.
const Redacted = "[redacted]"

var secretName = regexp.MustCompile(`(?i)(token|secret|password|passwd|api-?_?key|credential)`)

// Redact takes secrets out of a command line that is reported: the values of
// flags and variables whose names say so.
func Redact(words []string) []string {
	out := slices.Clone(words)
	for i, word := range words {
		name, _, assigned := strings.Cut(word, "=")
		switch {
		case !secretName.MatchString(name):
		case assigned:
			out[i] = name + "=" + Redacted
		case strings.HasPrefix(word, "-") && i+1 < len(words):
			out[i+1] = Redacted
		}
	}
	return out
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+,-]+$`)

// CommandLine writes words so that a POSIX shell reads them again.
func CommandLine(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		out[i] = word
		if !plainWord.MatchString(word) {
			out[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
