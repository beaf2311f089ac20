// Package intake opens the files that a command was told to read. What is no
// regular file is refused, since it may never end, or never begin: a FIFO waits
// for somebody to write to it.
//
// Standard input and the descriptors that a shell hands over, as in
// validate <(generate), are read whatever they are: who names them knows.
package intake

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrIrregular is a path that names a directory, a FIFO, a socket or a device.
var ErrIrregular = errors.New("no regular file")

// Open opens a regular file for reading.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !handed(path) {
		return nil, fmt.Errorf("%s: is %s and %w: name a file", path, kind(info.Mode()), ErrIrregular)
	}
	return os.Open(path)
}

// ReadFile reads a whole file as [Open] opens it.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// handed tells whether a path is a descriptor of this process.
func handed(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// kind names what a path is that is no regular file.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something special"
}
