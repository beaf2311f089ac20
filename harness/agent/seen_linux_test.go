package agent_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

const canFindRemnants = true

// marked are the processes of this user that a runner of this test started:
// by the door they were told of.
func marked(t *testing.T) []string {
	t.Helper()
	var found []string
	environs, err := filepath.Glob("/proc/[0-9]*/environ")
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	for _, file := range environs {
		environ, err := os.ReadFile(file)
		if err == nil && bytes.Contains(environ, []byte("LOSTRECEIPT_RUN=")) && bytes.Contains(environ, []byte("LOSTRECEIPT_TOKEN=secret")) {
			found = append(found, filepath.Base(filepath.Dir(file)))
		}
	}
	return found
}

// states are the states of those processes: R, S, T, Z, ...
func states(t *testing.T) []string {
	t.Helper()
	var states []string
	for _, pid := range marked(t) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		NewWithT(t).Expect(err).NotTo(HaveOccurred())
		states = append(states, strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[0])
	}
	return states
}
