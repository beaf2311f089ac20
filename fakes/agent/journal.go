package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// journal keeps values under keys in a file that only grows: a line for each
// change, which is whole and on the disk before anything acts on it. Processes
// that have the same file open take turns by its lock, and each reads first what
// the others have added. Of a line that a kill or a power failure left unfinished
// nothing is believed: the next writer cuts it off.
//
// A line is the checksum of an entry, in hexadecimal, a space, and the entry.
type journal struct {
	mu     sync.Mutex
	file   *os.File
	read   int64 // bytes that are in values
	values map[string]json.RawMessage
}

// entry is one change.
type entry struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// openJournal opens a journal, and makes it if there is none. The caller closes it.
func openJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	dir, err := os.Open(filepath.Dir(path))
	if err == nil {
		err = errors.Join(dir.Sync(), dir.Close()) // its name must last as long as what is in it
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journal{file: f, values: map[string]json.RawMessage{}}, nil
}

func (j *journal) close() error { return j.file.Close() }

// get returns the value of a key, nil if there is none. It must not be changed.
func (j *journal) get(key string) (json.RawMessage, error) {
	var value json.RawMessage
	err := j.locked(syscall.LOCK_SH, func() error {
		_, err := j.catchUp()
		value = j.values[key]
		return err
	})
	return value, err
}

// set lets change make a new value of the old one, which it must not change, and
// returns nil when that is durable. Nothing else is written between. An error of
// change leaves everything as it was, and so does a nil value.
func (j *journal) set(key string, change func(old json.RawMessage) (json.RawMessage, error)) error {
	return j.locked(syscall.LOCK_EX, func() error {
		torn, err := j.catchUp()
		if err != nil {
			return err
		}
		value, err := change(j.values[key])
		if err != nil || value == nil {
			return err
		}
		if torn {
			if err := j.file.Truncate(j.read); err != nil {
				return err
			}
		}
		line, err := encodeEntry(entry{key, value})
		if err != nil {
			return err
		}
		if _, err := j.file.Write(line); err != nil {
			return err // what there is of it is not believed
		}
		if err := flush(j.file); err != nil {
			return err
		}
		j.values[key] = value
		j.read += int64(len(line))
		return nil
	})
}

// locked runs f while the file's lock is held, shared or alone.
func (j *journal) locked(how int, f func() error) (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	fd := int(j.file.Fd())
	for err = syscall.Flock(fd, how); errors.Is(err, syscall.EINTR); {
		err = syscall.Flock(fd, how)
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", j.file.Name(), err)
	}
	err = f()
	return errors.Join(err, syscall.Flock(fd, syscall.LOCK_UN))
}

// catchUp takes in what has been added, and tells whether the last line is
// unfinished. One that is broken and not the last is damage, and an error.
func (j *journal) catchUp() (torn bool, err error) {
	info, err := j.file.Stat()
	if err != nil {
		return false, err
	}
	if info.Size() <= j.read {
		return false, nil
	}
	added, err := io.ReadAll(io.NewSectionReader(j.file, j.read, info.Size()-j.read))
	if err != nil {
		return false, err
	}
	for len(added) > 0 {
		line, rest, whole := bytes.Cut(added, []byte("\n"))
		e, ok := decodeEntry(line)
		if !whole || !ok {
			if len(rest) > 0 {
				return false, fmt.Errorf("%s is damaged at byte %d", j.file.Name(), j.read)
			}
			return true, nil
		}
		j.values[e.Key] = e.Value
		j.read += int64(len(line)) + 1
		added = rest
	}
	return false, nil
}

func encodeEntry(e entry) ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text), nil
}

func decodeEntry(line []byte) (e entry, ok bool) {
	sum, text, found := bytes.Cut(line, []byte(" "))
	if !found || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) {
		return e, false
	}
	return e, json.Unmarshal(text, &e) == nil
}
