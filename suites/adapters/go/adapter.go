// Plugs a recovery into Lost Receipt:
//
//	go build -o adapter adapter.go recovery.go task.go service.go handover.go && lostreceipt run -- ./adapter
//
// This is all of the agent protocol. What decides stands in recovery.go and
// the files beside it: put your own in their place.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

// ask speaks with the control plane, which is never broken on purpose.
func ask(method, path string, body, into any) (status int) {
	text, err := json.Marshal(body)
	check(err)
	request, err := http.NewRequest(method, os.Getenv("LOSTRECEIPT_URL")+path, bytes.NewReader(text))
	check(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("LOSTRECEIPT_TOKEN"))
	reply, err := http.DefaultClient.Do(request)
	check(err)
	text, err = io.ReadAll(reply.Body)
	check(errors.Join(err, reply.Body.Close()))
	switch {
	case reply.StatusCode >= 400 && reply.StatusCode != http.StatusGone:
		log.Fatalf("%s %s: status %d %s", method, path, reply.StatusCode, text)
	case into != nil && reply.StatusCode == http.StatusOK:
		check(json.Unmarshal(text, into))
	}
	return reply.StatusCode
}

// platform is the control plane, about one task.
type platform struct{ task string }

// confirmation tells whether it still holds: to be asked before every write.
func (p platform) confirmation(id string, into any) {
	ask(http.MethodGet, "/v1/confirmations/"+id, nil, into)
}

func (p platform) inbox(after int, wait time.Duration, into any) {
	ask(http.MethodGet, fmt.Sprintf("/v1/tasks/%s/inbox?after=%d&wait=%dms", p.task, after, 1+wait.Milliseconds()), nil, into)
}

func (p platform) claim(state any) { ask(http.MethodPost, "/v1/tasks/"+p.task+"/states", state, nil) }

func (p platform) result(r any) { ask(http.MethodPost, "/v1/tasks/"+p.task+"/result", r, nil) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	for {
		var work struct {
			Task task `json:"task"`
		}
		switch ask(http.MethodGet, "/v1/work?wait=20s", nil, &work) {
		case http.StatusGone: // there is no more work
			return
		case http.StatusOK:
			carryOut(work.Task, platform{work.Task.ID})
		}
	}
}
