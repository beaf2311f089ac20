// Command lostreceipt proves, or disproves, that an agent's recovery never does
// anything twice: it runs scenarios against an implementation, breaks one exact
// phase of one exact call, and judges what the implementation did from records
// that it cannot reach.
//
//	lostreceipt run -- python3 adapter.py
//
// Each verb stands in a file of its own. The exit status is 0 for a pass, 1 for
// a violation, 2 when nothing was decided or applicable, 3 for wrong usage or
// input, 4 when the harness or the machine failed, and 130 when interrupted.
package main

import (
	"os"
)

func main() {
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
}
