package container

import (
	"bytes"
	"context"
	"strings"

	"github.com/moby/moby/api/pkg/stdcopy"
	"github.com/moby/moby/client"
)

// lastWords are the last lines that a container printed, in one line.
func (e *Engine) lastWords(ctx context.Context, id string) string {
	logs, err := e.docker.ContainerLogs(ctx, id, client.ContainerLogsOptions{ShowStdout: true, ShowStderr: true, Tail: "5"})
	if err != nil {
		return "it said nothing that can be read"
	}
	defer logs.Close()
	var text bytes.Buffer
	_, _ = stdcopy.StdCopy(&text, &text, logs) // what there is of it is shown
	return strings.Join(strings.Fields(text.String()), " ")
}
