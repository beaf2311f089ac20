//go:build race

package suites_test

// The race detector makes every process of the agent many times slower to
// start: fewer at once, and more time for each.
const (
	scale       = 0.15
	concurrency = 10
)
