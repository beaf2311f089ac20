package reports

import "strings"

// Output is the end of an agent's output for a person, under a line that says
// what it is; "" when it printed nothing.
func Output(lines []string, indent string) string {
	if len(lines) == 0 {
		return ""
	}
	var out strings.Builder
	out.WriteString(indent + "the end of its output (" + logName + "):\n")
	for _, line := range lines {
		out.WriteString(indent + "  " + plain(line, maxSentence) + "\n")
	}
	return out.String()
}
