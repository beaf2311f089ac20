package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var previewUnfounded = Rule{
	ID: "preview-unfounded", Family: Truth, Party: Agent, Hears: true,
	Sentence: "A preview was claimed of what was sent, or of what the contract lets an agent send.",
	Correct:  "Prepares a preview only where neither idempotency nor a query entry is promised, and before anything is sent.",
	Covers:   []string{"B38"},
	Duties:   []string{contract.ClaimPreview},
	state: func(p *replay, s *statement) *Finding {
		if s.state() != "preview_ready" && s.state() != "preview" {
			return nil
		}
		about := s.about()
		if len(about) == 0 {
			return nil
		}
		p.expectDependents(s.work, s.rec.At)
		for _, i := range about {
			for _, of := range append([]*intent{i}, i.depends[submission+1:]...) {
				if of != nil && p.mayPreview(of, s) {
					return nil
				}
			}
		}
		i := about[0]
		return p.says(s, i, "says %s while the submission was %s, and the contract does not ask for a preview of it", s.state(), i.mind(s.work).set)
	},
}

// mayPreview tells whether some way in which an intent can stand asks for a preview.
func (p *replay) mayPreview(i *intent, s *statement) bool {
	for _, way := range p.situations(i, s.work, s.rec.At) {
		if way.row.Demands(contract.ClaimPreview) {
			return true
		}
	}
	return false
}
