package sandbox_test

import (
	"archive/tar"
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Files that a sandbox sends must keep the rules of a project's files.
func TestUnpack_hostile(t *testing.T) {
	t.Parallel()
	file := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: 4} }
	limits := sandbox.Limits{Files: 3, File: 10, Total: 11}
	for name, c := range map[string]struct {
		headers []tar.Header
		code    koda.Code
	}{
		"as it should be":          {[]tar.Header{{Typeflag: tar.TypeDir, Name: "src/"}, file("src/a.ts"), file("src/b.ts")}, ""},
		"a link":                   {[]tar.Header{{Typeflag: tar.TypeSymlink, Name: "src/a.ts", Linkname: "/etc/passwd"}}, koda.CodeInvalidPath},
		"a second name":            {[]tar.Header{file("a"), {Typeflag: tar.TypeLink, Name: "b", Linkname: "a"}}, koda.CodeInvalidPath},
		"a device":                 {[]tar.Header{{Typeflag: tar.TypeChar, Name: "zero", Devmajor: 1, Devminor: 5}}, koda.CodeInvalidPath},
		"a pipe":                   {[]tar.Header{{Typeflag: tar.TypeFifo, Name: "pipe"}}, koda.CodeInvalidPath},
		"a path upwards":           {[]tar.Header{file("../a")}, koda.CodeInvalidPath},
		"a path up and down":       {[]tar.Header{file("src/../../a")}, koda.CodeInvalidPath},
		"an absolute path":         {[]tar.Header{file("/etc/passwd")}, koda.CodeInvalidPath},
		"a path that is not plain": {[]tar.Header{file("./src/a.ts")}, koda.CodeInvalidPath},
		"the same path twice":      {[]tar.Header{file("a"), file("a")}, koda.CodeInvalidPath},
		"too many files":           {[]tar.Header{{Typeflag: tar.TypeReg, Name: "a"}, {Typeflag: tar.TypeReg, Name: "b"}, {Typeflag: tar.TypeReg, Name: "c"}, {Typeflag: tar.TypeReg, Name: "d"}}, koda.CodeReadFailed},
		"directories, and no end":  {slices.Repeat([]tar.Header{{Typeflag: tar.TypeDir, Name: "d/"}}, 100_001), koda.CodeReadFailed},
		"files without bytes":      {slices.Repeat([]tar.Header{{Typeflag: tar.TypeReg, Name: ""}}, 2), koda.CodeInvalidPath},
		"more rights":              {[]tar.Header{{Typeflag: tar.TypeReg, Name: "a", Mode: 0o6777, Uid: 0}}, ""}, // neither mode nor owner is kept
		"a part of a device":       {[]tar.Header{{Typeflag: tar.TypeBlock, Name: "disk", Devmajor: 8}}, koda.CodeInvalidPath},
		"a kind of its own":        {[]tar.Header{{Typeflag: 'Z', Name: "a"}}, koda.CodeInvalidPath},
		"too large a file":         {[]tar.Header{{Typeflag: tar.TypeReg, Name: "a", Size: 11}}, koda.CodeReadFailed},
		"too much in all":          {[]tar.Header{file("a"), file("b"), file("c")}, koda.CodeReadFailed},
		"a name that is a title":   {[]tar.Header{file(strings.Repeat("d/", 100) + "\x1b]0;owned\a/..")}, koda.CodeInvalidPath},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			w := tar.NewWriter(&b)
			for _, h := range c.headers {
				if err := w.WriteHeader(&h); err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write(make([]byte, h.Size)); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			err := sandbox.Unpack(&b, limits, func(string, []byte) error { return nil })
			if got := koda.CodeOf(err); err != nil && got != c.code || err == nil && c.code != "" {
				t.Errorf("%v (%s), want %q", err, got, c.code)
			}
		})
	}
}

// A header that claims a huge size costs no memory.
func TestUnpack_claimed(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := tar.NewWriter(&b).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "a", Size: 1 << 40}); err != nil {
		t.Fatal(err)
	}
	err := sandbox.Unpack(&b, sandbox.Limits{Files: 1, File: 1 << 41, Total: 1 << 41}, func(string, []byte) error { return nil })
	if koda.CodeOf(err) != koda.CodeReadFailed {
		t.Errorf("%v", err)
	}
}
