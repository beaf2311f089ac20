package agent

import "testing"

// What a change costs is mostly the disk; a look at what is known costs no more
// than the lock.
func BenchmarkStore(b *testing.B) {
	v, err := newVault(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	touch := func(d *dossier) error { d.Bids = append(d.Bids[:0], &bid{Submit: &intent{Key: "k"}}); return nil }
	b.Run("update", func(b *testing.B) {
		for b.Loop() {
			if err := v.update("c-1", touch); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			if _, err := v.load("c-1"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
