package judge

// tri is whether something holds: the evidence may not force it.
type tri uint8

const (
	no tri = iota
	maybe
	yes
)

func known(holds bool) tri {
	if holds {
		return yes
	}
	return no
}

// either is what remains known where it can be as a says or as b says.
func either(a, b tri) tri {
	if a == b {
		return a
	}
	return maybe
}

// both holds where a and b hold.
func both(a, b tri) tri { return min(a, b) }

// not holds where a does not.
func (a tri) not() tri { return yes - a }
