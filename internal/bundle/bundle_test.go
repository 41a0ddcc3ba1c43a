package bundle_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/templates"
)

// shared is a bundler with a cache for all tests. On a checkout where the
// runtime was not packed npm installs it, once, into .cache at the root.
var shared = sync.OnceValue(func() *bundle.Bundler {
	return bundle.New(bundle.Config{CacheDir: testCache()})
})

func testCache() string {
	dir, err := filepath.Abs("../../.cache/bundle-test")
	if err != nil {
		panic(err)
	}
	return dir
}

func build(t testing.TB, files fs.FS) koda.Page {
	t.Helper()
	page, _, err := shared().Build(t.Context(), files)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, koda.DetailsOf(err), koda.HintOf(err))
	}
	return page
}

// starter is the starter project with other files over it.
func starter(over map[string]string) fstest.MapFS {
	files := fstest.MapFS{}
	err := fs.WalkDir(templates.Starter(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(templates.Starter(), name)
		files[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		panic(err) // embedded
	}
	for name, data := range over {
		files[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return files
}

// archive reads the files of testdata/name.
func archive(t testing.TB, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}
