package judge

var controlFlooded = Rule{
	ID: "control-flooded", Family: Bounds, Party: Agent, Hears: true,
	Sentence: "The control plane was flooded until the run had to be ended.",
	Correct:  "Asks at most a few times a second, and waits where the protocol offers to wait.",
	Covers:   []string{"B27"},
	end: func(p *replay) []*Finding {
		if p.ended == nil || p.ended.Run.Reason != "flooded" {
			return nil
		}
		f := &Finding{Observed: "the run was ended because the agent flooded the control plane", Records: []int{p.ended.N}}
		if len(p.order) > 0 {
			f.Task = p.order[0].id
		}
		return []*Finding{f}
	},
}
