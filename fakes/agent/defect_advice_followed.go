package agent

import "strings"

func adviceFollowed() defect {
	return defect{
		Info: Info{
			Name:      "advice-followed",
			Summary:   "A model may suggest; it cannot make a submission happen that the contract does not allow.",
			Rule:      "identifier-changed",
			Scenarios: []string{"adviser-urges-resubmission"},
			Covers:    []string{"B28"},
		},
		apply: func(p *policies) {
			pursue := p.pursue
			p.pursue = func(v *view, in *intent) move {
				if in.Advice != nil && strings.Contains(*in.Advice, "resubmit") && len(v.d.Bids) == 1 {
					return move{do: doSucceed, in: in}
				}
				return pursue(v, in)
			}
		},
	}
}
