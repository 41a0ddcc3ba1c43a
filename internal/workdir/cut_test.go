package workdir_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
)

// TestStorage_ReadState_Cut cuts state.json after every byte. Readers and the next
// owner refuse the rest and read the checkpoint before it.
func TestStorage_ReadState_Cut(t *testing.T) {
	t.Parallel()
	s, dir := projectIn(t, atomicfiletest.Dir(t))
	path := filepath.Join(dir, ".koda", "state.json")
	checkpoint(t, s, dir, 1, 1, files{"src/a.ts": "1"})
	checkpoint(t, s, dir, 2, 0, files{"src/a.ts": "2", "koda.json": "{}"})
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(dir, ".koda", "state.prev.json"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		want := int64(1)
		if n == len(whole)-1 { // only the last line end is missing
			want = 2
		}
		got, err := s.ReadState(dir)
		if err != nil || got.Seq != want || (got.Damage != "") != (want == 1) {
			t.Fatalf("cut after %d of %d bytes: state of event %d, damage %q, %v", n, len(whole), got.Seq, got.Damage, err)
		}
		if n%50 > 0 {
			continue
		}
		release, err := s.Lock(dir)
		if err != nil {
			t.Fatalf("cut after %d bytes: %v", n, err)
		}
		checkpoint(t, s, dir, 3, 0, files{"src/a.ts": "3", "koda.json": "{}"})
		if got, err := s.ReadState(dir); err != nil || got.Seq != 3 || got.Damage != "" {
			t.Errorf("cut after %d bytes, then saved: event %d, %v", n, got.Seq, err)
		}
		prev, err := os.ReadFile(filepath.Join(dir, ".koda", "state.prev.json"))
		if err != nil || !bytes.Equal(prev, before) {
			t.Errorf("cut after %d bytes, then saved: the checkpoint before is\n%s, %v", n, prev, err)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
	}
}
