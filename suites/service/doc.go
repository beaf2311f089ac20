// Package service checks an approval service, real or fake, for the promises
// that every recovery rests on: that a repeated identifier is recognised, within
// its scope and for as long as is said, that other content under it is refused,
// that concurrent requests create once, that what is fenced never happens, that
// a withdrawal and a notification happen once, and that a refusal without effect
// has none. A pass of the agent's scenarios assumes these; here they are
// verified.
//
//	package approvals_test
//
//	import (
//		"testing"
//
//		"github.com/lostreceipt/lostreceipt/suites/service"
//	)
//
//	func TestOurApprovalService(t *testing.T) {
//		service.Run(t, service.Subject{
//			Approvals: service.HTTP{URL: "https://approvals.test.example"},
//			Promises:  service.Everything(10 * time.Minute),
//		})
//	}
//
// [HTTP] speaks the routes that the harness's own services have. A team whose
// service speaks otherwise writes the seven methods of [Approvals] for it.
//
// Run has a subtest for each of [Checks]. A check of something that the service
// does not promise is skipped by name, and so is one that needs a hand which the
// [Subject] does not lend: only the service's owner can let the approver decide,
// count what was sent, break the service off in the middle of a request, or let
// time pass. [Check.Run] returns an error instead, for any other framework; it
// is a [*Broken] when the service has broken a promise.
//
// The checks make records of their own, under names that nobody has used, and
// look at no others. They can be run against a service that is in use, as often
// as wanted; what they make stays there.
//
// # Concurrency
//
// Many clients at once submit under few identifiers, with equal and with other
// content, look them up, fence and withdraw them, and give up on some requests
// before the answer. What they saw is checked with porcupine to be possible for
// a service that creates once for each identifier: that some order of the
// requests, each between its beginning and its end, explains every answer. One
// without an answer may have been carried out later, or never.
package service
