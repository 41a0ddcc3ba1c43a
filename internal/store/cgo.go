//go:build cgo

package store

import (
	"errors"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// sqliteCode finds the result code of an error of SQLite's, and the operating
// system's reason where there was one.
func sqliteCode(err error) (code int, reason syscall.Errno, ok bool) {
	var s sqlite3.Error
	if !errors.As(err, &s) {
		return 0, 0, false
	}
	return int(s.Code), s.SystemErrno, true
}
