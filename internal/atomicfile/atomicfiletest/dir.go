// Package atomicfiletest holds the helpers that tests of durable files share.
package atomicfiletest

import (
	"os"
	"testing"
)

// Dir is a directory in memory, if the machine has such a place, else a directory
// of t.TempDir. It is for tests that save hundreds of files and do not depend on a
// real disk. It is removed when the test ends.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "koda-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}
