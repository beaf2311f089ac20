package knowledge

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// replyKey is the context's key of the reply that the tool's handler gives.
type replyKey struct{}

// newMCP is the same tools over MCP: streamable HTTP without sessions, and each
// answer is one JSON body, so that a call is one exchange. The tool has been
// carried out when it is reached: it writes the reply in the protocol's way.
func newMCP(offers []string) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "lostreceipt-knowledge", Version: "1"}, &mcp.ServerOptions{
		Logger: slog.New(slog.DiscardHandler),
	})
	for _, t := range tool.All() {
		server.AddTool(&mcp.Tool{Name: t.Name, Description: t.Summary, InputSchema: t.Schema}, replay)
	}
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, r)
			if list, is := result.(*mcp.ListToolsResult); is && err == nil && offers != nil {
				list.Tools = slices.DeleteFunc(slices.Clone(list.Tools), func(t *mcp.Tool) bool { return !slices.Contains(offers, t.Name) })
			}
			return result, err
		}
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, Logger: slog.New(slog.DiscardHandler),
	})
}

// replay is the handler of every tool. A refusal is a result that says so, and
// no failure of the protocol.
func replay(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	reply, _ := ctx.Value(replyKey{}).(service.Reply)
	text, err := json.Marshal(reply.Body)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{
		IsError: reply.Status >= http.StatusBadRequest,
		Content: []mcp.Content{&mcp.TextContent{Text: string(text)}},
	}, nil
}

// protocol answers what MCP asks for beside calls of tools: there is nothing to
// do for it here.
func protocol(*service.Call) service.Reply { return service.Reply{Status: http.StatusOK} }

// carry writes a reply over MCP, if it was asked for so.
func (s *Service) carry(w http.ResponseWriter, r *http.Request, _ *service.Call, reply service.Reply) bool {
	if r.URL.Path != "/mcp" {
		return false
	}
	s.mcp().ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), replyKey{}, reply)))
	return true
}
