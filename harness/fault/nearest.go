package fault

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
