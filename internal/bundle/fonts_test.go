package bundle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/fonts"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/templates"
)

// onStage is a project of recipes: their shared page code, with texts as its data.
func onStage(t *testing.T, params string, over map[string]string) fs.FS {
	t.Helper()
	files := starter(nil)
	for _, from := range []string{"stage/src", "headline/src"} {
		dir, err := fs.Sub(templates.Recipes(), from)
		if err != nil {
			t.Fatal(err)
		}
		err = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil //nolint:nilerr // a recipe may have no page code of its own
			}
			data, err := fs.ReadFile(dir, name)
			files["src/"+name] = &fstest.MapFile{Data: data}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	story, err := fs.ReadFile(templates.Recipes(), "headline/story.ts")
	if err != nil {
		t.Fatal(err)
	}
	files["src/recipe/story.ts"] = &fstest.MapFile{Data: story}
	files["src/theatre/params.json"] = &fstest.MapFile{Data: []byte(params)}
	for name, text := range over {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

// withFonts is a bundler with the fonts in a directory; "" is an empty one.
func withFonts(t *testing.T, dir string) *bundle.Bundler {
	t.Helper()
	if dir == "" {
		dir = t.TempDir()
	}
	return bundle.New(bundle.Config{CacheDir: testCache(), Archive: packed, Fonts: fonts.Open(dir)})
}

func madeWith(t *testing.T, b *bundle.Bundler, files fs.FS, props string) koda.Page {
	t.Helper()
	page, _, err := b.BuildWith(t.Context(), files, []byte(props))
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	return page
}

// slicesOn counts the fonts of further scripts on a page, and their bytes.
func slicesOn(page koda.Page) (n, size int) {
	for at, file := range page.Files {
		if strings.HasPrefix(at, "/_koda/fonts/") && strings.HasSuffix(at, ".woff2") {
			n, size = n+1, size+len(file.Body)
		}
	}
	return n, size
}

// A page has the slices that its texts need, those of the parameters of a render
// included; a page of Latin texts is the same with and without the fonts.
func TestFonts(t *testing.T) {
	t.Parallel()
	b, bare := withFonts(t, needs.Fonts(t)), withFonts(t, "")
	latin := onStage(t, `{"recipe": "headline", "text": "Hello – „Привет“"}`, nil)
	plain := madeWith(t, b, latin, "")
	if n, _ := slicesOn(plain); n > 0 || !plain.OwnFonts || plain.Digest != madeWith(t, bare, latin, "").Digest {
		t.Errorf("Latin and Cyrillic: %d slices, own %v", n, plain.OwnFonts)
	}
	japanese := onStage(t, `{"recipe": "headline", "text": "\u304a誕生日"}`, nil)
	page := madeWith(t, b, japanese, "")
	if n, size := slicesOn(page); n == 0 || size > 400<<10 || !page.OwnFonts || len(page.Warnings) > 0 {
		t.Errorf("Japanese: %d slices of %d bytes, own %v, warnings %q", n, size, page.OwnFonts, page.Warnings)
	}
	if html := string(page.Files["/index.html"].Body); strings.Count(html, "/_koda/fonts/fonts.css") != 1 {
		t.Errorf("the page does not load its fonts:\n%s", html)
	}
	row := madeWith(t, b, latin, `{"text": "誕生日"}`)
	if n, _ := slicesOn(row); n == 0 || !row.OwnFonts {
		t.Errorf("a row: %d slices, own %v", n, row.OwnFonts)
	}
	other := madeWith(t, b, onStage(t, `{"recipe": "headline", "text": "ありがとう"}`, nil), "")
	if page.Code == "" || page.Code != other.Code || page.Code == plain.Code {
		t.Errorf("digests of code: %q, with other Japanese letters %q, with Latin letters %q", page.Code, other.Code, plain.Code)
	}
}

// Fonts that cannot be read are no reason to make no page.
func TestFonts_damaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "own"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own", "index.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	page := madeWith(t, withFonts(t, dir), onStage(t, `{"recipe": "headline", "text": "誕生日"}`, nil), "")
	if page.OwnFonts || len(page.Warnings) != 1 || !strings.Contains(page.Warnings[0], "koda fonts add") {
		t.Errorf("own %v, warnings %q", page.OwnFonts, page.Warnings)
	}
}

// Fonts of the machine are in the pictures if a font is missing, or if code or families
// are not koda's.
func TestFonts_notOwn(t *testing.T) {
	t.Parallel()
	b := withFonts(t, needs.Fonts(t))
	const hello = `{"recipe": "headline", "text": "Hello"}`
	for name, files := range map[string]fs.FS{
		"a script without a font": onStage(t, `{"recipe": "headline", "text": "𓀀"}`, nil),
		"code of a person":        onStage(t, hello, map[string]string{"src/App.tsx": "import './stage/look'\nexport default function App() { return null }"}),
		"a family of nobody":      onStage(t, hello, map[string]string{"src/brand.json": `{"fonts": {"display": "Helvetica"}}`}),
	} {
		if page := madeWith(t, b, files, ""); page.OwnFonts {
			t.Errorf("%s: the page has all its fonts", name)
		}
	}
	branded := madeWith(t, b, onStage(t, hello, map[string]string{"src/brand.json": `{"fonts": {"display": "Noto Sans JP"}}`}), "")
	if n, _ := slicesOn(branded); n == 0 || !branded.OwnFonts {
		t.Errorf("a family by its name: %d slices, own %v", n, branded.OwnFonts)
	}
}
