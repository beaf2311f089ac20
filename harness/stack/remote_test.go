package stack_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/remote"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

// apart is a ground whose services are served as another process serves them,
// on the loopback.
type apart struct {
	t      *testing.T
	client *http.Client
	data   string

	mu      sync.Mutex
	servers map[string]*remote.Server
	admins  map[string]string
	seats   map[string]*stack.Seat
}

func newApart(t *testing.T) *apart {
	a := &apart{
		t: t, client: &http.Client{Transport: &http.Transport{}}, data: t.TempDir(),
		servers: map[string]*remote.Server{}, admins: map[string]string{}, seats: map[string]*stack.Seat{},
	}
	for _, name := range remote.Services() {
		a.start(name, "127.0.0.1:0")
	}
	return a
}

func (a *apart) start(name, address string) {
	a.t.Helper()
	g := NewWithT(a.t)
	l, err := net.Listen("tcp", address)
	g.Expect(err).NotTo(HaveOccurred())
	s, err := remote.Serve(remote.Config{Service: name, Admin: l, Token: "secret", Data: filepath.Join(a.data, name)})
	g.Expect(err).NotTo(HaveOccurred())
	a.mu.Lock()
	defer a.mu.Unlock()
	a.servers[name], a.admins[name] = s, l.Addr().String()
}

func (a *apart) Host() string { return "127.0.0.1" }

func (a *apart) of(name string) stack.Remote {
	return stack.Remote{Admin: "http://" + a.admins[name], Host: "127.0.0.1", Token: "secret", Client: a.client}
}

func (a *apart) Place(ctx context.Context, s stack.Service) (stack.Backend, error) {
	seat, err := a.of(s.Name).Seat(ctx, "s-1", s)
	if err != nil {
		return nil, err
	}
	a.seats[s.Name] = seat
	return seat, nil
}

// Close proves that the servers hold nothing, and ends them.
func (a *apart) Close(ctx context.Context) error {
	g := NewWithT(a.t)
	for name, s := range a.servers {
		state, err := a.of(name).State(ctx)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(state.Seats).To(BeEmpty())
		g.Expect(state.Ledgers).To(BeEmpty())
		g.Expect(s.Close()).To(Succeed())
		left, err := os.ReadDir(filepath.Join(a.data, name))
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(left).To(BeEmpty())
	}
	clear(a.servers)
	a.client.CloseIdleConnections()
	return nil
}

// restart ends a service as a kill would, as far as anybody outside can tell,
// and starts it again with what it had kept.
func (a *apart) restart(name string) {
	a.seats[name].Lost()
	NewWithT(a.t).Expect(a.servers[name].Close()).To(Succeed())
	a.start(name, a.admins[name])
	a.seats[name].Found()
}

func TestTheHistoryIsTheSameWhereServicesRunElsewhere(t *testing.T) {
	g := NewWithT(t)
	story := func(ground stack.Ground) []string {
		r := openOn(t, 0.001, nil, ground)
		r.Expect(r.post(r.door(t, "t-1", "w-1")["approval"]+"/v1/approvals", submission)).To(Equal(http.StatusCreated))
		r.Expect((<-r.events).Type).To(Equal("approved"))
		r.Expect(r.post(r.door(t, "t-1", "w-2")["desk"]+"/v1/escalations", `{}`)).To(Equal(http.StatusCreated))
		r.Expect(<-r.opened).To(Equal("e-1"))
		r.Eventually(r.stack.Quiet, time.Minute).Should(BeTrue())
		r.Expect(r.stack.Close(context.Background())).To(Succeed())
		r.Expect(r.stack.Ledger().Approval.Records).To(HaveLen(1))
		r.Expect(r.stack.Ledger().Approval.Records[0].Status).To(Equal("approved"))
		r.Expect(r.stack.Ledger().Desk.Escalations).To(HaveLen(1))
		var kinds []string
		replied := false
		for _, rec := range r.log.Records() {
			switch {
			case rec.Kind == history.CallReplied && !replied:
				replied = true
				kinds = append(kinds, "the reply")
			case rec.Kind == history.LedgerRow:
				kinds = append(kinds, rec.Ledger.Effect+" "+rec.Call)
			case rec.Kind == history.ServiceReceived, rec.Kind == history.ServiceValidated, rec.Kind == history.ServiceCommitted:
				kinds = append(kinds, string(rec.Kind)+" "+rec.Call)
			}
		}
		// The approver decides in a goroutine of its own, before or after the phase and the reply.
		return slices.DeleteFunc(kinds, func(s string) bool {
			return s == "approval.status c-1" || s == "notification.sent c-1"
		})
	}
	here := story(nil)
	g.Expect(here).To(HaveLen(10))
	g.Expect(story(newApart(t))).To(Equal(here))
}

