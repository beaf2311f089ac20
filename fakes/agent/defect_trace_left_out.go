package agent

func traceLeftOut() defect {
	return defect{
		Info: Info{
			Name:      "trace-left-out",
			Summary:   "A person who takes over is told the last error and the trace.",
			Rule:      "escalation-incomplete",
			Scenarios: []string{"model-repeats-itself"},
			Covers:    []string{"A18"},
		},
		apply: func(p *policies) {
			p.loop.matter = func(m *matter) { m.LastError, m.Trace = "", nil }
		},
	}
}
