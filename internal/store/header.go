package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/koda-video/koda/internal/koda"
)

// The head of a database file (sqlite.org/fileformat.html).
const (
	magic      = "SQLite format 3\x00"
	appIDAt    = 68
	headLength = appIDAt + 4
)

// recognise refuses an existing file that SQLite did not make, so that nothing is
// ever written to it. An empty file passes, as SQLite begins with an empty file.
func recognise(path string) error {
	head, err := headOf(path)
	switch {
	case errors.Is(err, errNotRegular):
		return err // with the hint for any place that cannot be used
	case err != nil:
		return fmt.Errorf("look at %s: %w", path, err)
	case len(head) > 0 && !bytes.HasPrefix(head, []byte(magic)):
		return &koda.Error{
			Code: koda.CodeStorageFailed, Op: fmt.Sprintf("%s is not a database, and is left alone", path),
			Hint: "set DATABASE_PATH to a file of koda's own; or, if this once was koda's, move it away: koda takes the projects in again",
		}
	}
	return nil
}

// ours reports whether the file itself says that it is koda's database. A file at
// the end of a link is not: a rename would move the link, and not the file.
func ours(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	head, err := headOf(path)
	return err == nil && len(head) == headLength && bytes.HasPrefix(head, []byte(magic)) &&
		binary.BigEndian.Uint32(head[appIDAt:]) == applicationID
}

var errNotRegular = errors.New("not a regular file")

// headOf reads the first bytes of a regular file, fewer if the file is shorter.
func headOf(path string) ([]byte, error) {
	// Check before opening: opening a FIFO would wait.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %w", path, errNotRegular)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	head := make([]byte, headLength)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
}
