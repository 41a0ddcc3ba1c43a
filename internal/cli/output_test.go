package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/koda"
)

// TestOutputMakesDirectories: the directory of an output need not exist. It is made
// only when the file is drawn.
func TestOutputMakesDirectories(t *testing.T) {
	t.Parallel()
	dir, to := page(t), t.TempDir()
	for args, want := range map[string]string{
		"render -o TO/a/b/x.mp4": "TO/a/b/x.mp4", "render -o TO/c/": "TO/c/demo.mp4", "render --preset reels,square -o TO/d": "TO/d/demo-square.mp4",
		"render --format png -o TO/e/frames": "TO/e/frames", "still -o TO/f/s.png": "TO/f/s.png", "sheet -o TO/g/": "TO/g/demo-sheet.png",
	} {
		f := newFace(t)
		if got := f.run(strings.Fields(strings.ReplaceAll(args+" "+dir, "TO", to))...); got != 0 {
			t.Errorf("%s: status %d: %s", args, got, f.err.String())
			continue
		}
		want = strings.ReplaceAll(want, "TO", to)
		if !strings.HasSuffix(f.out.String(), want+"\n") {
			t.Errorf("%s: %q, want %s", args, f.out.String(), want)
		}
		if _, err := os.Stat(filepath.Dir(want)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
	f := newFace(t)
	f.run("render", dir, "-o", to+"/h/x.mp4", "--resolution", "nonsense")
	f.run("still", dir, "-o", to+"/h/x.png", "--at", "99")
	if _, err := os.Stat(to + "/h"); err == nil {
		t.Error("a directory was made although nothing was drawn")
	}
}

// A used-up quota is a full disk.
func TestWriteFailed(t *testing.T) {
	t.Parallel()
	for cause, want := range map[error]koda.Code{
		syscall.ENOSPC: koda.CodeDiskFull, syscall.EDQUOT: koda.CodeDiskFull, syscall.EACCES: koda.CodeWriteFailed,
	} {
		err := cli.WriteFailed("write a.png", &fs.PathError{Op: "open", Path: ".a.png.1", Err: cause}, "give another --output")
		if koda.CodeOf(err) != want || err.Error() != "write a.png: "+cause.Error() || koda.HintOf(err) == "" {
			t.Errorf("%v becomes %s: %v", cause, koda.CodeOf(err), err)
		}
	}
}
