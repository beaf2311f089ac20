package agent

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

func written(t *testing.T, o *Output) string {
	t.Helper()
	var b bytes.Buffer
	NewWithT(t).Expect(o.Print(&b)).To(Succeed())
	return b.String()
}

func TestEveryLineIsMarkedWithItsProcess(t *testing.T) {
	o := NewOutput(1 << 10)
	o.add("p-1", []byte("one\ntw"))
	o.add("p-1", []byte("o\n\nthree"))
	o.add("p-2", []byte("four\n"))
	o.add("p-1", []byte("more of three\n"))
	o.add("p-1", nil)
	o.add("p-2", []byte("no end"))
	NewWithT(t).Expect(written(t, o)).To(Equal("p-1 | one\np-1 | two\np-1 | \np-1 | three\np-2 | four\np-1 | more of three\np-2 | no end\n"))
}

func TestTheBeginningAndTheEndAreKept(t *testing.T) {
	g := NewWithT(t)
	var all strings.Builder
	o := NewOutput(100)
	for i := range 1000 {
		line := fmt.Sprintf("line %d\n", i)
		o.add("p", []byte(line))
		all.WriteString("p | " + line)
		head := all.String()[:min(100, all.Len())]
		rest := all.String()[len(head):]
		tail := rest[max(0, len(rest)-100):]
		want := head + tail
		if dropped := len(rest) - len(tail); dropped > 0 {
			want = fmt.Sprintf("%s\n[... %d bytes of output are not kept ...]\n%s", head, dropped, tail)
		}
		g.Expect(written(t, o)).To(Equal(want))
	}
}

func TestALineLongerThanTheBoundIsKeptAtBothEnds(t *testing.T) {
	o := NewOutput(8)
	o.add("p", []byte(strings.Repeat("a", 50)+strings.Repeat("b", 50)))
	NewWithT(t).Expect(written(t, o)).To(Equal("p | aaaa\n[... 88 bytes of output are not kept ...]\nbbbbbbbb\n"))
}
