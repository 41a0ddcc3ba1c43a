package bundle_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/koda-video/koda/internal/koda"
)

var update = flag.Bool("update", false, "write what mistakes look like into testdata")

// Each archive of testdata/mistakes holds a project, made of the starter with files
// laid over it, and the error that bundling it gives. Archives of testdata/foreign
// do not have the starter.
func TestMistakes(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*/*.txtar")
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "testdata/pages/") })
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimPrefix(strings.TrimSuffix(name, ".txtar"), "testdata/"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			ar := txtar.Parse(data)
			over := map[string]string{}
			var want *txtar.File
			for i, f := range ar.Files {
				if f.Name == "want" {
					want = &ar.Files[i]
					continue
				}
				over[f.Name] = string(f.Data)
			}
			files := starter(over)
			if strings.HasPrefix(name, "testdata/foreign/") {
				files = fsOf(over)
			}
			page, _, err := shared().Build(t.Context(), files)
			if koda.CodeOf(err) != koda.CodeBuildFailed {
				t.Fatalf("error = %v, want BUILD_FAILED", err)
			}
			if page.Files != nil {
				t.Error("a failed build returns a page")
			}
			got := fmt.Sprintf("%v\nhint: %s\n\n%s\n", err, koda.HintOf(err), koda.DetailsOf(err))
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(bytes.TrimSpace(want.Data)), strings.TrimSpace(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBuildRefusesWhatIsNoProject(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files fstest.MapFS
		code  koda.Code
	}{
		"empty":       {fstest.MapFS{}, koda.CodeNotFound},
		"no document": {fstest.MapFS{"koda.json": {Data: []byte(`{"schema":1,"width":640,"height":360,"fps":"30000/1001","duration":1}`)}}, koda.CodeBuildFailed},
	} {
		_, _, err := shared().Build(t.Context(), tt.files)
		if got := koda.CodeOf(err); got != tt.code {
			t.Errorf("%s: code %q, want %q (%v)", name, got, tt.code, err)
		}
		if koda.HintOf(err) == "" {
			t.Errorf("%s: %v has no hint", name, err)
		}
	}
}
