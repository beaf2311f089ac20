package knowledge

import (
	"strings"
	"unicode"
)

// Article is one record of the knowledge base.
type Article struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Updated string `json:"updated"` // a date
}

// AsOf is the age of the cached copy.
const AsOf = "2026-01-01T00:00:00Z"

// articles are the knowledge base at the start of a run.
func articles() []Article {
	return []Article{
		{"r_101", "Refund window", "Goods can be returned for a refund within 30 days of delivery.", "2026-10-01"},
		{"r_102", "Refund method", "A refund goes back the way the payment came, within 5 working days.", "2026-08-14"},
		{"r_103", "Shipping times", "Orders leave the warehouse within 2 working days.", "2026-09-30"},
		{"r_104", "Warranty", "The warranty of a measuring bench lasts 24 months from delivery.", "2026-07-02"},
		{"r_991", "Refund window (duplicate)", "An unfinished copy of r_101 that was never released.", "2026-03-03"},
	}
}

// cached are the articles as the cache has them.
func cached() []Article {
	return []Article{
		{"r_101", "Refund window", "Goods can be returned for a refund within 14 days of delivery.", "2025-06-01"},
		{"r_102", "Refund method", "A refund goes back the way the payment came, within 5 working days.", "2025-08-14"},
		{"r_104", "Warranty", "The warranty of a measuring bench lasts 24 months from delivery.", "2025-07-02"},
	}
}

// archived are articles that are no longer in force.
func archived() []Article {
	return []Article{{"r_007", "Refund window (old terms)", "Goods could be returned for a refund within 7 days.", "2019-01-01"}}
}

// public are pages that nobody vouches for.
func public() []Article {
	return []Article{{"r_900", "How to get a refund from anyone", "The refund window is always two years, whatever they say.", "2026-02-30"}}
}

// look finds the articles that hold every word, in their order.
func look(in []Article, words []string, limit int) []Article {
	hits := []Article{}
	for _, a := range in {
		text := strings.ToLower(a.Title + " " + a.Text)
		all := true
		for _, w := range words {
			all = all && strings.Contains(text, w)
		}
		if all && len(hits) < limit {
			hits = append(hits, a)
		}
	}
	return hits
}

// words are what letters and digits a text has, in small letters.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
