package bundle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// TestHostile_Page: a directory that somebody prepared to do harm is refused with a
// sentence. koda reads nothing outside of it, does not wait, and does not fill its
// memory.
func TestHostile_Page(t *testing.T) {
	t.Parallel()
	const manifest = `{"schema": 1, "name": "x", "width": 640, "height": 360, "fps": 30, "duration": 1}`
	link := func(name, to string) func(dir string) error {
		return func(dir string) error { return os.Symlink(to, filepath.Join(dir, name)) }
	}
	pipe := func(name string) func(dir string) error {
		return func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, name), 0o644) }
	}
	large := func(size int64, names ...string) func(dir string) error {
		return func(dir string) error {
			for _, name := range names {
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, nil, 0o644); err != nil {
					return err
				}
				if err := os.Truncate(file, size); err != nil { // takes no room on the disk
					return err
				}
			}
			return nil
		}
	}
	var thirty []string
	for i := range 30 {
		thirty = append(thirty, fmt.Sprintf("public/%02d.bin", i))
	}
	const secret = "../victim/secret.ts"
	for name, c := range map[string]struct {
		plant func(dir string) error
		code  koda.Code
		says  string
	}{
		"koda.json out":       {link("koda.json", "../victim/koda.json"), koda.CodeInvalidPath, "koda.json is a symbolic link"},
		"koda.json endless":   {link("koda.json", "/dev/zero"), koda.CodeInvalidPath, "koda.json is a symbolic link"},
		"koda.json pipe":      {pipe("koda.json"), koda.CodeInvalidPath, "koda.json is not a regular file"},
		"koda.json large":     {large(3<<30, "koda.json"), koda.CodeUsage, "koda.json is too large (3072 MB, at most 1)"},
		"document out":        {link("index.html", "../victim/index.html"), koda.CodeInvalidPath, "index.html is a symbolic link"},
		"document pipe":       {pipe("index.html"), koda.CodeInvalidPath, "index.html is not a regular file"},
		"document large":      {large(33<<20, "index.html"), koda.CodeUsage, "index.html is too large (33 MB, at most 32)"},
		"entry out":           {link("src/main.ts", "../"+secret), koda.CodeInvalidPath, "src/main.ts is a symbolic link"},
		"entry large":         {large(3<<30, "src/main.ts"), koda.CodeUsage, "src/main.ts is too large (3072 MB, at most 32)"},
		"import out":          {link("src/a.ts", "../"+secret), koda.CodeInvalidPath, "src/a.ts is a symbolic link"},
		"import in directory": {link("src/lib", "../../victim"), koda.CodeInvalidPath, "src/lib is a symbolic link"},
		"picture out":         {link("dot.svg", "../victim/dot.svg"), koda.CodeInvalidPath, "dot.svg is a symbolic link"},
		"public out":          {link("public", "../victim"), koda.CodeInvalidPath, "public is a symbolic link"},
		"public large":        {large(8<<30, "public/a.bin"), koda.CodeUsage, "public/a.bin is too large (8192 MB, at most 200)"},
		"public in all":       {large(190<<20, thirty...), koda.CodeUsage, "with public/05.bin they have 1140 MB, at most 1024 are read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "clone")
			files := map[string]string{
				"victim/koda.json": manifest, "victim/index.html": "<html></html>", "victim/secret.ts": "export default 'SECRET'", "victim/dot.svg": "<svg/>",
				"clone/koda.json": manifest, "clone/index.html": `<script type="module" src="/src/main.ts"></script><img src="dot.svg">`,
				"clone/src/main.ts": "import a from './a'; import l from './lib/secret'; console.log(a, l)",
				"clone/src/a.ts":    "export default 1", "clone/src/lib/secret.ts": "export default 2", "clone/dot.svg": "<svg/>", "clone/public/b.txt": "b",
			}
			for file, text := range files {
				file = filepath.Join(parent, file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			what, _, _ := strings.Cut(c.says, " ")
			if c.code == koda.CodeInvalidPath {
				if err := os.RemoveAll(filepath.Join(dir, what)); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.plant(dir); err != nil {
				t.Fatal(err)
			}
			clone, err := projectfs.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer clone.Close() //nolint:errcheck // only read
			_, _, err = shared().Build(t.Context(), clone)
			if koda.CodeOf(err) != c.code || !strings.Contains(fmt.Sprint(err), c.says) || koda.HintOf(err) == "" || strings.Contains(fmt.Sprint(err), "\n") {
				t.Errorf("%v (%s, hint %q), want %s with %q", err, koda.CodeOf(err), koda.HintOf(err), c.code, c.says)
			}
		})
	}
}
