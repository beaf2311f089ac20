package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/reports"
)

// origin is the run that stored histories are of, as far as a report tells.
type origin struct {
	root    string
	report  *reports.Report               // nil: none stands there; the run was killed, or is not over
	named   map[string]reports.Repetition // by the path of the evidence
	digests bool                          // the report holds some
	found   []string                      // the evidence that is there, as named
}

// above is how far over the directory that is judged a report may stand:
// DIR over DIR/runs/TRIAL/SCENARIO/N.
const above = 4

// originOf finds the report of the runs in dir: in dir itself, or over it if it
// names one of them.
func originOf(dir string, runs []reports.RunDir) (origin, error) {
	root := filepath.Clean(dir)
	for level := 0; level <= above; level, root = level+1, filepath.Dir(root) {
		r, err := reports.Read(reports.Out(root).Report())
		switch {
		case err != nil && level == 0 && !errors.Is(err, fs.ErrNotExist):
			return origin{}, fmt.Errorf("%w; without it nothing shows that the histories are those of the run: take it away to judge them all the same", err)
		case err != nil:
			continue
		}
		w := origin{root: root, report: r, named: map[string]reports.Repetition{}}
		for _, s := range r.Scenarios {
			for _, rep := range s.Repetitions {
				if rep.Evidence != "" {
					w.named[rep.Evidence] = rep
					w.digests = w.digests || rep.HistoryDigest != ""
				}
			}
		}
		for _, run := range runs {
			if path := below(root, run); w.named[path].Evidence != "" {
				w.found = append(w.found, path)
			}
		}
		if level == 0 || len(w.found) > 0 {
			return w, nil
		}
	}
	return origin{}, nil
}

const restore = "put the directory back as the run wrote it; to judge what is there all the same, copy its runs away from the report"

// compare adds to what was wrong with reading a stored run that its history is
// not the one that its run wrote.
func (w origin) compare(stored reports.Stored, err error) error {
	rep := w.named[below(w.root, stored.Dir)]
	switch {
	case stored.Digest == "" || rep.Evidence == "" || !w.digests:
		return err
	case rep.HistoryDigest == "" && rep.Problem == "":
		return errors.Join(err, fmt.Errorf("%s: the report holds no SHA-256 of it, and holds others: the report was changed; %s", stored.Dir.History(), restore))
	case rep.HistoryDigest != "" && rep.HistoryDigest != stored.Digest:
		changed := fmt.Errorf("%s: was changed after the run: its SHA-256 is not the one in the report; %s", stored.Dir.History(), restore)
		if err != nil {
			return fmt.Errorf("%w (%w)", changed, err)
		}
		return changed
	}
	return err
}

// missing are the histories at or below dir that the report names and that are
// not there.
func (w origin) missing(dir string) (lost []reports.RunDir) {
	for path, rep := range w.named {
		at := filepath.Join(w.root, filepath.FromSlash(path))
		if rel, err := filepath.Rel(dir, at); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if rep.HistoryDigest != "" && !slices.Contains(w.found, path) {
			lost = append(lost, reports.RunDir(at))
		}
	}
	slices.SortFunc(lost, func(a, b reports.RunDir) int { return strings.Compare(string(a), string(b)) })
	return lost
}
