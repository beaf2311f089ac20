package reports

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// reserveSize is the room that is kept for the report while evidence is
// written, in bytes: about twice what a report of 150 scenarios takes in every
// format. On a disk that is full before the run ends the report can still say
// so.
const reserveSize = 8 << 20

// reserve takes the room for the report. The bytes are random, so that no file
// system stores them in less.
func (o Out) reserve() error {
	var seed [32]byte
	err := writeFile(o.reserved(), func(w io.Writer) error {
		_, err := io.CopyN(w, rand.NewChaCha8(seed), reserveSize)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: no room for a report (%d MiB are set aside for it): make room, or name another directory with --out: %w", o, reserveSize>>20, err)
	}
	return nil
}

// release gives the room back. Without a reserve it does nothing.
func (o Out) release() { _ = os.Remove(o.reserved()) }

func (o Out) reserved() string { return filepath.Join(string(o), reserveName) }
