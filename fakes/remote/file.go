package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// file is what is kept of a seat.
type file struct {
	Setup Setup            `json:"setup"`
	Port  int              `json:"port"`
	Rows  []history.Record `json:"rows"`
	State json.RawMessage  `json:"state"` // nil: nothing was done yet
}

const suffix = ".json"

// files is a directory of them.
type files string

func (d files) path(seat string) string { return filepath.Join(string(d), seat+suffix) }

// write keeps a seat in place of what was kept of it, in one step.
func (d files) write(seat string, f file) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	next := d.path(seat) + ".next"
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, d.path(seat))
}

func (d files) read(seat string) (f file, err error) {
	text, err := os.ReadFile(d.path(seat))
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		return file{}, fmt.Errorf("reading what was kept of seat %s: %w", seat, err)
	}
	return f, nil
}

func (d files) remove(seat string) error {
	err := os.Remove(d.path(seat))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// seats are those of which something is kept.
func (d files) seats() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil {
		return nil, err
	}
	seats := []string{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), suffix); ok {
			seats = append(seats, name)
		}
	}
	return seats, nil
}
