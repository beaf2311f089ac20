package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
)

func main() {
	p := policy{}
	flag.DurationVar(&p.timeout, "timeout", 8*time.Second, "how long one attempt may take")
	flag.IntVar(&p.attempts, "attempts", 3, "how often a call is sent at most")
	flag.DurationVar(&p.backoff, "backoff", 500*time.Millisecond, "the wait before the second attempt; it doubles")
	flag.BoolVar(&p.naive, "naive", false, "send every call once, and fail when it fails")
	flag.Parse()
	answer, err := run(context.Background(), p)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(answer)
}

// run answers the question of the environment.
func run(ctx context.Context, p policy) (string, error) {
	client := &http.Client{Transport: &retrying{policy: p, base: &http.Transport{}}}
	model, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{
		BaseURL: os.Getenv("OPENAI_BASE_URL"), APIKey: os.Getenv("OPENAI_API_KEY"), Model: os.Getenv("OPENAI_MODEL"), HTTPClient: client,
	})
	if err != nil {
		return "", err
	}
	tools, err := discover(ctx, &server{endpoint: os.Getenv("LOSTRECEIPT_MCP_URL"), client: client, policy: p})
	if err != nil {
		return "", fmt.Errorf("looking up the tools: %w", err)
	}
	agent, err := react.NewAgent(ctx, &react.AgentConfig{
		ToolCallingModel: model,
		ToolsConfig: compose.ToolsNodeConfig{
			Tools: tools, ExecuteSequentially: true,
			UnknownToolsHandler: func(_ context.Context, name, _ string) (string, error) {
				return failure{Error: "NotDeclared", Message: "there is no tool " + name}.text(), nil
			},
		},
		MaxStep: 40,
	})
	if err != nil {
		return "", err
	}
	answer, err := agent.Generate(ctx, []*schema.Message{schema.UserMessage(os.Getenv("LOSTRECEIPT_PROMPT"))})
	if err != nil {
		return "", err
	}
	return answer.Content, nil
}
