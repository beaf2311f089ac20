//go:build !race

package suites_test

const (
	scale       = 0 // the default
	concurrency = 0
)
