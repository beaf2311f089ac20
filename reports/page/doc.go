// Package page makes one self-contained HTML page of a run: what a release
// manager reads. It knows how a report looks, not what it means: a [View] says
// everything in harmless words already, and this package puts it into place,
// escaped.
//
//	err := page.View{Verdict: "PASS: ...", Outcome: "pass", ...}.Write(w)
//
// The page loads nothing. Its content security policy forbids every request,
// every script and every style but its own, so that a string which an agent
// chose stays text even if somebody forgets to escape it. It works from disk,
// in light and dark, on paper and on small screens, by mouse and by keyboard.
//
// The histories are folded: each stands in the page compressed, and is unfolded
// when a reader opens its scenario. All of them together take at most
// [MaxFolds] bytes; when there are many, each is drawn shorter.
package page
