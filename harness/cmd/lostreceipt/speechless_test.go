package main

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

func TestACommandThatNeverAsksForWorkIsSaidFirst(t *testing.T) {
	g := NewWithT(t)
	script := `echo one; echo "can't open nosuch.py" >&2; printf 'a\033[2Jb\n'; exit 2`
	cmd, out, _ := lostreceipt(t, "run", "no-fault", "--", "sh", "-c", script)
	g.Expect(cmd.Run()).NotTo(Succeed())
	g.Expect(out.String()).To(HavePrefix("The agent never asked for work: in the one run its command ended before. Run the command by itself, "))
	first, below, _ := strings.Cut(out.String(), "VERDICT")
	g.Expect(first).To(ContainSubstring("the end of its output (agent.log):\n"))
	for _, text := range []string{first, below} { // the second stands below the finding
		g.Expect(text).To(And(ContainSubstring("p-1 | one\n"), ContainSubstring("p-1 | can't open nosuch.py\n"), ContainSubstring(`p-1 | a\x1b[2Jb`)))
	}
}

func TestAnAgentThatAskedIsNotCalledSpeechless(t *testing.T) {
	g := NewWithT(t)
	cmd, out, say := lostreceipt(t, "run", "no-fault", "--reference")
	g.Expect(cmd.Run()).To(Succeed(), say.String())
	g.Expect(out.String()).NotTo(ContainSubstring("never asked"))
}
