package timeline

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"sync"
)

//go:embed picture.tmpl picture.css colours.css
var files embed.FS

var templates = sync.OnceValues(func() (*template.Template, error) { return template.ParseFS(files, "picture.tmpl") })

// Style is the style sheet of pictures.
func Style() template.CSS { return template.CSS(text("picture.css")) } //nolint:gosec // ours

// Colours name the colours of pictures, in light and dark, as variables of the
// page.
func Colours() template.CSS { return template.CSS(text("colours.css")) } //nolint:gosec // ours

// Style is that of the picture's own file.
func (*Picture) Style() template.CSS { return Style() }

// Colours are those of the picture's own file.
func (*Picture) Colours() template.CSS { return Colours() }

func text(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// SVG writes the picture as a file of its own.
func (p *Picture) SVG(w io.Writer) error {
	titled := *p
	titled.Titled = true
	return titled.execute(w, "svg")
}

// Fragment writes the picture and the list of its records as a part of an HTML
// page that has [Style].
func (p *Picture) Fragment(w io.Writer) error { return p.execute(w, "fragment") }

func (p *Picture) execute(w io.Writer, name string) error {
	t, err := templates()
	if err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, p)
}

// The path and the size of what a mark consists of, for the templates.

// Up is the height of the upper end of an arrow's tip.
func (l Line) Up() float64 { return l.Y - 4 }

// Down is the height of its lower end.
func (l Line) Down() float64 { return l.Y + 4 }

// R is the radius of a dot.
func (d Dot) R() float64 {
	if d.Class == "started" || d.Class == "exited" {
		return 5
	}
	return 4
}

// Cross is the path of a cross at the dot.
func (d Dot) Cross() string {
	r := 3.5
	if d.Class == "strike" || d.Class == "killed" {
		r = 7
	}
	return fmt.Sprintf("M%.1f %.1fl%.1f %.1fm0 %.1fl%.1f %.1f", d.X-r, d.Y-r, 2*r, 2*r, -2*r, -2*r, 2*r)
}
