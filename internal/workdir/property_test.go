package workdir_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/local"
	"github.com/koda-video/koda/internal/workdir"
)

// anyTree draws a tree with all kinds of names and contents: other scripts,
// composed and decomposed letters, dots, spaces and tags in names, up to 16
// directories, empty and binary files.
func anyTree(t *rapid.T, label string) files {
	name := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "b", "é", "e\u0301", "ボール", "🏀.ts", "a..b", "v1.2.3", "two words", "-rf", "x<y>&", "state.json", "a%2Fb", "~"}),
		rapid.StringMatching(`[a-zA-Zäöü0-9_+(]{1,12}(\.[a-z]{1,4})?`),
	)
	path := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 5).Draw(t, "root") == 0 {
			return rapid.SampledFrom([]string{"koda.json", "index.html", "vite.config.ts", "README.md"}).Draw(t, "name")
		}
		folder := rapid.SampledFrom([]string{"src", "public", "scripts"}).Draw(t, "folder")
		depth := rapid.SampledFrom([]int{1, 1, 2, 3, 15}).Draw(t, "depth")
		return folder + "/" + strings.Join(rapid.SliceOfN(name, depth, depth).Draw(t, "path"), "/")
	}).Filter(func(p string) bool { return workdir.ValidPath(p) == nil })
	content := rapid.OneOf(
		rapid.SampledFrom([]string{"", "same", "\x00", "\xff\xfe", "a\r\nb\n", "<files_summary>"}),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 40), func(b []byte) string { return string(b) }),
	)
	return drawFiles(t, label, path, content)
}

