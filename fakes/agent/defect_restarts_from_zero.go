package agent

func restartsFromZero() defect {
	return defect{
		Info: Info{
			Name:      "restarts-from-zero",
			Summary:   "The conversation is on disk after each step: no finished step is made again after a kill.",
			Rule:      "finished-step-repeated",
			Scenarios: []string{"crash-at-step-six", "crash-after-step-six"},
			Covers:    []string{"A16"},
		},
		apply: func(p *policies) {
			p.loop.notebook = func(notebook) notebook { return &memory{} }
		},
	}
}

// memory is a notebook that ends with the process.
type memory struct{ talk talk }

func (m *memory) read() (*talk, error) { return &m.talk, nil }
func (m *memory) keep(*talk) error     { return nil }
