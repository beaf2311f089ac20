package main

import (
	"net"
	"os"

	"github.com/lostreceipt/lostreceipt/fakes/remote"
)

type stackVerb struct {
	Serve serveVerb `cmd:"" help:"Be one of the fake services in a process of its own, as containers are."`
}

type serveVerb struct {
	Service string `arg:"" help:"The service: approval, purchase, desk, knowledge or model."`
	Listen  string `default:"127.0.0.1:0" help:"Address of the admin API; seats listen at the same host. Default ${default}." placeholder:"HOST:PORT"`
	Data    string `required:"" type:"path" help:"Directory for ledgers, which survive the process." placeholder:"DIR"`
}

// Help is the worked example.
func (serveVerb) Help() string {
	return `Example: the approval service, with its ledgers in a directory:

    LOSTRECEIPT_ADMIN_TOKEN=secret lostreceipt stack serve approval --data ledgers

It prints the address of its admin API, which wants the token, and serves until it is interrupted. fakes/remote/doc.go has the routes.`
}

// Run runs the verb.
func (v *serveVerb) Run(in *invocation) error {
	token := os.Getenv(remote.TokenVariable)
	if token == "" {
		return misuse("stack serve: %s is not set: the admin API needs a token", remote.TokenVariable)
	}
	host, _, err := net.SplitHostPort(v.Listen)
	if err != nil {
		return usage{err}
	}
	var config net.ListenConfig
	l, err := config.Listen(in.ctx, "tcp", v.Listen)
	if err != nil {
		return usage{err}
	}
	s, err := remote.Serve(remote.Config{Service: v.Service, Admin: l, Token: token, Data: v.Data, Host: host})
	if err != nil {
		_ = l.Close() // the other error says more
		return usage{err}
	}
	say(in.out, "http://%s\n", l.Addr())
	<-in.ctx.Done()
	return s.Close()
}
