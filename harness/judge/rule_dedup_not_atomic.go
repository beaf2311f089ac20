package judge

var dedupNotAtomic = Rule{
	ID: "dedup-not-atomic", Family: Services, Party: Service,
	Sentence: "A service saved a consequence and its deduplication record apart, and lost the record.",
	Correct:  "Links deduplication and execution in one transaction, or by a unique constraint.",
	Covers:   []string{"B13"},
	end: func(p *replay) []*Finding {
		return p.broken(func(i *intent) bool { return !i.storedBefore(i.created[1].N) },
			"the %s was executed again for one identifier: the record of the first was not there")
	},
}

// storedBefore tells whether the deduplication record of the intent stood in the ledger by then.
func (i *intent) storedBefore(n int) bool { return i.storedN != 0 && i.storedN < n }