// TestRestore: a checkpoint of a sandbox restores the same files in another
// sandbox, whatever they are. Files of earlier checkpoints do not come back.
func TestRestore(t *testing.T) {
	t.Parallel()
	parent := atomicfiletest.Dir(t)
	provider := local.New(local.Config{Root: parent, Now: func() time.Time { return t0 }})
	rapid.Check(t, func(rt *rapid.T) {
		s, dir := projectIn(t, parent)
		for n := range rapid.IntRange(1, 3).Draw(rt, "checkpoints") {
			want := anyTree(rt, "tree")
			one := newSandbox(t, provider, want)
			if kept := checkpoint(t, s, dir, int64(n), 0, contents(t, one)); kept != nil {
				rt.Fatalf("kept %v without a person", kept)
			}
			s = storage() // another process
			two := newSandbox(t, provider, tree(t, s, dir))
			if diff := cmp.Diff(want, contents(t, two)); diff != "" {
				rt.Fatalf("restored (-want +got):\n%s", diff)
			}
			if got := changes(t, s, dir); got != "" {
				rt.Fatalf("the checkpoint's own files are taken for edits: %q", got)
			}
			for _, sb := range []sandbox.Sandbox{one, two} {
				if err := sb.Destroy(context.Background()); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}

func newSandbox(t testing.TB, p *local.Provider, tree files) sandbox.Sandbox {
	t.Helper()
	sb, err := p.Create(context.Background(), sandbox.Options{ProjectID: "p1"})
	for path, text := range tree {
		err = errors.Join(err, sb.WriteFile(context.Background(), path, []byte(text)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return sb
}

func contents(t testing.TB, sb sandbox.Sandbox) files {
	t.Helper()
	entries, err := sb.List(context.Background(), ".", true)
	if err != nil {
		t.Fatal(err)
	}
	got := files{}
	for _, e := range entries {
		if e.Dir {
			continue
		}
		data, err := sb.ReadFile(context.Background(), e.Path)
		if err != nil {
			t.Fatal(err)
		}
		got[e.Path] = string(data)
	}
	return got
}

// TestVersions_Kept: any versions follow each other, with checkpoints in between,
// and the last version is made again. Each version reads back as it was, and every
// content is on disk once.
func TestVersions_Kept(t *testing.T) {
	t.Parallel()
	parent := atomicfiletest.Dir(t)
	rapid.Check(t, func(rt *rapid.T) {
		s, dir := projectIn(t, parent)
		var versions []files
		for n := range rapid.IntRange(1, 5).Draw(rt, "steps") {
			next := anyTree(rt, "tree")
			if len(versions) > 0 && rapid.Bool().Draw(rt, "back") { // as an undo does
				next = versions[rapid.IntRange(0, len(versions)-1).Draw(rt, "to")]
			}
			switch rapid.SampledFrom([]string{"version", "version", "checkpoint", "again"}).Draw(rt, "kind") {
			case "checkpoint":
				checkpoint(t, s, dir, int64(n), 0, next)
				continue
			case "again":
				if len(versions) > 0 {
					versions = versions[:len(versions)-1]
				}
			}
			versions = append(versions, next)
			checkpoint(t, s, dir, int64(n), len(versions), next)
		}
		s = storage()
		distinct := map[string]bool{}
		for i, want := range versions {
			if diff := cmp.Diff(want, version(t, s, dir, i+1)); diff != "" {
				rt.Fatalf("version %d (-want +got):\n%s", i+1, diff)
			}
			for _, text := range want {
				distinct[text] = true
			}
		}
		have := map[string]bool{}
		for path, text := range objects(t, dir) {
			if have[text] {
				rt.Fatalf("%s holds a content that is stored already", path)
			}
			have[text] = true
		}
		for text := range distinct {
			if !have[text] {
				rt.Fatalf("no object holds %q", text)
			}
		}
	})
}

func objects(t testing.TB, dir string) files {
	t.Helper()
	root := filepath.Join(dir, ".koda", "versions", "objects")
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		return files{}
	}
	return onDisk(t, root)
}

// tenant is a process that locks and unlocks directories on demand.
type tenant struct {
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Scanner
}

func newTenant(t testing.TB) *tenant {
	t.Helper()
	cmd := start(t, "tenant", "", "")
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	return &tenant{cmd: cmd, in: in, out: bufio.NewScanner(out)}
}

func (p *tenant) told(t testing.TB, word, dir string) string {
	t.Helper()
	if _, err := fmt.Fprintln(p.in, word, dir); err != nil {
		t.Error(err)
	}
	p.out.Scan()
	return p.out.Text()
}

func (p *tenant) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// beTenant is the process of a tenant: a line is a word and a directory.
func beTenant() error {
	held := map[string]func() error{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		word, dir, _ := strings.Cut(lines.Text(), " ")
		answer := "ok"
		switch word {
		case "lock":
			release, err := storage().Lock(dir)
			if err != nil {
				answer = string(koda.CodeOf(err))
				break
			}
			held[dir] = release
		case "unlock":
			if err := held[dir](); err != nil {
				answer = err.Error()
			}
			delete(held, dir)
		}
		fmt.Println(answer)
	}
	return lines.Err()
}

// TestLock_OneOwner: processes lock and unlock a project and are killed at random.
// At most one process owns the project, and it can be locked whenever no process
// owns it.
func TestLock_OneOwner(t *testing.T) {
	t.Parallel()
	parent := atomicfiletest.Dir(t)
	tenants := make([]*tenant, 3)
	for i := range tenants {
		tenants[i] = newTenant(t)
	}
	t.Cleanup(func() {
		for _, p := range tenants {
			p.kill()
		}
	})
	rapid.Check(t, func(rt *rapid.T) {
		_, dir := projectIn(t, parent)
		owner := -1
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			i := rapid.IntRange(0, len(tenants)-1).Draw(rt, "who")
			switch rapid.SampledFrom([]string{"lock", "lock", "unlock", "rush", "kill"}).Draw(rt, "what") {
			case "lock":
				want := "ok"
				if owner >= 0 {
					want = "IN_USE"
				}
				if got := tenants[i].told(t, "lock", dir); got != want {
					rt.Fatalf("process %d got %q, want %q; the owner is %d", i, got, want, owner)
				}
				if owner < 0 {
					owner = i
				}
			case "unlock":
				if i != owner {
					continue
				}
				if got := tenants[i].told(t, "unlock", dir); got != "ok" {
					rt.Fatal(got)
				}
				owner = -1
			case "rush": // all processes that do not own the project ask at once
				answers := make([]string, len(tenants))
				var wg sync.WaitGroup
				for j, p := range tenants {
					if j != owner {
						wg.Go(func() { answers[j] = p.told(t, "lock", dir) })
					}
				}
				wg.Wait()
				won := -1
				for j, a := range answers {
					switch {
					case a == "ok" && (won >= 0 || owner >= 0):
						rt.Fatalf("answers %q while %d owned it", answers, owner)
					case a == "ok":
						won = j
					case a != "IN_USE" && j != owner:
						rt.Fatalf("process %d got %q", j, a)
					}
				}
				if owner < 0 && won < 0 {
					rt.Fatalf("nobody got a free project: %q", answers)
				}
				owner = max(owner, won)
			case "kill":
				if i != owner {
					continue
				}
				tenants[i].kill()
				tenants[i] = newTenant(t)
				owner = -1
			}
		}
		if owner >= 0 { // for the next case
			tenants[owner].told(t, "unlock", dir)
		}
	})
}
