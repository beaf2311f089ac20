package run

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
)

// NewSeed is a seed for a run that names none. It is short enough to be typed.
func NewSeed() uint64 {
	var b [4]byte
	_, _ = rand.Read(b[:]) // it never fails
	return uint64(binary.BigEndian.Uint32(b[:]))%(1e9-1) + 1
}

// Seed is the seed of one scenario of a run. It depends on nothing but the
// run's seed and the scenario's id, so that a scenario that is run alone gets
// the seed that it had among others, and each repetition the same.
func Seed(run uint64, scenario string) uint64 {
	h := sha256.New()
	h.Write(binary.BigEndian.AppendUint64(nil, run))
	h.Write([]byte(scenario))
	return binary.BigEndian.Uint64(h.Sum(nil))
}
