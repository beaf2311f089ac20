package judge

var historyRewritten = Rule{
	ID: "history-rewritten", Family: Truth, Party: Agent, Hears: true,
	Sentence: "A task that had ended was ended again in another way.",
	Correct:  "Posts one result; what is learned later amends the escalation and never replaces what was said.",
	Covers:   []string{"B35", "B29"},
	state: func(p *replay, s *statement) *Finding {
		all := s.work.task.results
		if !s.result || len(all) < 2 || all[0].Control.State == s.state() {
			return nil
		}
		f := p.on(s, "the result was %s and is now said to be %s", all[0].Control.State, s.state())
		f.Records = append(numbers(all[0]), f.Records...)
		return f
	},
}
