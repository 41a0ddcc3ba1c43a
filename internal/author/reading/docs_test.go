package reading_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/recipe"
)

// TestDocs: the example of the recipe in docs/recipes.md is taken for that recipe, among all of koda's own.
func TestDocs(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "recipes.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := func(before string) []byte {
		found := regexp.MustCompile("(?s)`" + regexp.QuoteMeta(before) + "`[^\n]*\n\n```[a-z]+\n(.*?)```").FindSubmatch(doc)
		if found == nil {
			t.Fatalf("docs/recipes.md shows no %s", before)
		}
		return found[1]
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "..", "templates", "recipes"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "podium"), 0o750); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"recipe.json", "story.ts", "score.ts"} {
		if err := os.WriteFile(filepath.Join(dir, "podium", name), block(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, err := recipe.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	r, err := reading.New(os.DirFS(filepath.Join(dir, "words")), l.Manifests())
	if err != nil {
		t.Fatal(err)
	}
	m := l.Manifest("podium")
	for _, example := range m.Examples {
		if got := request(r, example); got != `podium rows="Ana 31, Bo 28, Cleo 25"` {
			t.Errorf("%s\n  comes to %s", example, got)
		}
	}
}
