// Package wire is everything between the agent and the fake services.
//
// Each pair of a work item and a service has a [Proxy] of its own, so that
// every call is known to be of that task and that process. A proxy is an accept
// loop of ours over links of an embedded Toxiproxy, with one toxic of ours, the
// gate, on both streams. The gate frames HTTP/1.x without altering a byte; it
// records each call, asks the [fault.Seam] at the phases `sent`, `replied` and
// `delivered`, and does to exactly one message what the seam orders.
//
//	g := wire.New(wire.Config{Log: log, Seam: seam, Dialect: dialect})
//	p, err := g.Open(ctx, wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: addr})
//	// p.URL() is what the agent is given
//	err = g.Close(ctx)
//
// # Phases
//
// A message waits at its phase until its head is complete and its body is
// complete or longer than 64 KiB; then the seam is asked, and the rest of a long
// body streams. A request that expects `100-continue` is asked about when its
// head is complete. The gate reads both sockets on while a message is held, up
// to 8 MiB a direction, so that a client that gives up is seen, and a request
// whose client has gone still arrives. `delivered` is reached when the client
// sends another request on the connection or ends it with FIN after the last
// byte of a reply was on its way; what is ordered there is not the gate's to do.
//
// A message of which the seam says that no fault concerns it ([fault.Scout]) is
// not gathered: it flows as it comes, and passes its points all the same. So does
// an event stream, whose phase comes with its head; each of its events is
// recorded before it is let go.
//
// # Actions
//
// Reset ends the client's connection with RST, Close with FIN, and Hang leaves it
// open and silent even when the service ends its own; the message is dropped.
// Truncate lets so many bytes of the body through, without counting transfer
// coding, or so many of the head, or those up to the middle of a chunk, and then
// ends the client's connection with FIN; a truncated request ends the service's
// too, the client's first, so that no answer to it can come back. A place that the
// message does not have is [history.FaultFailed]. Garble makes every byte of the body a '#'. Drip lets
// the whole message go, head included, byte by byte. Duplicate is for requests
// of at most 8 MiB; for a longer one [history.FaultFailed] is recorded. What the
// client sends on a connection after the harness has ended it is recorded and
// goes no further. An ended connection takes the pipelined calls on it along;
// no call on another connection is touched.
//
// # Weather
//
// A stock toxic of Toxiproxy is put behind the gate of one direction of one
// connection, before the message at hand goes on, and stays until the connection
// ends. From then on what the gate lets go passes through the link; marks stand at
// places in the bytes, so records and cuts are as exact behind a toxic as without.
//
// # Where the work is done
//
// Toxiproxy gives each direction a link: a reader, a chain of toxics, a writer, a
// goroutine each. As long as nothing holds a message up, the gate works within the
// link's reader and writes past the link to the other socket: a message is read,
// framed, recorded, asked about and written by one goroutine, without a hand-over,
// a copy, or an allocation for its bytes. Only while a message is held or drips,
// or a toxic stands behind, do bytes go through the link, where Toxiproxy can stop
// and start the gate; all its state stands in the half, so that neither can lose or
// reorder a byte.
//
// # Records
//
// [history.ConnOpened], once a connection. [history.ConnEnded], at most once for
// each of: the client ended its side, the service ended its side, the harness
// ended the client's (also when the service could not be dialled). One by the
// client stands after all that the client sent before. The client is reset when
// the service resets. Of a client that ended its side with FIN the record says
// what the kernel knows: that it had read all (Taken), that it has ended only its
// sending and may read on (Half), or that something came too late for it (Left).
//
// [history.CallSent], when the request is complete at the gate and before its
// last byte is passed on; or earlier, Whole false, when the connection ends, a
// fault drops it, or the service answers before that. Size is the length of the
// message, Body its content without transfer coding.
//
// [history.CallForwarded], when its last byte was written to the service, and
// before the reply to it. The service may have begun before this record.
//
// [history.CallReplied], before any byte of the reply is passed on. Size is what
// was at the gate by then; Whole is false when that was not all.
//
// [history.CallPassing] just before, and [history.CallPassed] just after the
// write of the last byte that the client gets. Their Size counts bytes of the
// body without transfer coding, so that Body[:Size] of CallReplied is what the
// client was given; on CallPassing it is what is about to have been given.
// Neither is recorded when the client is given nothing at all. The first byte was
// written in the same write, or, of a reply that flowed or was longer than 64 KiB,
// at Begun.
//
// Interim replies (1xx) pass and are no records. A duplicate made by a fault is
// a call of its own without an ordinal and with Copy set; it is sent, forwarded
// and replied, and passes no phase of the gate. Bytes that are no HTTP, and what
// follows an upgrade, pass as they are; the former are one call of operation
// [Unknown]. What cannot begin a head of HTTP/1 is passed on at once: HTTP/2
// without TLS works.
//
// Headers are never recorded, apart from Idempotency-Key and the wait that a
// reply asks for.
package wire
