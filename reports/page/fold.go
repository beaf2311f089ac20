package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"html/template"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// MaxFolds bounds what all histories together take in a page, in bytes.
const MaxFolds = 15 << 20

// lengths are how many records of one history are drawn, the most that fits.
var lengths = [...]int{1000, 400, 160, 60, 20}

// fold makes the histories of a page, by scenario. Each gets an equal share of
// the room; what is left then goes to those that were cut, first to scenarios
// that did not pass, since their readers need them most.
func fold(list []Scenario, room int) ([]template.HTML, error) {
	folds := make([]template.HTML, len(list))
	var order []int
	for i, s := range list {
		if s.Unfold != nil {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return folds, nil
	}
	share := room / len(order)
	cut := make([]bool, len(list))
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for _, i := range order {
		workers.Go(func() (err error) {
			folds[i], cut[i], err = fit(list[i], share)
			return err
		})
	}
	if err := workers.Wait(); err != nil {
		return nil, err
	}
	for _, i := range order {
		room -= len(folds[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(list[a]) - rank(list[b]) })
	for _, i := range order {
		if !cut[i] {
			continue
		}
		longer, _, err := fit(list[i], room+len(folds[i]))
		if err != nil {
			return nil, err
		}
		room += len(folds[i]) - len(longer)
		folds[i] = longer
	}
	return folds, nil
}

// fit is the history with as many records as there is room for, "" when there
// is none at all. It is cut when more could be shown with more room.
func fit(s Scenario, room int) (text template.HTML, cut bool, err error) {
	for k, records := range lengths {
		text, err := compressed(s, records)
		if err != nil {
			return "", false, fmt.Errorf("scenario %s: %w", s.ID, err)
		}
		if len(text) <= room {
			return template.HTML(text), k > 0, nil //nolint:gosec // base64: no character of it is markup
		}
	}
	return "", true, nil
}

func rank(s Scenario) int {
	if s.Outcome == "pass" {
		return 1
	}
	return 0
}

func compressed(s Scenario, records int) (string, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if err := s.Unfold(zip, records); err != nil {
		return "", err
	}
	if err := zip.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), nil
}
