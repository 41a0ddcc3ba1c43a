package offline_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/koda-video/koda/internal/koda"
)

// TestKept edits projects that carry no recipe, as older kodas wrote them. In the project of
// the title a person moved a keyframe and added a member to params.json. An edit must come
// to the same files for ever. An archive holds brief.json, plan.json, the project, and after
// each edit the files that it changed.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"bouncing-ball", "title"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("testdata", "kept", name+".txtar")
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := &project{files: map[string]string{}}
			var b koda.Brief
			var pl koda.Plan
			var edits []string
			want := map[string]string{}
			for _, f := range a.Files {
				section, name, _ := strings.Cut(f.Name, "/")
				switch {
				case f.Name == "brief.json":
					err = json.Unmarshal(f.Data, &b)
				case f.Name == "plan.json":
					err = json.Unmarshal(f.Data, &pl)
				case section == "project":
					p.files[name] = string(f.Data)
				default:
					if !slices.Contains(edits, section) {
						edits = append(edits, section)
					}
					want[f.Name] = string(f.Data)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			got := map[string]string{}
			for _, said := range edits {
				before := p.snapshot()
				if err := p.change(b, pl, said); err != nil {
					t.Fatalf("%s: %v", said, err)
				}
				for _, name := range p.changed(before) {
					got[said+"/"+name] = p.files[name]
				}
				p.files = before
			}
			if *update {
				rewrite(t, file, a, edits, got)
				return
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// rewrite puts what edits came to into an archive.
func rewrite(t *testing.T, file string, a *txtar.Archive, edits []string, got map[string]string) {
	t.Helper()
	a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool {
		section, _, _ := strings.Cut(f.Name, "/")
		return slices.Contains(edits, section)
	})
	for _, said := range edits {
		for _, name := range slices.Sorted(maps.Keys(got)) {
			if strings.HasPrefix(name, said+"/") {
				a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(got[name])})
			}
		}
	}
	if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
		t.Fatal(err)
	}
}
