package remote

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// Config is what a server is made of. All but Host is required.
type Config struct {
	// Service is one of [Services].
	Service string
	// Admin takes the admin API.
	Admin net.Listener
	// Token is the bearer token of the admin API.
	Token string
	// Data is a directory for what must survive the process. Seats that are kept there are taken up.
	Data string
	// Host is the address on which seats listen. "": 127.0.0.1.
	Host string
}

// Server is one service, with its seats. It ends with [Server.Close].
type Server struct {
	kind  kind
	epoch string
	token string
	host  string
	dir   files
	http  *http.Server
	done  chan struct{}

	mu    sync.Mutex
	seats map[string]*seat
}

// TokenVariable is the environment variable in which a process finds the token
// of its admin API.
const TokenVariable = "LOSTRECEIPT_ADMIN_TOKEN"

// maxWait bounds a long poll, whatever is asked for.
const maxWait = 30 * time.Second

// maxRequest bounds the body of a request, in bytes.
const maxRequest = 8 << 20

// Serve starts a server. It takes up what it finds in its directory before it
// returns.
func Serve(cfg Config) (*Server, error) {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == cfg.Service })
	switch {
	case i < 0:
		return nil, fmt.Errorf("remote: no service %q: take one of %s", cfg.Service, strings.Join(Services(), ", "))
	case cfg.Token == "":
		return nil, errors.New("remote: no token: the admin API of a service is not for everybody")
	}
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	s := &Server{
		kind: kinds[i], epoch: rand.Text(), token: cfg.Token, host: cfg.Host, dir: files(cfg.Data),
		seats: map[string]*seat{}, done: make(chan struct{}),
	}
	kept, err := s.dir.seats()
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	for _, name := range kept {
		f, err := s.dir.read(name)
		if err == nil {
			s.seats[name], err = s.sit(name, f)
		}
		if err != nil {
			delete(s.seats, name)
			s.clear()
			return nil, fmt.Errorf("remote: seat %s: %w", name, err)
		}
	}
	s.http = &http.Server{Handler: s.guard(s.routes()), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(cfg.Admin) // it ends with Close
	}()
	return s, nil
}

// Close ends the server and its seats. What is kept stays.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range s.seats {
		st.bridge.close()
		st.close()
	}
	for _, st := range s.seats {
		<-st.ended
	}
	err := s.http.Close()
	<-s.done
	return err
}

func (s *Server) clear() {
	for _, st := range s.seats {
		st.bridge.close()
		st.close()
		<-st.ended
	}
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/state", s.state)
	mux.HandleFunc("PUT /v1/seats/{seat}", s.open)
	mux.HandleFunc("DELETE /v1/seats/{seat}", s.erase)
	mux.HandleFunc("POST /v1/seats/{seat}/exchange", s.at(s.exchange))
	mux.HandleFunc("POST /v1/seats/{seat}/releases", s.at(s.release))
	mux.HandleFunc("POST /v1/seats/{seat}/close", s.at(func(w http.ResponseWriter, _ *http.Request, st *seat) {
		st.close()
		w.WriteHeader(http.StatusAccepted)
	}))
	return mux
}

// guard lets in who has the token.
func (s *Server) guard(next http.Handler) http.Handler {
	want := []byte("Bearer " + s.token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			refuse(w, http.StatusUnauthorized, errors.New("the admin API wants the token of the run"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
		next.ServeHTTP(w, r)
	})
}

// at finds the seat that a request is about.
func (s *Server) at(next func(http.ResponseWriter, *http.Request, *seat)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		st := s.seats[r.PathValue("seat")]
		s.mu.Unlock()
		if st == nil {
			refuse(w, http.StatusNotFound, fmt.Errorf("there is no seat %q", r.PathValue("seat")))
			return
		}
		next(w, r, st)
	}
}

var seatName = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	var setup Setup
	if !read(w, r, &setup) {
		return
	}
	name := r.PathValue("seat")
	if !seatName.MatchString(name) {
		refuse(w, http.StatusBadRequest, fmt.Errorf("seat %q: want small letters, digits and hyphens", name))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seats[name] != nil {
		refuse(w, http.StatusConflict, fmt.Errorf("seat %s is taken", name))
		return
	}
	st, err := s.sit(name, file{Setup: setup})
	if err != nil {
		refuse(w, http.StatusUnprocessableEntity, err)
		return
	}
	s.seats[name] = st
	answer(w, http.StatusCreated, st.opened)
}

func (s *Server) erase(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("seat")
	s.mu.Lock()
	st := s.seats[name]
	s.mu.Unlock()
	if st != nil {
		if err := st.clear(); err != nil {
			refuse(w, http.StatusInternalServerError, err)
			return
		}
		s.mu.Lock()
		delete(s.seats, name)
		s.mu.Unlock()
	}
	s.state(w, r)
}

func (s *Server) exchange(w http.ResponseWriter, r *http.Request, st *seat) {
	var x Exchange
	if !read(w, r, &x) {
		return
	}
	if x.Epoch != s.epoch { // it is about another process
		x = Exchange{WaitMS: x.WaitMS}
	}
	x.WaitMS = min(x.WaitMS, int(maxWait/time.Millisecond))
	answer(w, http.StatusOK, News{Epoch: s.epoch, Messages: st.bridge.exchange(r.Context(), x)})
}

func (s *Server) release(w http.ResponseWriter, r *http.Request, st *seat) {
	var x Exchange
	if !read(w, r, &x) {
		return
	}
	if x.Epoch == s.epoch {
		st.bridge.release(x.Releases)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) state(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	state := State{Service: s.kind.name, Epoch: s.epoch, Seats: slices.AppendSeq([]string{}, maps.Keys(s.seats))}
	s.mu.Unlock()
	slices.Sort(state.Seats)
	var err error
	if state.Ledgers, err = s.dir.seats(); err != nil {
		refuse(w, http.StatusInternalServerError, err)
		return
	}
	answer(w, http.StatusOK, state)
}

func read(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return false
	}
	return true
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // who has gone asks again
}

func refuse(w http.ResponseWriter, status int, err error) {
	answer(w, status, service.Problem{Code: "refused", Message: err.Error()})
}
