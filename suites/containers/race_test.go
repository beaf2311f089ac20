//go:build race

package containers_test

// raced tells that the race detector is on.
const raced = true
