// Package reports says what a run showed, to a person, to a CI system and to a
// release gate. A [Report] is data; everything that draws one is a pure
// function of it.
//
// A run writes this, also after a failure or an interrupt, evidence first:
//
//	DIR/report.json    lostreceipt.report/v1, see [Report], [Read] and [Report.Encode]
//	DIR/junit.xml      one test case a scenario, see [Report.JUnit]
//	DIR/summary.md     for a job summary or a pull request, see [Report.Markdown]
//	DIR/report.html    one page for whoever decides about a release, see [Report.HTML]
//	DIR/runs/<scenario>/<n>/history.jsonl, ledger.json, agent.log, scenario.yaml, verdict.json
//
// The one who runs scenarios does this:
//
//	out, err := reports.Prepare("lostreceipt-out")   // takes away what an earlier run left
//	report := reports.New()                          // then fill in who, what and which
//	dir := out.Run("lost-receipt", 1)
//	err = dir.Create()
//	file, err := dir.CreateHistory()                 // the log writes to it; file.Digest() goes into the report
//	err = dir.Save(records, scenarioText, verdict)
//	report.Add(reports.Scenario{ID: "lost-receipt", Repetitions: ...})
//	report.Seal(time.Since(start))                   // totals, outcome, assumed guarantees
//	err = out.Save(report)
//	fmt.Fprint(os.Stderr, report.Text(reports.LookOf(os.Stderr, os.Environ())))
//
// The report holds the SHA-256 of each history, [Repetition.HistoryDigest];
// [Report.CheckEvidence] names those that are missing or were changed since.
//
// The rooms below: timeline draws one history, page makes the HTML page, gate
// decides whether a report is good enough, and harmless keeps strings from
// acting. [Merge] joins the shards of a divided run; [Report.Annotations] are
// what GitHub shows beside a pull request.
//
// Reports hold strings that an agent chose: a result status, a key, a body.
// They are data in every format. No terminal escape, markup, table cell or
// mention that an agent wrote is ever live in what this package writes, and no
// string is longer than its place allows.
//
// A pass proves behaviour under the faults of these scenarios only. Every
// format names the guarantees that were assumed of the services, and says that
// production must verify them.
package reports
