package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Span is a duration as scenarios give it: a multiple of one of the run's
// limits, such as "2 attempt_timeout" or "0.5 verification_period". The zero
// value is no span.
type Span struct {
	_ struct{}

	Times float64
	Limit string // a name of contract.DurationNames
}

// maxTimes bounds a span; more is a slip of the pen.
const maxTimes = 1000

// ParseSpan reads a multiple of a limit.
func ParseSpan(text string) (Span, error) {
	number, limit, both := strings.Cut(text, " ")
	if !both {
		m := &Misuse{Message: fmt.Sprintf("%q is no duration: write a multiple of a limit, such as 0.5 attempt_timeout", text)}
		if near := Nearest(text, contract.DurationNames()); near != "" {
			m.Suggestion = "1 " + near
		}
		return Span{}, m
	}
	times, err := parseNumber(number)
	if err != nil {
		return Span{}, err
	}
	if _, ok := (contract.Limits{}).Lookup(limit); !ok {
		m := &Misuse{Offset: len(number) + 1, Message: fmt.Sprintf("unknown unit %q: durations are multiples of %s", limit, strings.Join(contract.DurationNames(), ", "))}
		if near := Nearest(limit, contract.DurationNames()); near != "" {
			m.Suggestion = number + " " + near
		}
		return Span{}, m
	}
	if times <= 0 || times > maxTimes {
		return Span{}, &Misuse{Message: fmt.Sprintf("%s is out of range: a multiple is more than 0 and at most %d", number, maxTimes)}
	}
	return Span{Times: times, Limit: limit}, nil
}

// parseNumber reads a plain decimal number. Signs, exponents, underscores and
// leading zeros are refused: YAML readers disagree about them.
func parseNumber(text string) (float64, error) {
	whole, part, dotted := strings.Cut(text, ".")
	if !digits(whole) || (dotted && !digits(part)) {
		m := &Misuse{Message: fmt.Sprintf("%q is no number: write digits, with a point where needed", text)}
		if plain := strings.ReplaceAll(text, "_", ""); plain != text {
			m.Suggestion = plain
		}
		return 0, m
	}
	if len(whole) > 1 && whole[0] == '0' {
		return 0, &Misuse{
			Message:    fmt.Sprintf("%q has a leading zero, which some readers take for octal", text),
			Suggestion: leadingZeros(text),
		}
	}
	return strconv.ParseFloat(text, 64)
}

func leadingZeros(text string) string {
	for len(text) > 1 && text[0] == '0' && text[1] != '.' {
		text = text[1:]
	}
	return text
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// IsZero tells whether there is no span.
func (s Span) IsZero() bool { return s.Limit == "" }

// Of is the span under these limits.
func (s Span) Of(l contract.Limits) time.Duration {
	d, _ := l.Lookup(s.Limit)
	return time.Duration(s.Times * float64(d))
}

// String is the span as scenarios write it.
func (s Span) String() string {
	if s.IsZero() {
		return ""
	}
	return strconv.FormatFloat(s.Times, 'f', -1, 64) + " " + s.Limit
}
