package agent

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// pushed is a work item as it is sent to a service, with the control plane that
// it belongs to.
type pushed struct {
	work
	Control struct {
		URL   string `json:"url"`
		Token string `json:"token"`
	} `json:"control"`
}

// service takes work by POST, answers 202 at once, and does it then.
type service struct {
	ctx      context.Context // of the work
	policies *policies
	log      *slog.Logger
	working  sync.WaitGroup
}

// Serve does the work that is pushed to a listener, any number of tasks at
// once, until ctx ends, and closes the listener.
func Serve(ctx context.Context, o Options, l net.Listener) error {
	p, err := assemble(o.Design, o.Defect)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	s := &service{ctx: ctx, policies: p, log: o.logger()}
	server := &http.Server{
		Handler: s, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
	}
	s.working.Wait()
	return err
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "work is taken by POST", http.StatusMethodNotAllowed)
		return
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	var item pushed
	if err == nil {
		err = json.Unmarshal(raw, &item)
	}
	if err != nil || item.ID == "" || item.Control.URL == "" {
		http.Error(w, "this is no work item with its control plane", http.StatusBadRequest)
		return
	}
	s.working.Go(func() { s.work(item) })
	w.WriteHeader(http.StatusAccepted)
}

func (s *service) work(item pushed) {
	c := newControl(item.Control.URL, item.Control.Token)
	defer c.close()
	log := s.log.With("work", item.ID)
	if err := s.policies.take(s.ctx, &job{policies: s.policies, control: c, work: item.work, log: log}); err != nil {
		log.Error("given up", "error", err)
	}
}
