package purchase

import (
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// image is what the service knows in spite of the end of its process. What was
// only taken on, and not carried out, is lost with it.
type image struct {
	Purchases []LedgerPurchase    `json:"purchases"`
	Keys      []*service.Entry    `json:"keys"`
	Strays    map[string]Purchase `json:"strays"`
}

// image is called with the lock held.
func (s *Service) image() any {
	return image{Purchases: s.purchases, Keys: s.keys.All(), Strays: s.strays}
}

// restore takes up what an earlier process knew.
func (s *Service) restore() error {
	i := image{Strays: s.strays}
	if found, err := s.frame.Restore(&i); !found {
		return err
	}
	s.purchases, s.strays = i.Purchases, i.Strays
	s.keys.Restore(i.Keys, func(string) contract.Idempotency { return s.idempotency() })
	return nil
}
