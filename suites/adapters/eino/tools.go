package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
	check "github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// server is an MCP server. Each use connects anew: nothing is left over of a
// connection that broke.
type server struct {
	endpoint string
	client   *http.Client
	policy   policy
}

func (s *server) connect(ctx context.Context) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "eino-agent", Version: "1"}, nil)
	return client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: s.endpoint, HTTPClient: s.client, MaxRetries: -1, DisableStandaloneSSE: true,
	}, nil)
}

// discover makes eino's tools of those of the server.
func discover(ctx context.Context, s *server) ([]tool.BaseTool, error) {
	session, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	var all []tool.BaseTool
	for _, t := range list.Tools {
		one, err := s.adopt(t)
		if err != nil {
			return nil, fmt.Errorf("the tool %s: %w", t.Name, err)
		}
		all = append(all, one)
	}
	return all, nil
}

func (s *server) adopt(t *mcp.Tool) (*remote, error) {
	text, err := json.Marshal(t.InputSchema)
	if err != nil {
		return nil, err
	}
	var shown jsonschema.Schema
	var checked check.Schema
	if err := errors.Join(json.Unmarshal(text, &shown), json.Unmarshal(text, &checked)); err != nil {
		return nil, err
	}
	resolved, err := checked.Resolve(nil)
	if err != nil {
		return nil, err
	}
	return &remote{server: s, name: t.Name, schema: resolved, info: &schema.ToolInfo{
		Name: t.Name, Desc: t.Description, ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&shown),
	}}, nil
}

// remote is one tool of the server.
type remote struct {
	server *server
	name   string
	schema *check.Resolved
	info   *schema.ToolInfo
}

var _ tool.InvokableTool = (*remote)(nil)

// Info is what the model is told of the tool.
func (r *remote) Info(context.Context) (*schema.ToolInfo, error) { return r.info, nil }

// InvokableRun calls the tool. Every outcome is data for the model, unless the
// agent is naive.
func (r *remote) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	var value any
	if err := json.Unmarshal([]byte(arguments), &value); err != nil {
		return failure{Error: "BadArguments", Message: "the arguments are no JSON: " + err.Error()}.text(), nil
	}
	if err := r.schema.Validate(value); err != nil {
		return failure{Error: "BadArguments", Message: err.Error()}.text(), nil
	}
	attempts := 1
	result, err := r.call(ctx, &attempts, value)
	switch {
	case err != nil && r.server.policy.naive:
		return "", err
	case errors.Is(err, errTimeout):
		return failure{"Timeout", r.name + ": no reply in time", true, attempts}.text(), nil
	case err != nil:
		return unreached(r.name, err, attempts).text(), nil
	case result.IsError:
		return refused(said(result), attempts).text(), nil
	}
	return said(result), nil
}

func (r *remote) call(ctx context.Context, attempts *int, arguments any) (*mcp.CallToolResult, error) {
	session, err := r.server.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	return session.CallTool(counted(ctx, attempts), &mcp.CallToolParams{Name: r.name, Arguments: arguments})
}

func said(result *mcp.CallToolResult) string {
	var texts []string
	for _, c := range result.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// failure is what the model is told of a call that failed.
type failure struct {
	Error     string `json:"error"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable"`
	Attempts  int    `json:"attempts"`
}

func (f failure) text() string {
	text, _ := json.Marshal(f) // texts and numbers
	return string(text)
}

// refused is the failure of a call that the service has answered.
func refused(text string, attempts int) failure {
	var problem struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	_ = json.Unmarshal([]byte(text), &problem)
	names := map[string]string{"permission": "PermissionDenied", "not_found": "NotFound", "bad_arguments": "BadArguments", "malformed": "BadArguments"}
	name := names[problem.Code]
	if name == "" {
		name = "Refused"
	}
	return failure{name, problem.Message, false, attempts}
}

// unreached is the failure of a call that was answered with a status of HTTP, or
// not at all.
func unreached(name string, err error, attempts int) failure {
	text := err.Error()
	for word, f := range map[string]failure{
		"Forbidden": {"PermissionDenied", "", false, 0}, "Unauthorized": {"PermissionDenied", "", false, 0}, "Not Found": {"NotFound", "", false, 0},
		"Method Not Allowed": {"NotPermitted", "", false, 0}, "Conflict": {"Conflict", "", false, 0}, "Gone": {"NotFound", "", false, 0},
		"Bad Request": {"BadArguments", "", false, 0}, "Unprocessable": {"BadArguments", "", false, 0},
		"Too Many Requests":     {"RateLimited", "", true, 0},
		"Internal Server Error": {"ServerError", "", true, 0}, "Bad Gateway": {"ServerError", "", true, 0},
		"Service Unavailable": {"ServerError", "", true, 0}, "Gateway Timeout": {"ServerError", "", true, 0},
	} {
		if strings.Contains(text, word) {
			f.Message, f.Attempts = name+": "+text, attempts
			return f
		}
	}
	return failure{"Unreachable", name + ": " + text, true, attempts}
}
