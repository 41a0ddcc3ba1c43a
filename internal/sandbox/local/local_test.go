package local_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/sandbox/sandboxtest"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func provider(root string) *local.Provider {
	return local.New(local.Config{Root: root, Now: func() time.Time { return noon }})
}

func create(t *testing.T, p *local.Provider) sandbox.Sandbox {
	t.Helper()
	sb, err := p.Create(t.Context(), sandbox.Options{ProjectID: "p1"})
	if err != nil {
		t.Fatal(err)
	}
	return sb
}

func TestContract(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	sandboxtest.Run(t,
		func(*testing.T) sandbox.Provider { return provider(root) },
		sandboxtest.WithSymlinks(func(t *testing.T, sb sandbox.Sandbox, target, name string) {
			t.Helper()
			file := filepath.Join(root, "sandboxes", sb.ID(), "project", name)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, file); err != nil {
				t.Fatal(err)
			}
		}))
	t.Cleanup(func() {
		if left, err := os.ReadDir(filepath.Join(root, "sandboxes")); err != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	})
}

func TestProvider_meta(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	p := provider(root)
	if all, err := p.All(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("before the first: %v, %v", all, err)
	}
	sb := create(t, p)
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	want := []sandbox.Meta{{
		ID: sb.ID(), ProjectID: "p1", PID: os.Getpid(), Started: proc.Started(os.Getpid()), Host: host, Created: noon,
	}}
	all, err := p.All(t.Context())
	if diff := cmp.Diff(want, all); diff != "" || err != nil {
		t.Errorf("all: %v (-want +got):\n%s", err, diff)
	}
	if !strings.HasPrefix(sb.ID(), "local-") {
		t.Errorf("id %q", sb.ID())
	}
	// Made by an earlier process of the same id, or on another machine.
	file := filepath.Join(root, "sandboxes", sb.ID(), "meta.json")
	for meta, orphan := range map[string]bool{
		fmt.Sprintf(`{"pid": %d, "started": "1", "host": %q}`, os.Getpid(), host):              runtime.GOOS == "linux",
		fmt.Sprintf(`{"pid": %d, "started": "1", "host": %q}`, os.Getpid(), host+".elsewhere"): false,
		fmt.Sprintf(`{"pid": %d, "host": %q}`, os.Getpid(), host):                              false,
		`{}`: false, // nobody knows
	} {
		if err := os.WriteFile(file, []byte(meta), 0o600); err != nil {
			t.Fatal(err)
		}
		if all, err := p.All(t.Context()); err != nil || len(all) != 1 || all[0].Orphan != orphan {
			t.Errorf("%s: %+v, %v", meta, all, err)
		}
	}
	// Only the user may read what is in a sandbox.
	if err := sb.WriteFile(t.Context(), "src/a.ts", nil); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(root, "sandboxes"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A directory that a dead koda left half made or half removed is no sandbox, and is
// removed.
func TestProvider_sweep(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir := filepath.Join(root, "sandboxes")
	p := local.New(local.Config{Root: root, Now: time.Now})
	sb := create(t, p)
	old := time.Now().Add(-2 * time.Hour)
	for name, keep := range map[string]bool{
		".new-local-aaaaaaaaaaaaaaaaaaaaaaaaaa": false, ".gone-local-bbbbbbbbbbbbbbbbbbbbbbbbbb": false,
		".new-local-cccccccccccccccccccccccccc": true, "local-halfhalfhalfhalfhalfhalf": true, "notes": true,
		".gone-fishing": true, ".new-year": true,
	} {
		if err := os.MkdirAll(filepath.Join(dir, name, "project", "src"), 0o700); err != nil {
			t.Fatal(err)
		}
		if !keep {
			if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, ".gone-local-eeeeeeeeeeeeeeeeeeeeeeeeee")); err != nil {
		t.Fatal(err)
	}
	want := []string{filepath.Join(dir, ".gone-local-bbbbbbbbbbbbbbbbbbbbbbbbbb"), filepath.Join(dir, ".new-local-aaaaaaaaaaaaaaaaaaaaaaaaaa")}
	if diff := cmp.Diff(want, p.Sweep(true)); diff != "" {
		t.Errorf("would sweep (-want +got):\n%s", diff)
	}
	other := create(t, p)
	var left []string
	names, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if n.Name() != sb.ID() && n.Name() != other.ID() {
			left = append(left, n.Name())
		}
	}
	if diff := cmp.Diff([]string{".gone-fishing", ".gone-local-eeeeeeeeeeeeeeeeeeeeeeeeee", ".new-local-cccccccccccccccccccccccccc", ".new-year", "local-halfhalfhalfhalfhalfhalf", "notes"}, left); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	gone := filepath.Join(dir, ".gone-local-dddddddddddddddddddddddddd")
	if err := os.MkdirAll(filepath.Join(gone, "project"), 0o700); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{gone}, p.Sweep(false)); diff != "" || len(p.Sweep(true)) != 0 {
		t.Errorf("swept (-want +got):\n%s", diff)
	}
	linkedRoot := t.TempDir()
	linked := local.New(local.Config{Root: linkedRoot, Now: time.Now})
	if err := os.MkdirAll(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(linkedRoot, "sandboxes")); err != nil {
		t.Fatal(err)
	}
	if swept := linked.Sweep(false); len(swept) != 0 || len(p.Sweep(true)) != 1 {
		t.Errorf("through a link: %q", swept)
	}
	if _, err := p.Connect(t.Context(), "local-halfhalfhalfhalfhalfhalf"); koda.CodeOf(err) != koda.CodeSandboxNotFound {
		t.Errorf("a sandbox without meta.json: %v", err)
	}
	if all, err := p.All(t.Context()); err != nil || len(all) != 2 {
		t.Errorf("all: %v, %v", all, err)
	}
}

