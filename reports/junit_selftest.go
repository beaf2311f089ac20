package reports

import (
	"fmt"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// junit is the self-test as a suite of its own: a case for each correct design,
// which must be clean, and for each defect, which must be killed by its rule.
func (t *SelfTest) junit(timestamp string) junitSuite {
	suite := junitSuite{Name: "lostreceipt self-test", Time: seconds(0), Timestamp: timestamp}
	add := func(name string, problem *junitProblem) {
		suite.Cases = append(suite.Cases, junitCase{Class: "lostreceipt.selftest", Name: name, Time: seconds(0), Failure: problem})
	}
	for _, d := range t.Designs {
		var problem *junitProblem
		if d.Outcome != judge.Pass {
			text := "correct design " + plain(d.Name, maxName) + " is not clean"
			problem = &junitProblem{Type: plain(string(d.Outcome), maxName), Message: text, Text: names(d.Problems, maxShown)}
		}
		add("correct design "+plain(d.Name, maxName)+" is clean", problem)
	}
	for _, d := range t.defects() {
		var problem *junitProblem
		if text := d.problem(); text != "" {
			problem = &junitProblem{Type: "not-killed", Message: text}
		}
		add(fmt.Sprintf("defect %s is killed by %s", plain(d.name, maxName), plain(d.rule, maxName)), problem)
	}
	if len(suite.Cases) == 0 {
		for _, text := range t.Problems() {
			add("the self-test as a whole", &junitProblem{Type: "empty", Message: text})
		}
	}
	suite.count()
	return suite
}
