package storetest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile"
)

//go:embed testdata/before-contents.tar.gz
var beforeContents []byte

// MadeIn is the directory in which the home and the projects of [UnpackBefore] were
// made.
const MadeIn = "/tmp/kfix"

// UnpackBefore writes a home, home/koda.db, and its projects below dir. They come from
// a koda with schema 6, which stored a fact once for each mention: a finished ball
// with two versions, and a title whose koda was killed at the fifth tool call.
func UnpackBefore(t testing.TB, dir string) {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(beforeContents))
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(packed); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.FileInfo().IsDir() {
			err = os.MkdirAll(path, 0o755)
		} else {
			var data []byte
			if data, err = io.ReadAll(files); err == nil {
				err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), atomicfile.Write(path, data, h.FileInfo().Mode()))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
