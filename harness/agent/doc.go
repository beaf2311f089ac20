// Package agent is the implementation under test, as processes: it starts
// them, signals them, keeps their output, and sees to it that none outlives
// the run.
//
//	runner, err := agent.New(agent.Config{Log: log, Command: []string{"python3", "adapter.py"}})
//	process, err := runner.Start(ctx, agent.Launch{Process: "p-1", Task: "t-1", URL: plane.URL(), Token: token})
//	...
//	process.Kill(ctx)              // SIGKILL, as a fault
//	<-process.Done()               // it and all its children are gone, its output is kept
//	runner.Close()                 // whatever still runs is killed and awaited
//	runner.WriteOutput("t-1", w)   // agent.log
//
// # Supervision
//
// Each process is started by a small supervisor: this program again, see package
// supervisor. It leads a process group of its own and puts the agent into another,
// carries out the signals that the runner asks for over a pipe, and reads that
// pipe to its end: however the harness dies, the agent is killed.
//
// On Linux the supervisor is also the subreaper of everything below it, so
// that daemons that left the group or the session are its children in the end;
// it kills them and waits until none is left. Should the agent kill its
// supervisor, the kernel kills the agent (PR_SET_PDEATHSIG), and the runner
// kills every process that carries the launch's mark (LOSTRECEIPT_RUN) in its
// environment. What escapes is a process that kills its supervisor, leaves the
// session and cleans its environment.
//
// Elsewhere (macOS) the supervisor kills the process group only: a descendant
// that calls setsid or setpgid outlives the run.
package agent
