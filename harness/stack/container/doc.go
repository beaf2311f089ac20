// Package container runs the services of a stack in containers, each service in
// one of its own, on one private network. It needs a Docker engine on this
// machine and no registry: the image is made of this program alone.
//
//	engine, err := container.Open(ctx, container.Config{Binary: "/proc/self/exe"})
//	defer engine.Close(ctx)
//	pool := engine.Pool(64)
//	ground, err := pool.Lease(ctx, false) // a stack.Ground
//
// # What stays and what goes
//
// The image is tagged with the digest of what is in it and stays, so that it is
// built once. Everything else (containers, network, volumes) carries the label
// [Label] and who owns it, and goes with [Engine.Close]. What a harness left
// that was killed is taken away by the next one that opens an engine; what
// belongs to one that lives is left alone, and so is everything without the
// label.
//
// # Stacks and seats
//
// A stack is one container a service. It is started when it is first needed and
// used for one run after another, and by several at once: each takes a seat,
// which is an instance of each service with a ledger of its own, see
// [remote.Server]. A seat is proven clean when it is opened and when it is taken
// away; a stack of which that cannot be said is not used again. A run that does
// something to a container gets a stack of its own.
//
// # The network
//
// It is internal: nothing on it reaches further than the harness. The harness
// opens every connection to a service, at the container's own address, so that
// the service sees the gate's port and the call can be named. Toxiproxy and the
// gate stay in the harness; where the agent runs in a container too, its doors
// listen on the network's gateway address.
//
// Containers keep their addresses when they are started again or joined to the
// network again: the subnet is asked for by name, since Docker gives fixed
// addresses only then.
package container
