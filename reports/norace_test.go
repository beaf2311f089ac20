//go:build !race

package reports_test

// many is how many scenarios a large run has.
const many = 1000