// Files that koda did not write are not files of the project: a pipe is refused
// without waiting for a writer, and the temporary file of a killed write is not
// listed.
func TestSandbox_strangers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	sb := create(t, provider(root))
	dir := filepath.Join(root, "sandboxes", sb.ID(), "project")
	if err := syscall.Mkfifo(filepath.Join(dir, "p.ts"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".koda-x.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"p.ts", ".koda-x.tmp"} {
		if _, err := sb.ReadFile(t.Context(), name); koda.CodeOf(err) != koda.CodeInvalidPath {
			t.Errorf("read %s: %v", name, err)
		}
		if err := sb.WriteFile(t.Context(), name, nil); koda.CodeOf(err) != koda.CodeInvalidPath {
			t.Errorf("write %s: %v", name, err)
		}
	}
	if es, err := sb.List(t.Context(), ".", true); err != nil || len(es) != 0 {
		t.Errorf("list: %v, %v", es, err)
	}
}

// When the root cannot be made, the error says what to do.
func TestProvider_unusable(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := provider(filepath.Join(file, "home"))
	_, err := p.Create(t.Context(), sandbox.Options{})
	for what, err := range map[string]error{"ping": p.Ping(t.Context()), "create": err} {
		if koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(koda.HintOf(err), "KODA_HOME") {
			t.Errorf("%s: %v, hint %q", what, err, koda.HintOf(err))
		}
	}
}

// On a full disk a write fails with DISK_FULL, leaves the old file whole, and
// leaves no temporary file. The disk is a tmpfs of a few pages in the mount
// namespace of a child process, so that nothing stays mounted however the test
// ends.
func TestSandbox_diskFull(t *testing.T) {
	t.Parallel()
	child := again(t, "full", t.TempDir(), "")
	child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		child.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		child.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		child.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	out, err := child.CombinedOutput()
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) { // EINVAL: in a chroot / is no mount point
		t.Skipf("nothing can be mounted here: %v", err)
	}
	if err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// fillDisk is the child of TestSandbox_diskFull.
func fillDisk(ctx context.Context, root string) error {
	if err := syscall.Mount("tmpfs", root, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	sb, err := provider(root).Create(ctx, sandbox.Options{})
	if err != nil {
		return err
	}
	if err := sb.WriteFile(ctx, "src/a.ts", []byte("old")); err != nil {
		return err
	}
	err = sb.WriteFile(ctx, "src/a.ts", make([]byte, 1<<20))
	if koda.CodeOf(err) != koda.CodeDiskFull || koda.HintOf(err) == "" {
		return fmt.Errorf("write: %w, want DISK_FULL", err)
	}
	if data, err := sb.ReadFile(ctx, "src/a.ts"); err != nil || string(data) != "old" {
		return fmt.Errorf("the old file is %q, %w", data, err)
	}
	if err := sb.WriteFile(ctx, "src/b.ts", make([]byte, 64<<10)); err != nil {
		return fmt.Errorf("write a file that fits: %w", err)
	}
	return nil
}

// A write that is killed leaves the old file or the new file whole, and no
// temporary file that a listing shows.
func TestSandbox_killed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	sb := create(t, provider(root))
	texts := [2]string{strings.Repeat("a", 1<<20), strings.Repeat("b", 1<<20)}
	if err := sb.WriteFile(t.Context(), "src/a.ts", []byte(texts[0])); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		child := again(t, "write", root, sb.ID())
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is writing
			t.Fatal(err)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() //nolint:errcheck // it was killed
		data, err := sb.ReadFile(t.Context(), "src/a.ts")
		if err != nil || string(data) != texts[0] && string(data) != texts[1] {
			t.Errorf("after the kill: %d bytes, %v", len(data), err)
		}
		es, err := sb.List(t.Context(), ".", true)
		if err != nil || len(es) != 2 {
			t.Errorf("after the kill: %v, %v", es, err)
		}
	}
}

// writeForEver is the child of TestSandbox_killed.
func writeForEver(ctx context.Context, root, id string) error {
	sb, err := provider(root).Connect(ctx, id)
	for i := 0; err == nil; i++ {
		err = sb.WriteFile(ctx, "src/a.ts", []byte(strings.Repeat(string(rune('a'+i%2)), 1<<20)))
		if i == 0 {
			fmt.Fprint(os.Stdout, "1")
		}
	}
	return err
}

// again starts this test binary in another role, see TestMain.
func again(t *testing.T, role, root, id string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), exe)
	child.Env = append(os.Environ(), "KODA_TEST_ROLE="+role, "KODA_TEST_ROOT="+root, "KODA_TEST_ID="+id)
	return child
}

func TestMain(m *testing.M) {
	var err error
	root := os.Getenv("KODA_TEST_ROOT")
	switch os.Getenv("KODA_TEST_ROLE") {
	case "":
		os.Exit(m.Run())
	case "full":
		err = fillDisk(context.Background(), root)
	case "write":
		err = writeForEver(context.Background(), root, os.Getenv("KODA_TEST_ID"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
