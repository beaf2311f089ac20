// Package remote serves the fakes out of a process of their own. Such a process
// is one service, with as many seats as it is asked for: a seat is one instance
// of the service for one run, with a port and a ledger of its own.
//
//	server, err := remote.Serve(ctx, remote.Config{Service: "approval", Admin: listener, Token: token, Data: "/data"})
//
// The process decides nothing about faults and writes no history. What a seat
// records, and each point at which a fault may stand, waits for the harness,
// which opens every connection:
//
//	PUT    /v1/seats/{seat}            opens a seat: settings, the instant 0 of the run; answered with its port and ledger
//	POST   /v1/seats/{seat}/exchange   a long poll: takes answers, returns what waits next, in order
//	POST   /v1/seats/{seat}/releases   ends waits at points, while a long poll is under way
//	POST   /v1/seats/{seat}/close      lets it end; the last message of the exchange is its ledger
//	DELETE /v1/seats/{seat}            takes it away with its ledger
//	GET    /v1/state                   what there is now: seats and kept ledgers
//
// Every route wants the token, which no agent has.
//
// Messages of a seat are numbered from 1 and stay until an exchange says that
// they have arrived, so that an exchange can be repeated. A request is not
// answered before everything that it recorded has arrived: the history has the
// row before the agent can have the reply.
//
// A seat's ledger, and the rows that it recorded, stand in a file of Data before
// anybody is told of them. A process that is killed and started again takes its
// seats up where they were, at the same ports; what was in memory only, such as
// a request under way, is gone. It is as durable as the machine's own memory: it
// survives the end of the process, not that of the machine.
package remote