func TestAFaultHoldsAServiceThatRunsElsewhere(t *testing.T) {
	until, met := make(chan struct{}), make(chan fault.Point, 8)
	r := openOn(t, 0.05, at(func(p fault.Point) fault.Order {
		if p.Phase != fault.Committed {
			return fault.Order{}
		}
		met <- p
		return fault.Order{Wait: until, Conduct: fault.Conduct{Answer: &fault.Answer{Status: 503}}}
	}), newApart(t))
	status := make(chan int)
	url := r.door(t, "t-1", "w-1")["purchase"]
	go func() {
		code, _ := r.post(url+"/v1/purchases", `{"approval": "a-1", "content": {}}`)
		status <- code
	}()
	select {
	case p := <-met:
		r.Expect(p.Call).To(Equal("c-1"))
	case code := <-status:
		t.Fatalf("the request was answered %d", code)
	}
	r.Expect(r.stack.Quiet()).To(BeFalse())
	close(until)
	r.Expect(<-status).To(Equal(503))
	r.Eventually(r.stack.Quiet, time.Minute).Should(BeTrue())
}

func TestAServiceThatIsStartedAgainHasItsLedgerAndItsClocks(t *testing.T) {
	ground := newApart(t)
	r := openOn(t, 0.05, nil, ground)
	url := r.door(t, "t-1", "w-1")["approval"]
	r.Expect(r.post(url+"/v1/approvals", submission)).To(Equal(http.StatusCreated))
	ground.restart("approval")
	r.Expect(r.post(url+"/v1/approvals", submission)).To(Equal(http.StatusCreated), "the same identifier")
	r.Expect((<-r.events).Type).To(Equal("approved"), "the approver's clock runs on")
	r.Eventually(r.stack.Quiet, time.Minute).Should(BeTrue())
	var rows []string
	for _, rec := range r.log.Records() {
		if rec.Kind == history.LedgerRow {
			rows = append(rows, rec.Ledger.Effect)
		}
	}
	r.Expect(rows).To(Equal([]string{history.ApprovalCreated, history.KeyStored, history.ApprovalStatus, history.NotificationSent}))
	r.Expect(r.stack.Close(context.Background())).To(Succeed())
	r.Expect(r.stack.Ledger().Approval.Records).To(HaveLen(1))
}

func TestASeatThatIsNotCleanIsNotUsed(t *testing.T) {
	g := NewWithT(t)
	ground := newApart(t)
	defer func() { g.Expect(ground.Close(context.Background())).To(Succeed()) }()
	service := stack.Service{Name: "desk"}
	service.Frame.Log = history.NewLog(nil)
	seat, err := ground.of("desk").Seat(t.Context(), "s-1", service)
	g.Expect(err).NotTo(HaveOccurred())
	_, err = ground.of("desk").Seat(t.Context(), "s-1", service)
	g.Expect(err).To(MatchError(ContainSubstring("seat s-1 is taken")))
	g.Expect(seat.Close(context.Background())).To(Succeed())
}

func TestOnlyWhoHasTheTokenReachesTheAdminAPI(t *testing.T) {
	g := NewWithT(t)
	ground := newApart(t)
	defer func() { g.Expect(ground.Close(context.Background())).To(Succeed()) }()
	stranger := ground.of("desk")
	stranger.Token = "guess"
	_, err := stranger.State(t.Context())
	g.Expect(err).To(MatchError(ContainSubstring("status 401")))
}

// at is a seam that is one function.
type at func(fault.Point) fault.Order

func (f at) At(_ context.Context, p fault.Point) fault.Order { return f(p) }
