package bundle_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// shared is a bundler for all tests.
var shared = sync.OnceValue(func() *bundle.Bundler { return bundler(testCache()) })

// testCache outlives the test run, so that it is filled only once.
func testCache() string {
	dir, err := filepath.Abs("../../.cache/bundle-test")
	if err != nil {
		panic(err)
	}
	return dir
}

// packed is the runtime that the program carries. If this checkout has no packed
// runtime yet, it is packed once from the packages that npm installs.
func packed() ([]byte, string, bool) {
	archive, digest := packedOnce()
	return archive, digest, true
}

var packedOnce = sync.OnceValues(func() ([]byte, string) {
	if archive, digest, ok := templates.Runtime(); ok {
		return archive, digest
	}
	if _, _, err := bundle.New(bundle.Config{CacheDir: testCache()}).Build(context.Background(), starter(nil)); err != nil {
		panic(fmt.Sprintf("no page runtime, run `make runtime`: %v", err))
	}
	archive, err := os.ReadFile(installedName(testCache()))
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(archive)
	return archive, hex.EncodeToString(sum[:])
})

// installedName is the name in the cache of a runtime that npm installed.
func installedName(cache string) string {
	_, lock := templates.RuntimeLock()
	return filepath.Join(cache, "runtime", fmt.Sprintf("npm-1-%x.tar.zst", sha256.Sum256(lock)))
}

func bundler(cache string) *bundle.Bundler {
	return bundle.New(bundle.Config{CacheDir: cache, Archive: packed})
}

func build(t testing.TB, files fs.FS) koda.Page {
	t.Helper()
	page, _, err := shared().Build(t.Context(), files)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, koda.DetailsOf(err), koda.HintOf(err))
	}
	return page
}

// starter is the starter project with other files laid over it.
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

func fsOf(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}
