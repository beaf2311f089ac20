package stack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/remote"
)

// Remote is a process of [remote.Server], as the harness reaches it.
type Remote struct {
	_ struct{}

	// Admin is the base URL of its admin API, Host the address at which its seats listen.
	Admin, Host string
	// Token is that of the admin API.
	Token string
	// Client makes the connections. Its timeout, if it has one, must be longer than a long poll.
	Client *http.Client
}

// pollMS is how long one long poll lasts, in milliseconds.
const pollMS = 20_000

// maxAnswer bounds what is read of one answer, in bytes.
const maxAnswer = 64 << 20

// Seat opens a seat for a service of a run. It must be empty when it is opened,
// and its Close proves that nothing of it is left.
func (r Remote) Seat(ctx context.Context, seat string, s Service) (*Seat, error) {
	if _, known := ledgers[s.Name]; !known {
		return nil, fmt.Errorf("there is no service %q", s.Name)
	}
	settings, err := json.Marshal(s.Settings)
	if err != nil {
		return nil, fmt.Errorf("%s: settings: %w", s.Name, err)
	}
	k := &Seat{
		remote: r, name: seat, service: s, live: make(chan struct{}), ended: make(chan struct{}), over: make(chan struct{}), counted: make(chan struct{}),
	}
	close(k.live)
	close(k.counted)
	var opened remote.Opened
	setup := remote.Setup{Start: s.Frame.Log.Start(), Settings: settings}
	if err := r.call(ctx, http.MethodPut, "/v1/seats/"+seat, setup, &opened); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	clean, err := json.Marshal(ledgers[s.Name].empty)
	if err == nil && !bytes.Equal(clean, opened.Ledger) {
		err = fmt.Errorf("its seat was not clean: %s", opened.Ledger)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.Name, err), k.erase(ctx))
	}
	k.epoch, k.addr = opened.Epoch, net.JoinHostPort(r.Host, strconv.Itoa(opened.Port))
	k.ctx, k.cancel = context.WithCancel(context.Background())
	go k.follow()
	return k, nil
}

// State asks what the process holds.
func (r Remote) State(ctx context.Context) (state remote.State, err error) {
	err = r.call(ctx, http.MethodGet, "/v1/state", nil, &state)
	return state, err
}

// call makes one request to the admin API.
func (r Remote) call(ctx context.Context, method, path string, body, into any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, r.Admin+path, sent)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+r.Token)
	reply, err := r.Client.Do(request)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, maxAnswer))
	switch {
	case err != nil:
		return fmt.Errorf("%s %s: %w", method, path, err)
	case reply.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("%s %s: status %d: %s", method, path, reply.StatusCode, bytes.TrimSpace(text))
	case into == nil:
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// erase takes the seat away and makes sure of it.
func (k *Seat) erase(ctx context.Context) error {
	var state remote.State
	if err := k.remote.call(ctx, http.MethodDelete, "/v1/seats/"+k.name, nil, &state); err != nil {
		return fmt.Errorf("%s: %w", k.service.Name, err)
	}
	if slices.Contains(state.Seats, k.name) || slices.Contains(state.Ledgers, k.name) {
		return fmt.Errorf("%s: seat %s is not clean after it was taken away", k.service.Name, k.name)
	}
	return nil
}

// ledgers read the ledger of each service, and say how one reads in which there
// is nothing.
var ledgers = map[string]ledger{
	"approval":  ledgerOf(approval.Ledger{Records: []approval.LedgerRecord{}, Keys: []approval.LedgerKey{}}),
	"purchase":  ledgerOf(purchase.Ledger{Purchases: []purchase.LedgerPurchase{}}),
	"desk":      ledgerOf(desk.Ledger{Escalations: []desk.Escalation{}}),
	"knowledge": ledgerOf(knowledge.Ledger{Deleted: []string{}, Archived: []string{}, Refunds: []knowledge.Refund{}}),
	"model":     ledgerOf(struct{}{}),
}

type ledger struct {
	empty any
	read  func([]byte) (any, error)
}

func ledgerOf[L any](empty L) ledger {
	return ledger{empty, func(text []byte) (any, error) {
		var l L
		err := json.Unmarshal(text, &l)
		return l, err
	}}
}
