package judge

var concurrentDuplicate = Rule{
	ID: "concurrent-duplicate", Family: Services, Party: Service,
	Sentence: "A service executed two identical requests that reached it at the same time.",
	Correct:  "Lets one of them win, by a unique constraint on scope and identifier, and answers the other with its result.",
	Covers:   []string{"B11", "C2"},
	end: func(p *replay) []*Finding {
		return p.broken(p.overlapped, "the %s was executed twice: the second request for one identifier was under way when the first was executed")
	},
}

// overlapped tells whether the request that was executed second had been sent
// when the first was executed, by a service that saves deduplication records.
func (p *replay) overlapped(i *intent) bool {
	first, second := i.created[0], i.created[1]
	c := p.index.calls[second.Call]
	return i.storedN != 0 && c != nil && second.Call != first.Call && c.sent.N < first.N
}
