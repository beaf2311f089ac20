package agent

import "context"

func noIdentifier() defect {
	return defect{
		Info: Info{
			Name:      "no-identifier",
			Summary:   "Each confirmed version has one stable identifier, and every write carries it.",
			Rule:      "identifier-missing",
			Scenarios: []string{"no-fault", "lost-receipt-reset"},
			Covers:    []string{"B07"},
		},
		apply: func(p *policies) {
			p.door = func() caller { return keyless{newDoor()} }
		},
	}
}

// keyless leaves the identifier out of what it sends.
type keyless struct{ caller }

func (k keyless) call(ctx context.Context, r request) reply {
	r.key = ""
	return k.caller.call(ctx, r)
}
