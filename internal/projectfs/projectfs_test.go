package projectfs_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/projectfs"
)

// project makes a directory with files and opens it.
func project(t *testing.T, files map[string]string) (dir string, f *projectfs.FS) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "ball")
	must(t, os.Mkdir(dir, 0o755))
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	f, err := projectfs.Open(dir)
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	return dir, f
}

func put(t *testing.T, file, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(text), 0o644))
}

// sized makes a file of the given size that takes no room on the disk.
func sized(t *testing.T, file string, size int64) {
	t.Helper()
	put(t, file, "")
	must(t, os.Truncate(file, size))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused checks an error that a person reads.
func refused(t *testing.T, err error, code koda.Code, says string) {
	t.Helper()
	if err == nil || koda.CodeOf(err) != code || !strings.Contains(err.Error(), says) || koda.HintOf(err) == "" {
		t.Errorf("error %v (%s, hint %q), want %s with %q and a hint", err, koda.CodeOf(err), koda.HintOf(err), code, says)
	}
}

func TestFS(t *testing.T) {
	t.Parallel()
	_, f := project(t, map[string]string{"koda.json": "{}", "src/App.tsx": "x", "src/deep/er/a.ts": "y", "public/empty.txt": "", ".koda/state.json": "{}"})
	if err := fstest.TestFS(f, "koda.json", "src/deep/er/a.ts", "public/empty.txt", ".koda/state.json"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"nothing", "src/nothing", "nothing/a/b"} {
		if _, err := f.ReadFile(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want an error for a missing file", name, err)
		}
	}
	for _, name := range []string{"", "/etc/passwd", "../ball/koda.json", "src/../koda.json"} {
		if _, err := f.ReadFile(name); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v, want an error for an invalid path", name, err)
		}
	}
	if _, err := f.ReadFile("src"); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := f.ReadFile("koda.json/a"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
}

// No method reads a file through any of these links.
func TestFS_Links(t *testing.T) {
	t.Parallel()
	dir, f := project(t, map[string]string{"src/App.tsx": "x", "koda.json": "{}"})
	outside := filepath.Join(filepath.Dir(dir), "victim")
	put(t, filepath.Join(outside, "secret.txt"), "secret")
	for name, to := range map[string]string{
		"out.txt": "../victim/secret.txt", "abs.txt": filepath.Join(outside, "secret.txt"), "zero": "/dev/zero", "in.txt": "koda.json",
		"nowhere": "gone", "outdir": "../victim", "indir": "src", "loop": "loop", "src/up": "..",
	} {
		must(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	for name, link := range map[string]string{
		"out.txt": "out.txt", "abs.txt": "abs.txt", "zero": "zero", "in.txt": "in.txt", "nowhere": "nowhere", "loop": "loop",
		"outdir/secret.txt": "outdir", "indir/App.tsx": "indir", "src/up/koda.json": "src/up", "loop/a": "loop", "outdir": "outdir", "indir": "indir",
	} {
		_, err := f.ReadFile(name)
		refused(t, err, koda.CodeInvalidPath, link+" is a symbolic link")
		_, err = f.Open(name)
		refused(t, err, koda.CodeInvalidPath, link+" is a symbolic link")
		_, err = f.Stat(name)
		refused(t, err, koda.CodeInvalidPath, link+" is a symbolic link")
		_, err = f.ReadDir(name)
		refused(t, err, koda.CodeInvalidPath, link+" is a symbolic link")
		_, err = projectfs.ReadFile(dir, name)
		refused(t, err, koda.CodeInvalidPath, link+" is a symbolic link")
		refused(t, projectfs.NoLinks(dir, name), koda.CodeInvalidPath, link+" is a symbolic link")
		refused(t, projectfs.NoLinksTo(dir, filepath.Join(dir, name)), koda.CodeInvalidPath, link+" is a symbolic link")
	}
	seen := map[string]fs.FileMode{}
	must(t, fs.WalkDir(f, ".", func(name string, d fs.DirEntry, err error) error {
		seen[name] = d.Type()
		return err
	}))
	if seen["outdir"] != fs.ModeSymlink || seen["outdir/secret.txt"] != 0 || len(seen) != 13 {
		t.Errorf("a walk saw %v", seen)
	}
}

// The project itself may be named by a link.
func TestOpen_Link(t *testing.T) {
	t.Parallel()
	dir, _ := project(t, map[string]string{"koda.json": "{}"})
	link := dir + "-link"
	must(t, os.Symlink(dir, link))
	if data, err := projectfs.ReadFile(link, "koda.json"); err != nil || string(data) != "{}" {
		t.Errorf("read %q, %v", data, err)
	}
}

// Reading waits for none of these.
func TestFS_Irregular(t *testing.T) {
	t.Parallel()
	dir, f := project(t, nil)
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	socket, err := net.Listen("unix", filepath.Join(dir, "s"))
	must(t, err)
	defer socket.Close() //nolint:errcheck // only there to be refused
	for _, name := range []string{"pipe", "s"} {
		_, err := f.ReadFile(name)
		refused(t, err, koda.CodeInvalidPath, name+" is not a regular file")
		_, err = f.Open(name)
		refused(t, err, koda.CodeInvalidPath, name+" is not a regular file")
	}
	if _, err := projectfs.Open(filepath.Join(dir, "pipe")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a pipe as a project: %v", err)
	}
	// Only root can make a device: this device is in no project.
	if _, err := projectfs.ReadFile("/dev", "zero"); koda.CodeOf(err) != koda.CodeInvalidPath {
		t.Errorf("a device: %v", err)
	}
}

// A name that is not UTF-8 is refused with what to do, as a file and on the way to one.
func TestFS_NotUTF8(t *testing.T) {
	t.Parallel()
	dir, f := project(t, map[string]string{"src/b\xff.ts": "", "public/g\xfe/x.csv": ""})
	for _, name := range []string{"src/b\xff.ts", "public/g\xfe", "public/g\xfe/x.csv"} {
		_, err := f.ReadFile(name)
		refused(t, err, koda.CodeInvalidPath, fmt.Sprintf("%q is not UTF-8", name))
	}
	_, err := fs.ReadDir(f, "public/g\xfe")
	refused(t, err, koda.CodeInvalidPath, `"public/g\xfe" is not UTF-8`)
	refused(t, projectfs.NoLinks(dir, "src/b\xff.ts"), koda.CodeInvalidPath, `"src/b\xff.ts" is not UTF-8`)
}

func TestFS_TooLarge(t *testing.T) {
	t.Parallel()
	dir, f := project(t, nil)
	for name, limit := range map[string]int64{
		"koda.json": projectfs.MaxSettings, ".env": projectfs.MaxSettings, ".koda/config.json": projectfs.MaxSettings,
		".koda/state.json": projectfs.MaxState, ".koda/pending.json": projectfs.MaxState, ".koda/versions/v1.json": projectfs.MaxList, "index.html": projectfs.MaxCode, "src/A.TSX": projectfs.MaxCode,
		"public/film.mp4": projectfs.MaxFile, ".koda/versions/objects/ab/abcd": projectfs.MaxFile, "public/koda.json": projectfs.MaxFile,
	} {
		sized(t, filepath.Join(dir, name), limit+1)
		_, err := f.ReadFile(name)
		refused(t, err, koda.CodeUsage, fmt.Sprintf("%s is too large (%d MB, at most %d)", name, limit>>20, limit>>20))
		sized(t, filepath.Join(dir, name), limit)
		file, err := f.Open(name)
		must(t, err)
		must(t, file.Close())
	}
}

// Thirty files of 190 MB are refused at the sixth, before they fill the memory.
func TestBudget(t *testing.T) {
	t.Parallel()
	var b projectfs.Budget
	for i := range 30 {
		name := fmt.Sprintf("public/%d.bin", i)
		for range 2 { // a file that is read again counts once
			err := b.Count(name, 190<<20)
			if i < 5 {
				must(t, err)
				continue
			}
			refused(t, err, koda.CodeUsage, fmt.Sprintf("with %s they have 1140 MB, at most 1024 are read", name))
		}
	}
	few := projectfs.Budget{Files: 2}
	must(t, few.Count("a", 1))
	must(t, few.Count("b", 1))
	refused(t, few.Count("c", 1), koda.CodeUsage, "too many files: c is number 3, at most 2 are read")
}

func TestFS_TooLargeInAll(t *testing.T) {
	t.Parallel()
	dir, f := project(t, map[string]string{"public/a": "12345", "public/b": "12345"})
	f.Budget = &projectfs.Budget{Bytes: 9}
	if data, err := f.ReadFile("public/a"); err != nil || string(data) != "12345" {
		t.Errorf("read %q, %v", data, err)
	}
	_, err := f.ReadFile("public/b")
	refused(t, err, koda.CodeUsage, "with public/b they have 0 MB")
	// Not a byte of a file that is too large is read.
	sized(t, filepath.Join(dir, "public/c"), projectfs.MaxFile)
	_, err = f.ReadFile("public/c")
	refused(t, err, koda.CodeUsage, "with public/c they have 200 MB")
}

func TestFS_Streams(t *testing.T) {
	t.Parallel()
	_, f := project(t, map[string]string{"public/a.txt": "hello"})
	file, err := f.Open("public/a.txt")
	must(t, err)
	defer file.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(file)
	if err != nil || string(data) != "hello" {
		t.Errorf("read %q, %v", data, err)
	}
}

func TestFS_Closed(t *testing.T) {
	t.Parallel()
	dir, _ := project(t, map[string]string{"public/a/b/c.txt": "hello"})
	f, err := projectfs.Open(dir)
	must(t, err)
	file, err := f.Open("public/a/b/c.txt")
	must(t, err)
	must(t, f.Close())
	must(t, f.Close())
	if data, err := io.ReadAll(file); err != nil || string(data) != "hello" {
		t.Errorf("a file that was open reads %q, %v", data, err)
	}
	must(t, file.Close())
	if _, err := f.ReadFile("public/a/b/c.txt"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// Several goroutines read files of several directories.
func TestFS_AtOnce(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("src/%d/%d/%d.txt", i%2, i%5, i)] = fmt.Sprint(i)
	}
	_, f := project(t, files)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for name, want := range files {
				if data, err := f.ReadFile(name); err != nil || string(data) != want {
					t.Errorf("%s reads %q, %v", name, data, err)
				}
			}
		})
	}
	wg.Wait()
}

