package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// seat is one instance of the service for one run.
type seat struct {
	name    string
	dir     files
	bridge  *bridge
	running instance
	ledger  func() any
	opened  Opened
	closing sync.Once
	ended   chan struct{} // closed when the instance has ended

	mu   sync.Mutex
	kept file
}

// sit opens a seat, or takes one up that was kept.
func (s *Server) sit(name string, kept file) (*seat, error) {
	st := &seat{name: name, dir: s.dir, bridge: newBridge(true), kept: kept, ended: make(chan struct{})}
	log := history.NewLogSince(kept.Setup.Start)
	st.bridge.restored(kept.Rows)
	st.bridge.quiet(true)
	log.Watch(st.bridge.note)
	frame := service.Config{
		Log: log, Seam: st.bridge, Identify: st.bridge.identify, Settle: st.bridge.settle, Idle: st.bridge.quiet,
		Host: s.host, Port: kept.Port, Store: st,
	}
	var err error
	if st.running, st.ledger, err = s.kind.open(frame, kept.Setup.Settings, st.bridge); err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(st.running.Addr())
	if err == nil {
		st.opened.Port, err = strconv.Atoi(port)
	}
	if err == nil {
		st.opened.Epoch = s.epoch
		st.opened.Ledger, err = json.Marshal(st.ledger())
	}
	if err == nil {
		err = st.keepPort()
	}
	if err != nil {
		st.bridge.close()
		_ = st.running.Close(context.Background()) // nobody has called it yet
		return nil, err
	}
	return st, nil
}

func (st *seat) keepPort() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.kept.Port = st.opened.Port
	return st.dir.write(st.name, st.kept)
}

// Load implements [service.Store].
func (st *seat) Load() json.RawMessage {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.kept.State
}

// Save implements [service.Store].
func (st *seat) Save(state json.RawMessage) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.kept.State, st.kept.Rows = state, st.bridge.rowsSoFar()
	if err := st.dir.write(st.name, st.kept); err != nil {
		st.bridge.tell(Message{Failed: fmt.Sprintf("the ledger cannot be kept: %v", err)})
	}
	st.bridge.saved()
}

// close ends the instance. Its last message is the ledger.
func (st *seat) close() {
	st.closing.Do(func() {
		go func() {
			defer close(st.ended)
			if err := st.running.Close(context.Background()); err != nil {
				st.bridge.tell(Message{Failed: err.Error()})
			}
			text, err := json.Marshal(st.ledger())
			if err != nil {
				st.bridge.tell(Message{Failed: err.Error()})
				text = []byte("null")
			}
			st.bridge.end(text)
		}()
	})
}

// clear ends the instance at once and takes everything away that is kept of it.
func (st *seat) clear() error {
	st.bridge.close() // nobody waits for the harness any more
	st.close()
	<-st.ended
	return st.dir.remove(st.name)
}
