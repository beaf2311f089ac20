package agent_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/gomega"
)

const canFindRemnants = true

// marked are the processes that a runner of this stage started, by the door
// that they were told of.
func (s *stage) marked() []string {
	s.t.Helper()
	var found []string
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	s.Expect(err).NotTo(HaveOccurred())
	door := []byte("LOSTRECEIPT_URL=" + s.door.Addr().String() + "\x00")
	for _, file := range environs {
		environ, err := os.ReadFile(file)
		if err == nil && bytes.Contains(environ, door) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}

// states are the states of those processes: R, S, T, Z, ...
func (s *stage) states() []string {
	s.t.Helper()
	var states []string
	for _, pid := range s.marked() {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		s.Expect(err).NotTo(HaveOccurred())
		states = append(states, strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[0])
	}
	return states
}
