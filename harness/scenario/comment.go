package scenario

import (
	"fmt"
	"regexp"
	"strings"
)

// trap is a comment whose # touches a word.
type trap struct {
	line, column int
	after        string // what touches it
	value        bool   // something stands before it on its line
}

func (t trap) message() string {
	const comment = "put a blank behind the # if it is a comment"
	if !t.value {
		return fmt.Sprintf("a # begins a comment, so %q is not read: %s", "#"+t.after, comment)
	}
	return fmt.Sprintf("a # with a blank before it begins a comment, so %q is not read: close the gap before it if it belongs to the value, or %s", "#"+t.after, comment)
}

// block finds the head of a block scalar, whose lines may hold anything.
var block = regexp.MustCompile(`(^|[:\-?] +)[|>][-+0-9]*\s*(#.*)?$`)

// commentTraps finds comments that were hardly meant to be any. It reads lines
// and not nodes, because such a comment can make the rest no YAML at all.
func commentTraps(lines []string) []trap {
	var traps []trap
	var quote byte // the quote in which a scalar is open across lines
	inside := -1   // the indent that lines of an open block scalar must exceed
	depth := 0     // of flow collections
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if inside >= 0 {
			if strings.TrimSpace(line) == "" || indent > inside {
				continue
			}
			inside = -1
		}
		begin := quote == 0 // whether a scalar may begin here
		blank := true       // whether the last byte was a blank, or there was none
		var last byte       // the last byte that was none
		for j := 0; j < len(line); j++ {
			c := line[j]
			if quote != 0 {
				switch {
				case c == '\\' && quote == '"':
					j++
				case c == quote && quote == '\'' && j+1 < len(line) && line[j+1] == '\'':
					j++
				case c == quote:
					quote, begin, blank, last = 0, false, false, c
				}
				continue
			}
			switch {
			case c == '#' && blank:
				rest := line[j+1:]
				if word := strings.TrimLeft(rest, "#"); word != "" && word[0] != ' ' && word[0] != '\t' {
					traps = append(traps, trap{i + 1, j + 1, firstWord(rest), last != 0})
				}
				j = len(line)
				continue
			case (c == '"' || c == '\'') && begin:
				quote = c
				continue
			case (c == '[' || c == '{') && begin:
				depth++
				last, blank = c, false
				continue // a scalar may begin
			case (c == ']' || c == '}') && depth > 0:
				depth--
				begin = false
			case c == ',' && depth > 0:
				begin = true
			case c == ' ' || c == '\t':
				if last == ':' || (last == '-' && onlyDashes(line[:j])) {
					begin = true
				}
				blank = true
				continue
			case c == '-' && onlyDashes(line[:j+1]):
			default:
				begin = false
			}
			blank, last = false, c
		}
		if quote == 0 && depth == 0 && block.MatchString(line) {
			inside = indent
		}
	}
	return traps
}

// onlyDashes tells whether a line has nothing but blanks and dashes so far.
func onlyDashes(s string) bool { return strings.Trim(s, " -") == "" }

func firstWord(s string) string {
	if f := strings.Fields(s); len(f) > 0 {
		return f[0]
	}
	return ""
}
