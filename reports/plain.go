package reports

import "github.com/lostreceipt/lostreceipt/reports/harmless"

// plain makes one bounded line of harmless text.
func plain(s string, limit int) string { return harmless.Line(s, limit) }
