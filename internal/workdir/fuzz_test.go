package workdir_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
)

// Whatever is in a file that came along with a project, every operation on the
// project ends, and nothing outside of the project is changed. If only that file is
// damaged, the project can be deleted.

func FuzzState(f *testing.F) {
	fuzzOwn(f, ".koda/state.json", seedState(f), `{"schema":1}`, `{"schema":99,"project":{"id":"p"}}`)
}
func FuzzPending(f *testing.F) {
	fuzzOwn(f, ".koda/pending.json", `{"state":`+seedState(f)+`}`, seedPending(f), `{"state":{}}`)
}

func FuzzAssets(f *testing.F) {
	fuzzOwn(f, ".koda/assets.json", `{"public/images/a.png":"`+sum("a")+`"}`, `{"../victim/.bashrc":"`+sum("alias x=y")+`"}`, `{"":""}`, `[]`)
}

func FuzzVersion(f *testing.F) {
	fuzzOwn(f, ".koda/versions/v2.json", `{"number":2,"files":{"src/a.ts":"`+sum("a")+`"}}`, `{"number":2,"files":{"../victim/.bashrc":"../../../victim/x"}}`, `{}`)
}

func seedState(f *testing.F) string {
	s := state(7)
	s.Files = map[string]string{"src/a.ts": sum("a"), "../victim/.bashrc": sum("alias x=y")}
	return encoded(f, s)
}

func seedPending(f *testing.F) string {
	s := state(7)
	s.Files = map[string]string{"src/a.ts": sum("a"), "koda.json": sum("{}")}
	return encoded(f, map[string]any{"state": s, "version": koda.Version{Number: 2, Files: s.Files}})
}

func encoded(f *testing.F, v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		f.Fatal(err)
	}
	return string(data)
}

func fuzzOwn(f *testing.F, name string, seeds ...string) {
	f.Helper()
	for _, s := range append(seeds, "", "{", "null", "\x00") {
		f.Add([]byte(s))
	}
	// One project is made and copied: making one syncs many files.
	parent := atomicfiletest.Dir(f)
	s, dir := projectIn(f, parent)
	checkpoint(f, s, dir, 1, 1, files{"koda.json": "{}", "src/a.ts": "a"})
	whole := onDisk(f, dir)
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) && len(data) > 2 { // as damaged as the next file: reading it is enough
			write(t, dir, files{name: string(data)})
			for what, err := range reading(s, dir) {
				if err != nil && koda.CodeOf(err) != koda.CodeStorageFailed {
					t.Errorf("%s: %v", what, err)
				}
			}
			return
		}
		parent := atomicfiletest.Dir(t)
		dir, victim := filepath.Join(parent, "ball"), filepath.Join(parent, "victim")
		outside := files{".bashrc": "alias x=y", "state.json": "{}"}
		write(t, victim, outside)
		write(t, dir, whole)
		write(t, dir, files{name: string(data)})
		errs := everything(t, s, dir)
		unharmed(t, victim, outside)
		if err := errs["remove"]; err != nil {
			t.Errorf("it cannot be deleted: %v", err)
		}
		if _, err := os.Lstat(filepath.Join(dir, ".koda")); !os.IsNotExist(err) {
			t.Errorf(".koda is left: %v", err)
		}
	})
}