// A directory that becomes a link after it was looked at does not lead out.
func TestFS_Swapped(t *testing.T) {
	t.Parallel()
	dir, f := project(t, map[string]string{"src/a.txt": "mine"})
	victim := filepath.Join(filepath.Dir(dir), "victim")
	put(t, filepath.Join(victim, "a.txt"), "secret")
	if data, err := f.ReadFile("src/a.txt"); err != nil || string(data) != "mine" {
		t.Fatalf("read %q, %v", data, err)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "src")))
	must(t, os.Symlink("../victim", filepath.Join(dir, "src")))
	if data, err := f.ReadFile("src/a.txt"); err == nil {
		t.Errorf("read %q out of the project", data)
	}
}

// TestNoLinksTo: a path is in the project by whichever name the project is reached.
func TestNoLinksTo(t *testing.T) {
	t.Parallel()
	dir, _ := project(t, map[string]string{"renders/a.mp4": ""})
	parent := filepath.Dir(dir)
	must(t, os.Mkdir(filepath.Join(parent, "mine"), 0o755))
	must(t, os.Symlink(dir, filepath.Join(parent, "way")))
	must(t, os.Symlink("../mine", filepath.Join(dir, "out")))
	must(t, os.Symlink(".", filepath.Join(dir, "self")))
	must(t, os.Symlink("../mine", filepath.Join(parent, "theirs")))
	for file, link := range map[string]string{
		"ball/renders/a.mp4": "", "ball/renders/new/b.mp4": "", "way/renders/a.mp4": "", "mine/a.mp4": "", "theirs/a.mp4": "", "ball-2/a.mp4": "", "ball": "",
		"ball/out/a.mp4": "out", "ball/out": "out", "way/out/a.mp4": "out", "ball/self/out/a.mp4": "self", "ball/renders/../out/a.mp4": "out",
	} {
		for _, of := range []string{dir, filepath.Join(parent, "way")} {
			err := projectfs.NoLinksTo(of, parent+"/"+file)
			if link == "" {
				must(t, err)
				continue
			}
			refused(t, err, koda.CodeInvalidPath, link+" is a symbolic link")
		}
	}
	must(t, projectfs.NoLinksTo(dir, ""))
	must(t, projectfs.NoLinksTo(filepath.Join(parent, "gone"), filepath.Join(parent, "gone/a.mp4")))
	if err := projectfs.NoLinks(dir, "../victim"); koda.CodeOf(err) != koda.CodeInvalidPath {
		t.Errorf("a path that leads out: %v", err)
	}
}

// A link is listed as a link with its target, but is never followed.
func TestReadLink(t *testing.T) {
	t.Parallel()
	dir, f := project(t, map[string]string{"kept/a/index.js": "a", "modules/b": "b"})
	must(t, os.Symlink("../kept/a", filepath.Join(dir, "modules/a")))
	must(t, os.Symlink("/etc", filepath.Join(dir, "out")))
	for name, want := range map[string]string{"modules/a": "../kept/a", "out": "/etc"} {
		info, err := fs.Lstat(f, name)
		if err != nil || info.Mode().Type() != fs.ModeSymlink {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		if to, err := fs.ReadLink(f, name); err != nil || to != want {
			t.Errorf("%s leads to %q, want %q (%v)", name, to, want, err)
		}
	}
	for _, name := range []string{"modules/a/index.js", "out/passwd"} {
		if _, err := fs.Lstat(f, name); koda.CodeOf(err) != koda.CodeInvalidPath {
			t.Errorf("%s is behind a link: %v", name, err)
		}
	}
	if _, err := fs.ReadLink(f, "modules/b"); err == nil {
		t.Error("a file is no link")
	}
	if _, err := fs.Lstat(f, "../x"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error = %v, want an error about a name that leads out", err)
	}
}
