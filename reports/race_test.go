//go:build race

package reports_test

// many is how many scenarios a large run has: the race detector makes each ten
// times as slow, and finds as much in a hundred.
const many = 100
