package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/intake"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// What callers tell apart when a report cannot be read.
var (
	ErrTruncated    = errors.New("the report ends in the middle: it was not written whole; run again")
	ErrNotReport    = errors.New("this is not a lostreceipt report")
	ErrOlderSchema  = errors.New("the report was made by an older lostreceipt; run again with this one")
	ErrNewerSchema  = errors.New("the report was made by a newer lostreceipt; read it with that one")
	ErrInconsistent = errors.New("the report contradicts itself: it was changed after it was written")
)

// maxReport bounds what is read: 1,000 scenarios with long findings are about 10 MB.
const maxReport = 256 << 20

// Encode writes the report as indented JSON. What is not printable ASCII or
// ordinary text is escaped, so that the file is safe to show on a terminal.
func (r *Report) Encode(w io.Writer) error {
	text, err := encode(r, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Write puts the report at path: whole, or not at all.
func Write(path string, r *Report) error {
	return writeFile(path, r.Encode)
}

// Read reads the report at path. Errors start with the path, and with line and
// column where there is one.
func Read(path string) (*Report, error) {
	f, err := intake.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return r, nil
}

// Decode reads one report. It refuses another schema, text after the report,
// and totals or an outcome that do not follow from the scenarios. Unknown
// fields are ignored, so that a reader accepts later reports of its schema.
func Decode(in io.Reader) (*Report, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxReport+1))
	if err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	if len(text) > maxReport {
		return nil, fmt.Errorf(" longer than %d bytes: %w", maxReport, ErrNotReport)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := unmarshal(text, &head); err != nil {
		return nil, err
	}
	if err := checkSchema(head.Schema); err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	var r Report
	if err := unmarshal(text, &r); err != nil {
		return nil, err
	}
	return &r, check(&r)
}

func checkSchema(schema string) error {
	if schema == Schema {
		return nil
	}
	version, ok := strings.CutPrefix(schema, "lostreceipt.report/v")
	if !ok {
		return fmt.Errorf("schema %q, want %q: %w", plain(schema, 60), Schema, ErrNotReport)
	}
	if n := number(version); n == 0 {
		return fmt.Errorf("schema %q, want %q: %w", plain(schema, 60), Schema, ErrOlderSchema)
	}
	return fmt.Errorf("schema %q, want %q: %w", plain(schema, 60), Schema, ErrNewerSchema)
}

// number is the version's major number, or a large one if it has none.
func number(version string) int {
	var n int
	if _, err := fmt.Sscanf(version, "%d", &n); err != nil {
		return 1 << 30
	}
	return n
}

// check compares what was sealed with what the scenarios say.
func check(r *Report) error {
	seen := map[string]bool{}
	for _, s := range r.Scenarios {
		if seen[s.ID] {
			return fmt.Errorf(" scenario %q stands twice: %w", plain(s.ID, 60), ErrInconsistent)
		}
		seen[s.ID] = true
		var outcomes []judge.Outcome
		for _, rep := range s.Repetitions {
			outcomes = append(outcomes, rep.Outcome)
		}
		if worst := judge.Worst(outcomes); len(outcomes) > 0 && worst != s.Verdict.Outcome {
			return fmt.Errorf(" the verdict of scenario %q is %q, and the worst of its repetitions is %q: %w",
				plain(s.ID, 60), plain(string(s.Verdict.Outcome), 60), plain(string(worst), 60), ErrInconsistent)
		}
	}
	if want := total(r); !reflect.DeepEqual(r.Totals, want) {
		sealed, _ := json.Marshal(r.Totals) // numbers and their names
		counted, _ := json.Marshal(want)
		return fmt.Errorf(" totals are %s, the scenarios say %s: %w", sealed, counted, ErrInconsistent)
	}
	if want := overall(r); r.Outcome != want {
		return fmt.Errorf(" outcome is %q, the scenarios say %q: %w", plain(string(r.Outcome), 60), want, ErrInconsistent)
	}
	return nil
}

// unmarshal is json.Unmarshal with line and column in its errors.
func unmarshal(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		if cut(text, syntax) {
			return fmt.Errorf("%s: %w", position(text, len(text)), ErrTruncated)
		}
		return fmt.Errorf("%s: %w (%w)", position(text, int(syntax.Offset)-1), ErrNotReport, err)
	case errors.As(err, &kind):
		return fmt.Errorf("%s: field %s holds %s: %w", position(text, int(kind.Offset)), kind.Field, article(kind.Value), ErrNotReport)
	}
	return fmt.Errorf(" %w (%w)", ErrNotReport, err)
}

// article puts a or an before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// cut tells whether the error is that the text ended. At its end encoding/json
// acts as if a blank followed, which a number such as "0." reports as wrong.
func cut(text []byte, err *json.SyntaxError) bool {
	return strings.Contains(err.Error(), "unexpected end") ||
		int(err.Offset) >= len(text) && strings.HasPrefix(err.Error(), "invalid character ' '") && !bytes.HasSuffix(text, []byte{' '})
}

// position is line:column of an offset, both from 1, columns in bytes.
func position(text []byte, offset int) string {
	offset = min(offset, len(text))
	before := text[:offset]
	line := 1 + bytes.Count(before, []byte{'\n'})
	return fmt.Sprintf("%d:%d", line, offset-bytes.LastIndexByte(before, '\n'))
}

// encode makes JSON of v with a line end after it.
func encode(v any, indent string) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return harmless.JSON(out.Bytes()), nil
}
