package reading_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"testing/fstest"

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
	all := fstest.MapFS{}
	root := os.DirFS(filepath.Join("..", "..", "..", "templates", "recipes"))
	err = fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		all[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"recipe.json", "story.ts", "score.ts"} {
		all["podium/"+name] = &fstest.MapFile{Data: block(name)}
	}
	l, err := recipe.Load(all)
	if err != nil {
		t.Fatal(err)
	}
	words, err := fs.Sub(all, "words")
	if err != nil {
		t.Fatal(err)
	}
	r, err := reading.New(words, l.Manifests())
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
