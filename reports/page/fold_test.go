package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	. "github.com/onsi/gomega"
)

// noise is a scenario whose history takes about size bytes a record, whatever
// compresses it.
func noise(id, outcome string, records, size int) Scenario {
	return Scenario{ID: id, Outcome: outcome, Unfold: func(w io.Writer, most int) error {
		rnd := rand.NewChaCha8([32]byte{byte(len(id))})
		text := make([]byte, size)
		for range min(records, most) {
			_, _ = rnd.Read(text)
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	}}
}

// records is how many records of such a history a fold holds.
func records(t *testing.T, fold string, size int) int {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(fold)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	zip, err := gzip.NewReader(bytes.NewReader(text))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	out, err := io.ReadAll(zip)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return len(out) / size
}

func TestHistoriesShareTheRoom(t *testing.T) {
	for name, tc := range map[string]struct {
		list []Scenario
		room int
		want []int
	}{
		"all fit": {[]Scenario{noise("a", "pass", 900, 10), noise("b", "pass", 5, 10)}, 1 << 20, []int{900, 5}},
		"what a short one leaves goes to the long one": {[]Scenario{noise("a", "pass", 900, 100), noise("b", "pass", 5, 100)}, 130_000, []int{900, 5}},
		"what did not pass comes first": {
			[]Scenario{noise("a", "pass", 900, 100), noise("b", "violation", 900, 100)}, 176_000, []int{400, 900},
		},
		"no history":   {[]Scenario{{ID: "a"}, noise("b", "pass", 5, 10)}, 1000, []int{-1, 5}},
		"no room":      {[]Scenario{noise("a", "pass", 900, 100)}, 1000, []int{-1}},
		"no scenarios": {nil, 1000, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			folds, err := fold(tc.list, tc.room)
			g.Expect(err).NotTo(HaveOccurred())
			var got []int
			total := 0
			for _, f := range folds {
				total += len(f)
				if f == "" {
					got = append(got, -1)
					continue
				}
				got = append(got, records(t, string(f), map[bool]int{true: 100, false: 10}[len(tc.list) > 0 && tc.room > 1000 && tc.room < 1<<20]))
			}
			g.Expect(got).To(Equal(tc.want))
			g.Expect(total).To(BeNumerically("<=", tc.room))
		})
	}
}

func TestAHistoryThatCannotBeDrawnIsNamed(t *testing.T) {
	broken := errors.New("broken")
	_, err := fold([]Scenario{{ID: "a", Unfold: func(io.Writer, int) error { return broken }}}, 1000)
	NewWithT(t).Expect(err).To(MatchError(broken))
	NewWithT(t).Expect(fmt.Sprint(err)).To(Equal("scenario a: broken"))
}
