package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrTorn marks a history whose last line is incomplete: the process that wrote
// it was killed. The records before it are returned and can be judged.
var ErrTorn = errors.New("history ends in the middle of a record")

// maxLine bounds one record on disk: a body of 64 KiB, escaped, and the rest.
const maxLine = 1 << 20

// Read parses JSON Lines. Records must be numbered from 1 without a gap and
// their instants must not go backwards. Unknown fields are ignored, so that an
// older reader accepts a newer history. On [ErrTorn] the records read so far
// are returned with the error; on any other error none is.
func Read(r io.Reader) ([]Record, error) {
	var records []Record
	in := bufio.NewReaderSize(r, 1<<16)
	for line := 1; ; line++ {
		text, err := readLine(in)
		if errors.Is(err, io.EOF) {
			if len(text) > 0 {
				return records, fmt.Errorf("line %d: %w", line, ErrTorn)
			}
			return records, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		var rec Record
		if err := json.Unmarshal(text, &rec); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if rec.N != line {
			return nil, fmt.Errorf("line %d: record is numbered %d, want %d: a record is missing or doubled", line, rec.N, line)
		}
		if n := len(records); n > 0 && rec.At < records[n-1].At {
			return nil, fmt.Errorf("line %d: instant %d is before that of the record above it (%d)", line, rec.At, records[n-1].At)
		}
		records = append(records, rec)
	}
}

// readLine returns one line without its end. At the end of input it returns
// io.EOF together with what stands after the last line end.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
			if len(line) > maxLine {
				return nil, fmt.Errorf("a record is longer than %d bytes", maxLine)
			}
		default:
			return line, err
		}
	}
}
