package reading_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/wish"
)

// remembered is how many of a hundred examples the shipped weights must still find. They find fewer when words or
// recipes change and nobody ran `make learn`.
const remembered = 85

// rememberedChanges is the same for changes, whose labels are more, and less certain.
const rememberedChanges = 80

// examplesOf are the examples of a directory of templates/learn.
func examplesOf(t *testing.T, dir string) []wish.Example {
	t.Helper()
	examples, err := reading.Examples(os.DirFS(filepath.Join("..", "..", "..", "templates", "learn", dir)))
	if err != nil {
		t.Fatal(err)
	}
	return examples
}

// remember fails if too few of every fortieth example are found; one takes some 15 ms. learn is what mends it.
func remember(t *testing.T, examples []wish.Example, found func(wish.Example) bool, least int, learn string) {
	t.Helper()
	right, all := 0, 0
	for i := 0; i < len(examples); i += 40 {
		all++
		if found(examples[i]) {
			right++
		}
	}
	t.Logf("%d of %d", right, all)
	if 100*right < least*all {
		t.Errorf("%d of %d examples come out as they say: run `make %s`", right, all, learn)
	}
}

// TestLearned: what was learned fits the examples, the words and the recipes of today.
func TestLearned(t *testing.T) {
	t.Parallel()
	r, library := reader(t)
	examples := examplesOf(t, "examples")
	for _, e := range examples {
		if e.Subject != "unfit" && library.Manifest(e.Subject) == nil {
			t.Fatalf("no recipe is named %q: %s", e.Subject, e.Text)
		}
	}
	remember(t, examples, r.Finds, remembered, "learn")
}

// TestLearnedChanges: what was learned of changes fits the examples of today.
func TestLearnedChanges(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	remember(t, examplesOf(t, "changes"), r.FindsParts, rememberedChanges, "learn-changes")
}
