package agent

func exceptionText() defect {
	return defect{
		Info: Info{
			Name:      "exception-text",
			Summary:   "A failure comes back from the tool layer as data, and not as the text of an exception.",
			Rule:      "error-unstructured",
			Scenarios: []string{"denied-deletion", "search-times-out"},
			Covers:    []string{"A06", "A11"},
		},
		apply: func(p *policies) {
			p.loop.payload = func(f failure, _ limits) string {
				return "Traceback (most recent call last):\n  File \"tools.py\", line 21, in call_tool\n" + f.Error + "Error: " + f.Message
			}
		},
	}
}
