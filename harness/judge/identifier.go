package judge

import "time"

// identifier is one Idempotency-Key of an intent; "" stands for the sends
// without one, which nothing can recognise.
type identifier struct {
	key string
	// Its retention is counted from first at the earliest and late at the latest: sends before late are known
	// to have had no effect.
	first, late time.Duration
	dead        tri   // fenced or refused for good, as evidence has shown
	sends       tally // under it, by whether they are known to have had no effect
}

// tally counts what surely is not so, what may be so and what surely is.
type tally [yes + 1]int

func (n *tally) move(from, to tri, by int) {
	n[from] -= by
	n[to] += by
}

// same tells whether an identifier is one that the intent was sent under.
func (i *intent) same(key string) bool { return key != "" && i.ids[key] != nil }

// identify finds or notes the identifier of a send, which was recorded some time
// from early on and left at an instant.
func (i *intent) identify(key string, early, at time.Duration) *identifier {
	id := i.ids[key]
	if id == nil {
		id = &identifier{key: key, first: early, late: at}
		i.ids[key] = id
	}
	return id
}

// add counts a send that left at an instant. Where all sends before it are known
// to have had no effect, periods may be counted from it.
func (i *intent) add(c *call, early, at time.Duration) {
	id := i.identify(c.key(), early, at)
	if len(i.sends) == 0 {
		id.first = min(id.first, i.began) // it may have been recorded, and have left, just before a kill
	}
	if i.spent[no] == 0 {
		i.beganLate = max(i.beganLate, at)
	}
	if id.sends[no] == 0 {
		id.late = at
	}
	id.sends[no]++
	i.spent[id.dead]++
	i.last = id
	i.sends = append(i.sends, c)
}

// spend notes that a send had, or may have had, no effect, whatever is known of
// others.
func (i *intent) spend(c *call, known tri) {
	id := i.ids[c.key()]
	if id == nil || known <= c.spent {
		return
	}
	id.sends.move(c.spent, known, 1)
	i.spent.move(max(c.spent, id.dead), max(known, id.dead), 1)
	c.spent = known
}

// bury notes that an identifier is dead, or may be: what was sent under it never
// executes.
func (i *intent) bury(key string, known tri) {
	id := i.ids[key]
	if id == nil || known <= id.dead {
		return
	}
	for spent, n := range id.sends {
		i.spent.move(max(tri(spent), id.dead), max(tri(spent), known), n)
	}
	id.dead, i.buried = known, true
}

// others is whether sends of the intent other than c are known to have had no
// effect.
func (i *intent) others(c *call) tri {
	n := i.spent
	if id := i.ids[c.key()]; id != nil {
		n[max(c.spent, id.dead)]--
	}
	return n.all()
}

// without is whether the sends under other identifiers than this one are known
// to have had no effect.
func (i *intent) without(key string) tri {
	n := i.spent
	if id := i.ids[key]; id != nil {
		for spent, sends := range id.sends {
			n[max(tri(spent), id.dead)] -= sends
		}
	}
	return n.all()
}

// all is what is known to hold for all that were counted.
func (n tally) all() tri {
	switch {
	case n[no] > 0:
		return no
	case n[maybe] > 0:
		return maybe
	}
	return yes
}
