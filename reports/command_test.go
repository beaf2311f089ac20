package reports_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/reports"
)

func TestRedactTakesTheValuesOfSecretsOut(t *testing.T) {
	g := NewWithT(t)
	g.Expect(reports.Redact([]string{"python3", "a.py", "--api-key", "k-1", "--region=eu", "DB_PASSWORD=p", "--token=t", "--secret"})).To(Equal(
		[]string{"python3", "a.py", "--api-key", "[redacted]", "--region=eu", "DB_PASSWORD=[redacted]", "--token=[redacted]", "--secret"}))
}

func TestRedactLeavesTheCommandItselfAlone(t *testing.T) {
	words := []string{"agent", "--password", "p"}
	reports.Redact(words)
	NewWithT(t).Expect(words).To(Equal([]string{"agent", "--password", "p"}))
}

func TestCommandLineIsReadAgainByAShell(t *testing.T) {
	NewWithT(t).Expect(reports.CommandLine([]string{"go", "test", "./x", "^Test$", "it's", "", "a b", "$HOME"})).To(Equal(
		`go test ./x '^Test$' 'it'\''s' '' 'a b' '$HOME'`))
}
