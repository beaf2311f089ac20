package agent

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestANotificationInDoubtIsPursuedBeforeItsDeclinedRequestEnds(t *testing.T) {
	now := time.Now()
	decided := func(status string, change func(*view)) move {
		in := confirmation{ID: "c-1", Version: 1}
		v := &view{p: reference(), task: testTask(), now: now, d: &dossier{Bids: []*bid{{
			Submit: &intent{Action: submitAction, Key: "k-1", Standing: accepted, Confirmation: in, Record: &record{Ref: "a-1", Status: status}},
			Notify: &intent{
				Action: notifyAction, Key: "k-2", Standing: inDoubt, Confirmation: in, Of: "a-1", Attempts: 1, Open: 1, Began: now, FirstSent: now,
			},
		}}}}
		change(v)
		return v.decide()
	}
	for name, change := range map[string]func(*view){
		"":          func(*view) {},
		"cancelled": func(v *view) { v.cancelled = true },
		"revised":   func(v *view) { v.newer = &confirmation{ID: "c-1", Version: 2} },
	} {
		for _, status := range []string{"declined", "withdrawn"} {
			t.Run(status+" "+name, func(t *testing.T) {
				g := NewWithT(t)
				m := decided(status, change)
				if status == "withdrawn" {
					g.Expect(m.do).To(BeElementOf(doConclude, doRevise), "there is nothing left to tell of")
					return
				}
				g.Expect(m.do).To(BeElementOf(doSend, doQuery))
				g.Expect(m.in.Action).To(Equal(notifyAction))
				settled := decided(status, func(v *view) {
					change(v)
					v.d.Bids[0].Notify.Standing = accepted
				})
				g.Expect(settled.do).To(BeElementOf(doConclude, doRevise))
			})
		}
	}
}

func TestAnEventThatShowsANotificationSettlesTheOneInDoubt(t *testing.T) {
	g := NewWithT(t)
	store, err := newVault(t.TempDir())
	g.Expect(err).NotTo(HaveOccurred())
	own := confirmation{ID: "c-1", Version: 1, Digest: "d", Content: []byte(`{}`)}
	sent := &record{Ref: "a-1", Key: "k-1", Tenant: "acme", Object: "po-17", Digest: "d", Content: []byte(`{}`), Status: "approved", Seq: 3}
	sent.Confirmation, sent.Consequences.Notification = version{"c-1", 1}, "sent"
	g.Expect(store.update("c-1", func(d *dossier) error {
		d.Bids = []*bid{{
			Submit: &intent{Action: submitAction, Key: "k-1", Standing: accepted, Confirmation: own, Record: &record{Ref: "a-1", Status: "pending", Seq: 2}},
			Notify: &intent{Action: notifyAction, Key: "k-2", Standing: inDoubt, Confirmation: own, Of: "a-1", Open: 1},
		}}
		return nil
	})).To(Succeed())
	f := &flow{p: reference(), store: store, signals: newSignals(), given: own, task: task{Tenant: "acme", Object: "po-17"}}
	f.signals.take(inbox{Items: []item{{N: 1, Kind: "event", Record: sent}}})
	g.Expect(f.absorb()).To(Succeed())
	d, err := store.load("c-1")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(d.current().Notify.Standing).To(Equal(accepted))
	g.Expect(d.current().status()).To(Equal("approved"))
}
