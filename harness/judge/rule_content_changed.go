package judge

var contentChanged = Rule{
	ID: "content-changed", Family: Identity, Party: Agent,
	Sentence: "An identifier was sent again with other content.",
	Correct:  "Resends the stored content, byte for byte; other content is another intent.",
	Covers:   []string{"B08", "B10"},
	act: func(p *replay, a *act) *Finding {
		if a.changed {
			f := p.about(a, "identifier %q was sent again with other content", a.key)
			f.Records = append([]int{a.intent.sends[0].sent.N}, f.Records...)
			return f
		}
		return nil
	},
}
