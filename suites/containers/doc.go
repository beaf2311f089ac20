// Package containers holds the tests that compare runs in containers with runs
// in one process: the catalogue passes in both, and every known-bad agent is
// found out by the same rules.
//
// They need a Docker engine and skip without one, unless
// LOSTRECEIPT_REQUIRE_DOCKER says that there must be one.
package containers
