package fault

import (
	"slices"
	"strings"
)

// Nearest returns the word of the list that is closest to what was written, or
// "" when none is close enough to be what was meant. Case does not count.
func Nearest(written string, among []string) string {
	best, bestAt := "", 1+min(3, max(1, len(written)/3))
	for _, word := range among {
		if d := distance(lower(written), lower(word), bestAt); d < bestAt {
			best, bestAt = word, d
		}
	}
	return best
}

// NearestName is [Nearest] for names that are made of several words, as those of
// rules are: when none is spelt nearly so, it is the one that has the most words
// in common with what was written.
func NearestName(written string, among []string) string {
	if near := Nearest(written, among); near != "" {
		return near
	}
	return sharing(written, among)
}

// sharing is the one name made of several words that has the most words in
// common with what was written; "" when none has, or two have as many.
func sharing(written string, among []string) string {
	best, most := "", 0
	words := split(written)
	for _, name := range among {
		n, others := 0, split(name)
		for _, w := range words {
			if len(w) > 3 && slices.ContainsFunc(others, func(o string) bool { return w == o || distance([]byte(w), []byte(o), 2) < 2 }) {
				n++
			}
		}
		switch {
		case n > most:
			best, most = name, n
		case n == most:
			best = ""
		}
	}
	return best
}

func split(name string) []string {
	return strings.FieldsFunc(string(lower(name)), func(r rune) bool { return r == '-' || r == '_' || r == ' ' || r == '.' })
}

func lower(s string) []byte {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// distance counts insertions, deletions, substitutions and swaps of
// neighbours. It gives up, with limit, when the lengths alone say so: what a
// person writes can be long.
func distance(a, b []byte, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
