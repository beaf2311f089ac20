package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
)

// MaxFolds bounds what all histories together take in a page, in bytes.
const MaxFolds = 15 << 20

// lengths are how many records of one history are drawn, the most that fits.
var lengths = [...]int{1000, 400, 160, 60, 20}

// fold makes the histories of a page, by scenario: those that did not pass
// first, since their readers need them most. Each gets its share of what is left.
func fold(list []Scenario, room int) ([]template.HTML, error) {
	order := make([]int, 0, len(list))
	for i, s := range list {
		if s.Unfold != nil {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(list[a]) - rank(list[b]) })
	folds := make([]template.HTML, len(list))
	for k, i := range order {
		share := room / (len(order) - k)
		for _, records := range lengths {
			text, err := compressed(list[i], records)
			if err != nil {
				return nil, fmt.Errorf("scenario %s: %w", list[i].ID, err)
			}
			if len(text) <= share {
				folds[i] = template.HTML(text) // base64: no character of it is markup
				room -= len(text)
				break
			}
		}
	}
	return folds, nil
}

func rank(s Scenario) int {
	if s.Outcome == "pass" {
		return 1
	}
	return 0
}

func compressed(s Scenario, records int) (string, error) {
	var out bytes.Buffer
	zip, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if err := s.Unfold(zip, records); err != nil {
		return "", err
	}
	if err := zip.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), nil
}
