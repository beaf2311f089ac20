package dialect

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// The operations of MCP that are no call of a tool.
const (
	mcpInitialize = "initialize"
	mcpListTools  = "list_tools"
	mcpOther      = "session" // notifications, pings, streams, and what cannot be read
)

// speaksMCP tells whether a request is one of the Model Context Protocol over
// streamable HTTP: the tools of the knowledge service are called so too.
func speaksMCP(service string, r *http.Request) bool {
	return service == "knowledge" && r.URL.Path == "/mcp"
}

// InBody tells whether the operation of a request stands in its body: those of
// MCP name the tool there.
func (HTTP) InBody(service string, r *http.Request) bool {
	return speaksMCP(service, r) && r.Method == http.MethodPost
}

// BodyOperation is the name of such an operation: that of the tool that is
// called, so that anchors are the same over both ways.
func (HTTP) BodyOperation(_ string, _ *http.Request, body []byte) string {
	m := readMCP(body)
	switch m.Method {
	case "initialize", "server/discover":
		return mcpInitialize
	case "tools/list":
		return mcpListTools
	case "tools/call":
		if _, ok := tool.Find(m.Params.Name); ok {
			return m.Params.Name
		}
	}
	return mcpOther
}

// rpc is a request of JSON-RPC, as far as it is looked at.
type rpc struct {
	Method string `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"params"`
}

func readMCP(body []byte) rpc {
	var m rpc
	_ = json.Unmarshal(body, &m) // what cannot be read is absent
	return m
}

// arguments are those of a call, {} when it names none.
func (m rpc) arguments() json.RawMessage {
	if len(m.Params.Arguments) == 0 || string(m.Params.Arguments) == "null" {
		return json.RawMessage("{}")
	}
	return m.Params.Arguments
}

func requestOfMCP(op string, body []byte, f *history.Facts) {
	if t, ok := tool.Find(op); ok {
		f.Tool = called(t.Name, readMCP(body).arguments())
	}
	f.Malformed = op != contract.Unknown && len(body) > 0 && !json.Valid(body)
}

// replyOfMCP reads a reply of MCP; false when the body is none. A result that
// says that the tool failed is read as the refusal that stands in its text.
func replyOfMCP(body []byte, f *history.Facts) bool {
	var m struct {
		JSONRPC string `json:"jsonrpc"`
		Error   *struct {
			Code int `json:"code"`
		} `json:"error"`
		Result struct {
			IsError bool `json:"isError"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		} `json:"result"`
	}
	if json.Unmarshal(eventData(body), &m) != nil || m.JSONRPC == "" {
		return false
	}
	var text strings.Builder
	for _, c := range m.Result.Content {
		text.WriteString(c.Text)
	}
	switch {
	case m.Error != nil:
		f.Code = "rpc " + strconv.Itoa(m.Error.Code)
	case m.Result.IsError:
		refusal([]byte(text.String()), f)
	case text.Len() > 0:
		readTool([]byte(text.String()), f)
	}
	return true
}

// eventData is the first data of an event stream, or the body as it is.
func eventData(body []byte) []byte {
	for line := range bytes.Lines(body) {
		if data, is := bytes.CutPrefix(line, []byte("data:")); is {
			return data
		}
	}
	return body
}
