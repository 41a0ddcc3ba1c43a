package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/atomicfile"
)

// TestOrder: the new file is synced while the old file still has the name, then the
// new file gets the name, then the directory is synced. Any other order can leave
// an empty file under the final name after a power cut.
func TestOrder(t *testing.T) { //nolint:paralleltest // it listens to every sync of the process
	for name, write := range map[string]func(path string) error{
		"write": func(path string) error { return atomicfile.Write(path, []byte("new"), 0o644) },
		"publish": func(path string) error {
			tmp := filepath.Join(filepath.Dir(path), ".finished.1.tmp")
			if err := os.WriteFile(tmp, []byte("new"), 0o600); err != nil {
				return err
			}
			return atomicfile.Publish(tmp, path)
		},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "state.json")
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		var syncs []string
		restore := atomicfile.OnSync(func(synced string) {
			what := "directory"
			if synced != dir {
				data, err := os.ReadFile(synced)
				what = fmt.Sprintf("file %q %v", data, err)
				if !atomicfile.IsTemp(synced) {
					what += " under its final name"
				}
			}
			there, err := os.ReadFile(path)
			syncs = append(syncs, fmt.Sprintf("%s while %q stands, %v", what, there, err))
		})
		err := write(path)
		restore()
		want := []string{`file "new" <nil> while "old" stands, <nil>`, `directory while "new" stands, <nil>`}
		if diff := cmp.Diff(want, syncs); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// TestOrder_Dir: every file of a directory, and the directory itself, is synced
// before it gets its name.
func TestOrder_Dir(t *testing.T) { //nolint:paralleltest // it listens to every sync of the process
	parent := t.TempDir()
	path := filepath.Join(parent, "frames")
	d, err := atomicfile.CreateDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		f, err := d.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var syncs []string
	restore := atomicfile.OnSync(func(synced string) {
		_, err := os.Stat(path)
		name := filepath.Base(synced)
		if strings.HasPrefix(name, ".frames.") {
			name = "frames"
		}
		syncs = append(syncs, fmt.Sprint(name, " ", err == nil))
	})
	err = d.Commit()
	restore()
	want := []string{"a false", "b false", "frames false", filepath.Base(parent) + " true"}
	if diff := cmp.Diff(want, syncs); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
