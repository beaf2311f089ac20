// Package timeline draws one history as a swim-lane picture: who did what, in
// which order, and where the fault fell. It is a pure function of the records.
//
//	p := timeline.Of(records, timeline.Options{Findings: [][]int{{8, 21}}})
//	err := p.SVG(w)      // a picture of its own, in light and dark
//	err = p.Fragment(w)  // the picture and the list of its records, for a page
//
// The lanes are, from left to right: people, the control plane, the agent, the
// wire (the gate between the agent and a service), the service, and its ledger.
// Time goes down. What belongs together and follows at once shares a row: a
// request from the agent to the service, the rows of a ledger, a reply on its
// way back. A pause is as high as the logarithm of its length. A fault is a band
// over all lanes, from where it fired to where it was lifted; a line says where one that had to
// wait was armed, and where the gate did it to the message.
//
// Every record that is drawn carries its number, and [Picture.Fragment] lists
// each with its full text. A history longer than [Options].Max is folded: the
// records that findings cite, what became of faults, ledgers, processes and
// results stay, then the beginning and the end.
//
// All strings of a history are data: they are bounded, shown with what they
// conceal, and escaped.
package timeline
