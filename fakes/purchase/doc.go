// Package purchase is the fake system that carries out purchases: the step that
// depends on an approval and is no part of it. It takes any approval and checks
// nothing about it; whether there is one is the judge's question.
//
//	s, err := purchase.Open(purchase.Config{Frame: frame, Settings: purchase.Settings{Promises: guarantees}})
//	defer s.Close(ctx)
package purchase
