package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/lostreceipt/lostreceipt/reports/timeline"
)

//go:embed *.tmpl page.css page.js
var files embed.FS

var templates = sync.OnceValues(func() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{"sign": sign, "bar": bar}).ParseFS(files, "*.tmpl")
})

// sheet is what the page's templates get.
type sheet struct {
	View
	Style  template.CSS
	Script template.JS
	Policy string
	Folds  []template.HTML
}

// Write writes the page.
func (v View) Write(w io.Writer) error {
	t, err := templates()
	if err != nil {
		return err
	}
	s := sheet{View: v}
	css, err := files.ReadFile("page.css")
	if err != nil {
		return err
	}
	js, err := files.ReadFile("page.js")
	if err != nil {
		return err
	}
	s.Style = timeline.Colours() + template.CSS(css) + timeline.Style() //nolint:gosec // ours
	s.Script = template.JS(js)                                          //nolint:gosec // ours
	s.Policy = policy(string(s.Script), string(s.Style))
	if s.Folds, err = fold(v.Scenarios, MaxFolds); err != nil {
		return err
	}
	var out bytes.Buffer // whole or not at all: an error must not leave half a page
	if err := t.ExecuteTemplate(&out, "page", s); err != nil {
		return err
	}
	_, err = out.WriteTo(w)
	return err
}

// policy allows this script, this style, and nothing else.
func policy(script, style string) string {
	return fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'", digest(script), digest(style))
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// sign is the mark of an outcome; the word always stands beside it.
func sign(outcome string) string {
	switch outcome {
	case "pass", "good":
		return "✓"
	case "violation", "bad":
		return "✗"
	case "harness-error":
		return "!"
	case "not-applicable", "":
		return "–"
	}
	return "?"
}

// A Piece is one part of the bar that shows the tally.
type Piece struct {
	Count
	X, Width float64
}

// bar divides 1000 units among the outcomes; what is there can be seen.
func bar(tally []Count) []Piece {
	total := 0
	for _, c := range tally {
		total += c.N
	}
	var list []Piece
	x := 0.0
	for _, c := range tally {
		if c.N == 0 {
			continue
		}
		width := max(1000*float64(c.N)/float64(total), 4)
		list = append(list, Piece{Count: c, X: x, Width: width})
		x += width
	}
	for i := range list { // the least widths may exceed the whole
		list[i].X, list[i].Width = list[i].X*1000/x, list[i].Width*1000/x
	}
	return list
}
