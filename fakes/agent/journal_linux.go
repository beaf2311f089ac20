package agent

import (
	"errors"
	"os"
	"syscall"
)

// flush returns when what was written is on the disk.
func flush(f *os.File) error {
	for {
		// The times of the file may be lost, its length may not.
		if err := syscall.Fdatasync(int(f.Fd())); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
