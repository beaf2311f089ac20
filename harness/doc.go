// Package harness is the house: everything between a scenario and a verdict.
//
//	scenario (YAML) -> run -> history (external records) -> judge (contract table) -> verdict -> reports -> gate
//
// Everything left of the history is messy and concurrent; everything right of
// it is a pure function of the recorded history. The rooms stand on floors, and
// a lower floor never imports a higher one:
//
//	1  history, contract, intake, yamltext
//	2  fault, judge, dialect, requirement
//	3  scenario, wire, and the services in fakes
//	4  stack, control, agent
//	5  run, and reports
//	6  suites, cmd/lostreceipt
//
// fakes/agent, the reference implementation, imports nothing of the house: it
// speaks the public protocol like any other.
package harness
