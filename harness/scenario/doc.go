// Package scenario reads scenarios: what is promised to the agent, what breaks
// where, and what may come of it. A file holds one scenario, for people who
// write faults and not Go:
//
//	id: lost-receipt
//	title: The approval is created; the network breaks before the receipt returns
//	covers: [B01, B04, C1]
//	task: purchase-approval
//	faults:
//	  - at: approval.submit#1 replied
//	    do: reset
//	expect:
//	  rows: [unknown-replay-protected, confirmed-accepted, settled-approved]
//	  ends: [completed]
//	  consequences: {approval: 1, notification: 1, purchase: 1}
//
// Reading is strict. Everything that is wrong comes at once, as an [Errors],
// each [Problem] with its file, line, column, the text of the line, and the
// nearest right spelling:
//
//	approval/lost-receipt.yaml:7:9: unknown effect "rest" (did you mean "reset"?)
//	        do: rest
//
// The text is parsed to nodes first and decoded by hand afterwards, so that
// every complaint has a position and YAML's traps have none of the reader's
// good will: duplicate keys, anchors and aliases, tags, numbers with a leading
// zero or an underscore, empty values, and comments whose # touches a word
// (approval.submit #1 would silently be another anchor) are errors. Values of
// content keep their written text.
//
// Durations are multiples of the run's limits ("0.5 verification_period").
// [Scenario.Compile] turns them into times for one run; [Parse] has compiled the
// scenario once, with the default limits, so that a scenario that was read can
// be run.
package scenario
