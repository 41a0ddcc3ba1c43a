package reading_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
)

// remembered is how many of a hundred examples the shipped weights must still find. They find fewer when words or
// recipes change and nobody ran `make learn`.
const remembered = 85

// TestLearned: what was learned fits the examples, the words and the recipes of today.
func TestLearned(t *testing.T) {
	t.Parallel()
	r, library := reader(t)
	examples, err := reading.Examples(os.DirFS(filepath.Join("..", "..", "..", "templates", "learn", "examples")))
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for i, e := range examples {
		if e.Subject != "unfit" && library.Manifest(e.Subject) == nil {
			t.Fatalf("no recipe is named %q: %s", e.Subject, e.Text)
		}
		if i%40 == 0 { // one takes some 15 ms
			all++
			if r.Finds(e) {
				right++
			}
		}
	}
	t.Logf("%d of %d", right, all)
	if 100*right < remembered*all {
		t.Errorf("%d of %d examples come out as they say: run `make learn`", right, all)
	}
}

// TestRemarks: what was learned of changes fits the examples of today.
func TestRemarks(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	examples, err := reading.Examples(os.DirFS(filepath.Join("..", "..", "..", "templates", "learn", "changes")))
	if err != nil {
		t.Fatal(err)
	}
	right, all := 0, 0
	for i := 0; i < len(examples); i += 40 {
		all++
		if r.FindsRemarks(examples[i]) {
			right++
		}
	}
	t.Logf("%d of %d", right, all)
	if 100*right < remembered*all {
		t.Errorf("%d of %d examples come out as they say: run `make learn-remarks`", right, all)
	}
}
