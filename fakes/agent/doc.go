// Package agent is the reference recovery implementation for purchase
// approvals and for questions, other designs that are as correct, and known-bad
// variants of it.
//
// It speaks the public agent protocol over HTTP and nothing else: it imports
// nothing of the harness, reads no record that the harness keeps, and could be
// written in any other language. [Run] asks for work until there is no more.
//
// The state of a task is a dossier in the task's state directory. A step reads
// it, decides on one move with a pure function ([decide]), and carries the move
// out; what a move may have done is durable before its first byte leaves. So a
// process that is killed on any line goes on from the dossier, and two
// processes that hold the same task share one identifier and one budget. What is
// durable stands in a [journal]: a file that only grows, so that a change costs
// one write and one flush, and a look almost nothing.
//
// Every judgement that recovery can get wrong is one field of [policies]. A
// design or a defect replaces fields and nothing else; a defect replaces one:
//
//	func firstEmptyBelieved() defect {
//		return defect{
//			Info:  Info{Name: "first-empty-believed", Rule: "resubmit-without-basis", ...},
//			apply: func(p *policies) { p.emptyProves = func(*intent) bool { return true } },
//		}
//	}
//
// A question is answered by a loop: the model speaks, what it asks for is carried
// out by the tool layer, and what came of it goes into the conversation as data.
// One retry policy ([loop.try]) makes the attempts of tools and models alike. The
// conversation is kept after each step, in the same store. The judgements that a
// loop can get wrong are the fields of [habits], a part of the policies.
package agent
