package manual

import suite "github.com/lostreceipt/lostreceipt/suites/service"

// service are the checks of the contract suite.
func service() string {
	var lines [][]string
	for _, c := range suite.Checks() {
		lines = append(lines, []string{plain(c.Name), code(c.Breaks)})
	}
	return "Package `suites/service` makes these checks of an approval service, from a Go test. What a service does not promise\n" +
		"is skipped by name. The second column is the promise that a failure breaks, in the words of a scenario's `breaks:` where it has one.\n\n" +
		table([]string{"what must be so", "promise"}, lines)
}
