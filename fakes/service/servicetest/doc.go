// Package servicetest drives a service in tests: a client that speaks plain
// HTTP to any base URL, a seam whose orders are written down by anchor, and a
// way to wait for records of the history without sleeping.
package servicetest
