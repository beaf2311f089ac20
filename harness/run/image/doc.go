// Package image plugs in an implementation under test that is a container image:
// one container a process, on the network of the services, killed, paused and
// started again for real. What must survive a kill lies in a directory of this
// machine that each container finds at the same path; where the harness is not
// root the containers run as its user, so that it can be taken away.
//
// It is a room of its own so that package run needs no Docker.
package image
