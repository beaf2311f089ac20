package main

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestAConfigurationIsRead(t *testing.T) {
	g := NewWithT(t)
	c, err := parseConfig("c.yaml", []byte("agent:\n  name: mine\n  command: [python3, 7, adapter.py]\ncapabilities: {notify: false, revise: true}\n"))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Agent.Name).To(Equal("mine"))
	g.Expect(c.Agent.Command).To(Equal([]string{"python3", "7", "adapter.py"}))
	g.Expect(c.lacks()).To(Equal([]string{"notify"}))
	for _, empty := range []string{"", "\n# nothing\n", "agent:\n"} {
		_, err := parseConfig("c.yaml", []byte(empty))
		g.Expect(err).NotTo(HaveOccurred(), empty)
	}
}

func TestAMistakeInTheConfigurationIsToldWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"agent:\n  comand: [a]\n":                  "c.yaml:2:3: unknown field \"comand\" (did you mean \"command\"?)\n      comand: [a]",
		"agent:\n  command: python3 a.py\n":        "c.yaml:2:12: the command is a list of words, such as [python3, adapter.py]\n      command: python3 a.py",
		"capabilities:\n  notfy: false\n":          "c.yaml:2:3: unknown capability \"notfy\" (did you mean \"notify\"?)\n      notfy: false",
		"capabilities: {notify: flase}\n":          "c.yaml:1:24: a capability is true or false (did you mean \"false\"?)\n    capabilities: {notify: flase}",
		"[agent]\n":                                "c.yaml:1:1: the file is a map with the fields agent, capabilities\n    [agent]",
		"agent: {name: [x]}\ncapabilities: true\n": "c.yaml:1:15: the name is a word or a sentence, such as my-agent\n    agent: {name: [x]}\nc.yaml:2:15: capabilities is a map with the fields purchase, withdraw, notify, escalate, decisions, revise, several, model_loop, mcp, restart\n    capabilities: true",
		"agent: {name: a}\nagent: {name: b}\n":     "c.yaml:2:1: \"agent\" stands here twice: first on line 1\n    agent: {name: b}",
	} {
		_, err := parseConfig("c.yaml", []byte(text))
		NewWithT(t).Expect(err).To(MatchError(want), text)
	}
	_, err := parseConfig("c.yaml", []byte("agent:\n  name: 'x\n"))
	NewWithT(t).Expect(err).To(MatchError(MatchRegexp(`^c\.yaml:\d+:\d+: this is no YAML: `)))
}
