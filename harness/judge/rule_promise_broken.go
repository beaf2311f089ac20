package judge

import "fmt"

var promiseBroken = Rule{
	ID: "promise-broken", Family: Services, Party: Service,
	Sentence: "A service did not keep what it promises.",
	Correct:  "Keeps its declared guarantees: one identifier, one consequence, while it is retained; no effect where it says so; what is fenced is never executed.",
	Covers:   []string{"B11", "B12", "B13", "B39", "C2"},
	end: func(p *replay) []*Finding {
		again := p.broken(func(i *intent) bool { return i.storedBefore(i.created[1].N) && !p.overlapped(i) },
			"the %s was executed again for one identifier, which stood in the deduplication records")
		return append(again, p.promises.breaches...)
	},
}

// broken finds intents of which the service made more than one consequence out
// of lawful sends of one identifier inside its retention.
func (p *replay) broken(which func(*intent) bool, observed string) []*Finding {
	var out []*Finding
	for _, t := range p.order {
		for _, i := range t.intents() {
			if len(i.created) < 2 || len(i.wrongs) > 0 && i.wrongs[0] < i.created[1].N {
				continue
			}
			if !i.promise.Idempotency.Supported || !p.withinRetention(i, i.created[1]) || !which(i) {
				continue
			}
			out = append(out, &Finding{
				Task: t.id, Intent: i.String(), Records: numbers(i.created...), Observed: fmt.Sprintf(observed, i.form),
			})
		}
	}
	return out
}
