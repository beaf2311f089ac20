// Package supervisor is what stands between the harness and each process of an
// agent: this program again, which starts the process, carries out the signals
// that it is ordered to send, reports what becomes of it, and leaves nothing of
// it alive.
//
// A program that imports this package is a supervisor when its one argument is
// [Arg] and its environment has [Asked]: it never comes to main. It is one before
// most of its packages are set up, for Go initialises a package as soon as what
// it imports is there, in the order of import paths. So this one imports little,
// all of it from the standard library: a supervisor costs a third of what the
// whole program would, at each start of an agent.
package supervisor
