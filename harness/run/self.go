package run

import (
	"fmt"
	"os"
)

// Self is the agent that this program is when it is started with these
// arguments.
//
// A program with the harness in it looks at every process of the machine when it
// starts: testcontainers makes the name of its session of them. That is most of
// the price of a start where hundreds of agents run at once. An agent needs no
// such name, so it is told to look for processes where there are none (HOST_PROC
// is where gopsutil looks).
func Self(args ...string) (Command, error) {
	self, err := os.Executable()
	if err != nil {
		return Command{}, fmt.Errorf("finding this program, to start it as an agent: %w", err)
	}
	return Command{Args: append([]string{self}, args...), Env: append(os.Environ(), "HOST_PROC="+os.DevNull)}, nil
}
