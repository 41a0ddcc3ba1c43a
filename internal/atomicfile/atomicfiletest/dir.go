// Package atomicfiletest has what tests of durable files share.
package atomicfiletest

import (
	"os"
	"testing"
)

// Dir is a directory in memory where the machine has such a place, else one of
// t.TempDir. It is for tests that save hundreds of files and are about what is
// saved, not about how fast a disk syncs. It is removed when the test ends.
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
