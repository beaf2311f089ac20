// Package approvaltest checks that an approval service, at any URL, keeps what
// it promises: the fake of this repository and the real one that production
// uses alike. Nothing about the service is known but its routes.
//
//	a := &approvaltest.Target{Client: servicetest.Client{URL: url}, Guarantees: promised}
//	for _, p := range approvaltest.Promises() {
//		t.Run(p.Name, func(t *testing.T) { p.Check(t, a) })
//	}
//
// In a Ginkgo suite the checks take GinkgoTB(). Every check makes requests of
// its own, under names that nobody has used; it leaves pending approvals behind.
// The last one lets concurrent clients loose on a few identifiers and asks
// whether one order of events explains all that they were told (linearizability,
// by porcupine).
package approvaltest
