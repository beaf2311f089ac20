package gate_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"pgregory.net/rapid"

	"github.com/lostreceipt/lostreceipt/reports/gate"
)

const whole = `# what must hold before a release
agent:
  name: my-agent
  allow_reference: true
require:
  requirements: [C1, C2]
  rows: all
  self_test: true
  catalogue: sha256:cat
  contract: con
  max_age: 36h
allow:
  undetermined: 2
  vacuous: 1
  not_applicable: [purchase]
  unjudged: [truth]
waivers:
  - {scenario: lost-receipt, rule: backoff-flat, owner: payments, reason: "the client is replaced in May", expires: 2027-01-31}
`

func TestAPolicyIsRead(t *testing.T) {
	g := NewWithT(t)
	p, err := gate.Parse("gate.yaml", []byte(whole), known())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(p).To(Equal(&gate.Policy{
		File: "gate.yaml", Agent: "my-agent", AllowReference: true, Requirements: []string{"C1", "C2"}, AllRows: true, SelfTest: true,
		Catalogue: "sha256:cat", Contract: "con", MaxAge: 36 * time.Hour, Undetermined: 2, Vacuous: 1, NotApplicable: []string{"purchase"}, Unjudged: []string{"truth"},
		Waivers: []gate.Waiver{{
			Scenario: "lost-receipt", Rule: "backoff-flat", Owner: "payments", Reason: "the client is replaced in May",
			Expires: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Line: 18,
		}},
	}))
}

func TestWhatIsWrongInAPolicyIsToldWithItsPlace(t *testing.T) {
	const name = "agent: {name: a}\n"
	for name, tc := range map[string]struct{ text, want string }{
		"empty":                {"", "gate.yaml:1:1: the file is empty: a policy names at least the agent, as agent: {name: my-agent}"},
		"only a comment":       {"# later\n", "gate.yaml:1:1: the file is empty: a policy names at least the agent, as agent: {name: my-agent}"},
		"no mapping":           {"[a]\n", "gate.yaml:1:1: a policy is a mapping of agent, allow, require, waivers"},
		"two documents":        {name + "---\n" + name, "gate.yaml:2:1: a second document begins here: a file holds one policy"},
		"no agent":             {"allow: {vacuous: 1}\n", "gate.yaml:1:1: the policy names no agent: without agent: {name: my-agent}, the report of any agent would pass"},
		"no name":              {"agent: {allow_reference: true}\n", "gate.yaml:1:8: the agent has no name: without one, the report of any agent would pass"},
		"a name that is empty": {"agent: {name: \"\"}\n", "gate.yaml:1:15: the agent's name is a text"},
		"misspelt":             {name + "waiver: []\n", `gate.yaml:2:1: unknown field "waiver" (did you mean "waivers"?)`},
		"misspelt inside":      {"agent: {nmae: a}\n", "gate.yaml:1:9: unknown field \"nmae\" (did you mean \"name\"?)\ngate.yaml:1:8: the agent has no name: without one, the report of any agent would pass"},
		"far from anything":    {name + "deadline: 3\n", `gate.yaml:2:1: unknown field "deadline": one of agent, allow, require, waivers`},
		"twice":                {name + name, `gate.yaml:2:1: field "agent" stands twice`},
		"a requirement":        {name + "require:\n  requirements: [C1, C22]\n", `gate.yaml:3:22: unknown requirement "C22" (did you mean "C2"?)`},
		"a row":                {name + "require: {rows: [first-sent]}\n", `gate.yaml:2:18: unknown row "first-sent" (did you mean "first-send"?)`},
		"some of something":    {name + "require: {rows: some}\n", "gate.yaml:2:17: here stands all, or a list of rows"},
		"a capability":         {name + "allow: {not_applicable: [purchases]}\n", `gate.yaml:2:26: unknown capability "purchases" (did you mean "purchase"?)`},
		"a capability twice":   {name + "allow: {not_applicable: [purchase, purchase]}\n", `gate.yaml:2:36: capability "purchase" stands twice`},
		"a number":             {name + "allow: {undetermined: -1}\n", "gate.yaml:2:23: undetermined is a number of scenarios, 0 or more"},
		"a number in words":    {name + "allow: {vacuous: many}\n", "gate.yaml:2:18: vacuous is a number of scenarios, 0 or more"},
		"yes or no":            {name + "require: {self_test: please}\n", "gate.yaml:2:22: self_test is true or false"},
		"an age":               {name + "require: {max_age: 2 days}\n", "gate.yaml:2:20: max_age is a time of more than 0, as 24h or 90m"},
		"a list":               {name + "waivers: {scenario: a}\n", "gate.yaml:2:10: waivers is a list, each with scenario, rule, owner, reason and expires"},
		"a waiver that lacks": {
			name + "waivers:\n  - {scenario: a, rule: backoff-flat, expires: 2027-01-31}\n",
			"gate.yaml:3:5: the waiver has no owner: it needs scenario, rule, owner, reason and expires\ngate.yaml:3:5: the waiver has no reason: it needs scenario, rule, owner, reason and expires",
		},
		"a rule": {
			name + "waivers:\n  - {scenario: a, rule: backof-flat, owner: o, reason: r, expires: 2027-01-31}\n",
			`gate.yaml:3:25: unknown rule "backof-flat" (did you mean "backoff-flat"?)`,
		},
		"a rule that is only meant": {
			name + "waivers:\n  - {scenario: a, rule: duplicates, owner: o, reason: r, expires: 2027-01-31}\n",
			`gate.yaml:3:25: unknown rule "duplicates" (did you mean "duplicate-consequence"?)`,
		},
		"a tab": {"agent:\n\tname: a\n", "gate.yaml:2:1: a tab indents this line, and YAML is indented with blanks only: put blanks in its place"},
		"a day": {
			name + "waivers:\n  - {scenario: a, rule: backoff-flat, owner: o, reason: r, expires: 2027-02-30}\n",
			"gate.yaml:3:69: expires is a day, as 2027-01-31",
		},
		"a waiver twice": {
			name + "waivers:\n  - &w {scenario: a, rule: backoff-flat, owner: o, reason: r, expires: 2027-01-31}\n  - {scenario: a, rule: backoff-flat, owner: p, reason: r, expires: 2027-01-31}\n",
			`gate.yaml:4:5: rule "backoff-flat" in scenario "a" is waived in line 3 already`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gate.Parse("gate.yaml", []byte(tc.text), known())
			NewWithT(t).Expect(err).To(MatchError(tc.want))
		})
	}
}

func TestWhatIsNoYAMLIsToldWithItsPlace(t *testing.T) {
	g := NewWithT(t)
	_, err := gate.Parse("gate.yaml", []byte("agent: {name: a\nallow: ["), known())
	g.Expect(err).To(MatchError(MatchRegexp(`^gate\.yaml:\d+:\d+: this is no YAML: `)))
	_, err = gate.Parse("gate.yaml", []byte(strings.Repeat("#", gate.MaxPolicy+1)), known())
	g.Expect(err).To(MatchError("gate.yaml: the file has 262145 bytes; a policy has at most 262144"))
}

func TestNoTextBreaksTheReader(t *testing.T) {
	words := []string{"agent", "name", "require", "rows", "all", "allow", "waivers", "scenario", "a", "2027-01-31", "true", "3", ":", " ", "\n", "  ", "- ", "{", "}", "[", "]", ",", "&x", "*x", "!!int", "\""}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 40).Draw(t, "words"), "")
		p, err := gate.Parse("gate.yaml", []byte(text), known())
		if err == nil && p.Agent == "" {
			t.Fatalf("%q is a policy for any agent", text)
		}
	})
}
