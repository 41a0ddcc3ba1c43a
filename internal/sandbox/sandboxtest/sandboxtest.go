package sandboxtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Option tells [Run] more about a kind of sandbox.
type Option func(*suite)

// WithSymlinks passes a function that plants a symbolic link in the project
// directory, for kinds that run no commands. Target may be any path.
func WithSymlinks(plant func(t *testing.T, sb sandbox.Sandbox, target, name string)) Option {
	return func(s *suite) { s.plant = plant }
}

type suite struct {
	provider func(*testing.T) sandbox.Provider
	plant    func(t *testing.T, sb sandbox.Sandbox, target, name string)
}

// Run runs the contract against a kind of sandbox. The function returns a
// provider whose sandboxes may outlive the call; Run destroys what it creates.
func Run(t *testing.T, provider func(*testing.T) sandbox.Provider, opts ...Option) {
	t.Helper()
	s := &suite{provider: provider, plant: plantByCommand}
	for _, o := range opts {
		o(s)
	}
	for _, c := range []struct {
		name string
		test func(*testing.T, *suite)
	}{
		{"Life", testLife},
		{"Files", testFiles},
		{"Bulk", testBulk},
		{"List", testList},
		{"Names", testNames},
		{"Escapes", testEscapes},
		{"Kinds", testKinds},
		{"Symlinks", testSymlinks},
		{"Concurrent", testConcurrent},
		{"Destroyed", testDestroyed},
		{"Removed", testRemoved},
		{"Cancelled", testCancelled},
		{"Commands", testCommands},
		{"Background", testBackground},
		{"Shells", testShells},
		{"OtherShell", testOtherShell},
		{"Strange", testStrange},
		{"Locked", testLocked},
		{"Swapped", testSwapped},
		{"Unruly", testUnruly},
		{"Listen", testListen},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.test(t, s)
		})
	}
}

func plantByCommand(t *testing.T, sb sandbox.Sandbox, target, name string) {
	t.Helper()
	if !sb.Capabilities().Commands {
		t.Fatal("this kind runs no commands: call Run with the option WithSymlinks")
	}
	res, err := sb.Run(t.Context(), sandbox.Command{Line: fmt.Sprintf("mkdir -p $(dirname '%s') && ln -s '%s' '%s'", name, target, name)})
	if err != nil || res.ExitCode != 0 {
		t.Fatalf("plant a link: %v, %+v", err, res)
	}
}

// create makes a sandbox that is destroyed with the test.
func (s *suite) create(t *testing.T) (sandbox.Provider, sandbox.Sandbox) {
	t.Helper()
	p := s.provider(t)
	sb, err := p.Create(t.Context(), sandbox.Options{ProjectID: "project"})
	if err != nil {
		t.Fatalf("create: %v", err)
	}
	t.Cleanup(func() {
		if err := sb.Destroy(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("destroy: %v", err)
		}
	})
	return p, sb
}

func testLife(t *testing.T, s *suite) {
	p, sb := s.create(t)
	if err := p.Ping(t.Context()); err != nil {
		t.Errorf("ping: %v", err)
	}
	if sb.ID() == "" || sb.Kind() != p.Kind() {
		t.Errorf("id %q, kind %q of a provider of kind %q", sb.ID(), sb.Kind(), p.Kind())
	}
	if es := list(t, sb, ".", true); len(es) != 0 {
		t.Errorf("a new sandbox holds %v", es)
	}
	other, err := p.Create(t.Context(), sandbox.Options{ProjectID: "project"})
	if err != nil {
		t.Fatalf("create another: %v", err)
	}
	if other.ID() == sb.ID() {
		t.Errorf("two sandboxes are called %s", sb.ID())
	}
	write(t, sb, "src/a.ts", "one")
	wantCode(t, "a file of another sandbox", readErr(t, other, "src/a.ts"), koda.CodeFileNotFound)

	again, err := p.Connect(t.Context(), sb.ID())
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	wantFile(t, again, "src/a.ts", "one")
	if again.ID() != sb.ID() || again.Kind() != sb.Kind() || again.Capabilities() != sb.Capabilities() {
		t.Errorf("connected to %s of kind %s, want %s", again.ID(), again.Kind(), sb.ID())
	}
	write(t, again, "src/a.ts", "two")
	wantFile(t, sb, "src/a.ts", "two")

	for range 2 {
		if err := other.Destroy(t.Context()); err != nil {
			t.Errorf("destroy, then destroy again: %v", err)
		}
	}
	wantFile(t, sb, "src/a.ts", "two")
	for _, id := range []string{other.ID(), "", "nobody", "../" + sb.ID(), sb.ID() + "/..", strings.ToUpper(sb.ID())} {
		if _, err := p.Connect(t.Context(), id); koda.CodeOf(err) != koda.CodeSandboxNotFound {
			t.Errorf("connect to %q: %v, want SANDBOX_NOT_FOUND", id, err)
		}
	}
}

func testFiles(t *testing.T, s *suite) {
	_, sb := s.create(t)
	binary := make([]byte, 256)
	for i := range binary {
		binary[i] = byte(i)
	}
	large := bytes.Repeat([]byte("koda\x00\xff\n\r"), 2<<20) // 16 MiB
	for name, data := range map[string][]byte{
		"koda.json":            []byte("{}"),
		"public/images/b.png":  binary,
		"public/empty.txt":     {},
		"public/data/l.bin":    large,
		"src/a/b/c/d/e/f/g.ts": []byte("deep"),
	} {
		if err := sb.WriteFile(t.Context(), name, data); err != nil {
			t.Fatalf("write %s: %v", name, err)
		}
		got, err := sb.ReadFile(t.Context(), name)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes came back as %d, %v", name, len(data), len(got), err)
		}
	}
	// Nothing of the old bytes is left in a replaced file, shorter or longer.
	for _, text := range []string{"a longer text than the next", "short", ""} {
		write(t, sb, "src/a/x.ts", text)
		wantFile(t, sb, "src/a/x.ts", text)
	}
	if err := sb.DeleteFile(t.Context(), "src/a/x.ts"); err != nil {
		t.Errorf("delete: %v", err)
	}
	wantCode(t, "read a deleted file", readErr(t, sb, "src/a/x.ts"), koda.CodeFileNotFound)
	wantCode(t, "delete a deleted file", sb.DeleteFile(t.Context(), "src/a/x.ts"), koda.CodeFileNotFound)
	wantCode(t, "read where there is no directory", readErr(t, sb, "nowhere/x.ts"), koda.CodeFileNotFound)
	write(t, sb, "src/a/x.ts", "again")
	wantFile(t, sb, "src/a/x.ts", "again")

	// Neither the bytes passed in nor the bytes returned are shared with the sandbox.
	data := []byte("mine")
	if err := sb.WriteFile(t.Context(), "src/own.ts", data); err != nil {
		t.Fatal(err)
	}
	copy(data, "ours")
	wantFile(t, sb, "src/own.ts", "mine")
}

// All files go in and come out at once.
func testBulk(t *testing.T, s *suite) {
	_, sb := s.create(t)
	write(t, sb, "src/kept.ts", "kept")
	write(t, sb, "src/a.ts", "before")
	write(t, sb, "node_modules/x/i.js", "not a file of the project")
	files := map[string][]byte{
		"src/a.ts": []byte("after"), "src/größe.ts": {}, "public/l.bin": bytes.Repeat([]byte("koda\x00\xff\n\r"), 1<<20),
		strings.Repeat("d/", 60) + strings.Repeat("n", 200) + ".ts": []byte("a long name"),
	}
	if err := sandbox.Put(t.Context(), sb, files); err != nil {
		t.Fatalf("put: %v", err)
	}
	files["src/kept.ts"] = []byte("kept")
	limits := sandbox.Limits{Files: len(files), File: 8 << 20, Total: 9 << 20}
	got, err := sandbox.Get(t.Context(), sb, nil, limits)
	if err != nil || !maps.EqualFunc(files, got, bytes.Equal) { // cmp.Diff takes seconds for such files
		t.Errorf("get: %v, wanted %.500q, got %.500q", err, files, got)
	}
	some, err := sandbox.Get(t.Context(), sb, []string{"src/a.ts", "src/gone.ts", "src/kept.ts"}, limits)
	if len(some) != 2 || string(some["src/a.ts"]) != "after" || err != nil {
		t.Errorf("some files: %q, %v", some, err)
	}
	limits.Files--
	_, err = sandbox.Get(t.Context(), sb, nil, limits)
	wantCode(t, "too many files", err, koda.CodeReadFailed)
	wantFile(t, sb, "src/a.ts", "after")

	// Files that arrived before a stream broke off are there, and whole.
	var b bytes.Buffer
	if err := sandbox.Pack(&b, map[string][]byte{"src/1.ts": []byte("one"), "src/2.ts": make([]byte, 4096)}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "a stream that breaks off", sb.Fill(t.Context(), bytes.NewReader(b.Bytes()[:4096])), koda.CodeReadFailed)
	wantFile(t, sb, "src/1.ts", "one")
	wantCode(t, "half a file", readErr(t, sb, "src/2.ts"), koda.CodeFileNotFound)
	wantCode(t, "a file below a file", sandbox.Put(t.Context(), sb, map[string][]byte{"src/a.ts/b.ts": nil}), koda.CodeInvalidPath)
}

func testList(t *testing.T, s *suite) {
	_, sb := s.create(t)
	for _, name := range []string{"src/b.ts", "src/a/z.ts", "src/a-b.ts", "index.html", "node_modules/x/i.js", "src/node_modules/y.js", "public/.keep"} {
		write(t, sb, name, "12345")
	}
	for _, c := range []struct {
		dir       string
		recursive bool
		want      []sandbox.Entry
	}{
		{".", false, []sandbox.Entry{{Path: "index.html", Size: 5}, {Path: "public", Dir: true}, {Path: "src", Dir: true}}},
		{"src", false, []sandbox.Entry{{Path: "src/a", Dir: true}, {Path: "src/a-b.ts", Size: 5}, {Path: "src/b.ts", Size: 5}}},
		{".", true, []sandbox.Entry{
			{Path: "index.html", Size: 5}, {Path: "public", Dir: true}, {Path: "public/.keep", Size: 5}, {Path: "src", Dir: true},
			{Path: "src/a", Dir: true}, {Path: "src/a-b.ts", Size: 5}, {Path: "src/a/z.ts", Size: 5}, {Path: "src/b.ts", Size: 5},
		}},
	} {
		if diff := cmp.Diff(c.want, list(t, sb, c.dir, c.recursive)); diff != "" {
			t.Errorf("list %s, recursive %v (-want +got):\n%s", c.dir, c.recursive, diff)
		}
	}
	for _, dir := range []string{"nowhere", "index.html", "src/nowhere"} {
		_, err := sb.List(t.Context(), dir, false)
		wantCode(t, "list "+dir, err, koda.CodeFileNotFound)
	}
}

// Names are kept byte by byte.
func testNames(t *testing.T, s *suite) {
	_, sb := s.create(t)
	var want []string
	for i, name := range []string{
		"größe.ts", "鞠.tsx", "🏀 ball.ts", "e\u0301.ts", "\u00e9.ts", "a b.ts", "[id].ts", "a'b\".ts", "$(id).ts", "-rf.ts", "a;b.ts", "100%.ts",
		"x*y?.ts", strings.Repeat("n", 200) + ".ts",
	} {
		write(t, sb, "src/"+name, fmt.Sprint(i))
		want = append(want, "src/"+name)
	}
	slices.Sort(want)
	var got []string
	for _, e := range list(t, sb, "src", true) {
		got = append(got, e.Path)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	wantFile(t, sb, "src/e\u0301.ts", "3")
	wantFile(t, sb, "src/\u00e9.ts", "4")
	if err := sb.DeleteFile(t.Context(), "src/-rf.ts"); err != nil {
		t.Errorf("delete -rf.ts: %v", err)
	}
	deep := strings.Repeat("d/", 60) + "x.ts"
	write(t, sb, deep, "deep")
	wantFile(t, sb, deep, "deep")
}

// No path leaves the project directory.
func testEscapes(t *testing.T, s *suite) {
	_, sb := s.create(t)
	write(t, sb, "src/a.ts", "a")
	for _, name := range []string{
		"", ".", "..", "/", "/etc/passwd", "../x", "../../x", "src/../../x", "src/../a.ts", "src/..", "./src/a.ts", "src//a.ts", "src/", "src/.",
		"//x", `..\x`, `src\a.ts`, "src/a\x00.ts", "src/\xff.ts", strings.Repeat("n", 300), strings.Repeat("d/", 2000) + "x",
	} {
		label := name[:min(len(name), 40)]
		wantCode(t, fmt.Sprintf("write %q", label), sb.WriteFile(t.Context(), name, []byte("x")), koda.CodeInvalidPath)
		wantCode(t, fmt.Sprintf("read %q", label), readErr(t, sb, name), koda.CodeInvalidPath)
		wantCode(t, fmt.Sprintf("delete %q", label), sb.DeleteFile(t.Context(), name), koda.CodeInvalidPath)
		if name == "." {
			continue
		}
		_, err := sb.List(t.Context(), name, true)
		wantCode(t, fmt.Sprintf("list %q", label), err, koda.CodeInvalidPath)
	}
	want := []sandbox.Entry{{Path: "src", Dir: true}, {Path: "src/a.ts", Size: 1}}
	if diff := cmp.Diff(want, list(t, sb, ".", true)); diff != "" {
		t.Errorf("refused calls changed something (-want +got):\n%s", diff)
	}
}

// A file is not a directory and a directory is no file.
func testKinds(t *testing.T, s *suite) {
	_, sb := s.create(t)
	write(t, sb, "src/a.ts", "a")
	wantCode(t, "write over a directory", sb.WriteFile(t.Context(), "src", []byte("x")), koda.CodeInvalidPath)
	wantCode(t, "write below a file", sb.WriteFile(t.Context(), "src/a.ts/b.ts", []byte("x")), koda.CodeInvalidPath)
	wantCode(t, "read a directory", readErr(t, sb, "src"), koda.CodeInvalidPath)
	wantCode(t, "delete a directory", sb.DeleteFile(t.Context(), "src"), koda.CodeInvalidPath)
	wantCode(t, "read below a file", readErr(t, sb, "src/a.ts/b.ts"), koda.CodeInvalidPath, koda.CodeFileNotFound)
	wantFile(t, sb, "src/a.ts", "a")
}

// Links are neither followed nor shown, wherever they point.
func testSymlinks(t *testing.T, s *suite) {
	_, sb := s.create(t)
	write(t, sb, "src/a.ts", "a")
	for name, target := range map[string]string{
		"public/out.txt": "/etc/hostname", "public/up": "..", "public/in.ts": "../src/a.ts", "public/dir": "../src", "public/dangling": "nowhere", "etc": "/etc",
	} {
		s.plant(t, sb, target, name)
	}
	for _, name := range []string{"public/out.txt", "public/in.ts", "public/dangling", "etc", "etc/hostname", "public/dir/a.ts", "public/up/x", "public/dir"} {
		wantCode(t, "read "+name, readErr(t, sb, name), koda.CodeInvalidPath)
		wantCode(t, "write "+name, sb.WriteFile(t.Context(), name, []byte("x")), koda.CodeInvalidPath)
		wantCode(t, "delete "+name, sb.DeleteFile(t.Context(), name), koda.CodeInvalidPath)
	}
	for _, dir := range []string{"etc", "public/dir", "public/up"} {
		_, err := sb.List(t.Context(), dir, true)
		wantCode(t, "list "+dir, err, koda.CodeInvalidPath, koda.CodeFileNotFound)
	}
	wantFile(t, sb, "src/a.ts", "a")
	want := []sandbox.Entry{{Path: "public", Dir: true}, {Path: "src", Dir: true}, {Path: "src/a.ts", Size: 1}}
	if diff := cmp.Diff(want, list(t, sb, ".", true)); diff != "" {
		t.Errorf("links are listed (-want +got):\n%s", diff)
	}
}

// Readers see whole files while others write them.
func testConcurrent(t *testing.T, s *suite) {
	_, sb := s.create(t)
	texts := []string{strings.Repeat("a", 64<<10), strings.Repeat("b", 96<<10)}
	write(t, sb, "src/shared.ts", texts[0])
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				if err := sb.WriteFile(t.Context(), "src/shared.ts", []byte(texts[(w+i)%2])); err != nil {
					t.Errorf("write: %v", err)
				}
				own := fmt.Sprintf("src/w%d/f%d.ts", w, i)
				if err := sb.WriteFile(t.Context(), own, []byte(own)); err != nil {
					t.Errorf("write %s: %v", own, err)
				}
				if data, err := sb.ReadFile(t.Context(), own); err != nil || string(data) != own {
					t.Errorf("read %s: %q, %v", own, data, err)
				}
				if i%2 == 0 {
					if err := sb.DeleteFile(t.Context(), own); err != nil {
						t.Errorf("delete %s: %v", own, err)
					}
				}
			}
		})
		wg.Go(func() {
			for range 10 {
				data, err := sb.ReadFile(t.Context(), "src/shared.ts")
				if err != nil || !slices.Contains(texts, string(data)) {
					t.Errorf("a reader saw %d bytes, %v", len(data), err)
				}
				es, err := sb.List(t.Context(), ".", true)
				if err != nil {
					t.Errorf("list: %v", err)
				}
				for _, e := range es {
					if !e.Dir && !strings.HasSuffix(e.Path, ".ts") {
						t.Errorf("an unfinished file is listed: %s", e.Path)
					}
				}
			}
		})
	}
	wg.Wait()
	// src, shared.ts, four directories, and five files that stayed in each.
	if es := list(t, sb, ".", true); len(es) != 2+4+20 {
		t.Errorf("%d entries are left, want 26: %v", len(es), es)
	}
}

func testDestroyed(t *testing.T, s *suite) {
	p, sb := s.create(t)
	write(t, sb, "src/a.ts", "a")
	other, err := p.Connect(t.Context(), sb.ID())
	if err != nil {
		t.Fatal(err)
	}
	if err := sb.Destroy(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []sandbox.Sandbox{sb, other} {
		wantCode(t, "write", gone.WriteFile(t.Context(), "src/a.ts", nil), koda.CodeSandboxNotFound)
		wantCode(t, "read", readErr(t, gone, "src/a.ts"), koda.CodeSandboxNotFound)
		wantCode(t, "delete", gone.DeleteFile(t.Context(), "src/a.ts"), koda.CodeSandboxNotFound)
		_, err := gone.List(t.Context(), ".", true)
		wantCode(t, "list", err, koda.CodeSandboxNotFound)
		wantCode(t, "put", sandbox.Put(t.Context(), gone, map[string][]byte{"src/a.ts": nil}), koda.CodeSandboxNotFound)
		_, err = sandbox.Get(t.Context(), gone, nil, sandbox.Limits{})
		wantCode(t, "get", err, koda.CodeSandboxNotFound)
		_, err = gone.Run(t.Context(), sandbox.Command{Line: "true"})
		wantCode(t, "run", err, koda.CodeSandboxNotFound)
		if err := gone.Destroy(t.Context()); err != nil {
			t.Errorf("destroy again: %v", err)
		}
	}
	_, err = p.Connect(t.Context(), sb.ID())
	wantCode(t, "connect", err, koda.CodeSandboxNotFound)
	if err := p.Remove(t.Context(), sb.ID()); err != nil {
		t.Errorf("remove what is gone: %v", err)
	}
}

// testRemoved: a provider removes a sandbox by its id.
func testRemoved(t *testing.T, s *suite) {
	p, sb := s.create(t)
	if err := p.Remove(t.Context(), sb.ID()); err != nil {
		t.Fatal(err)
	}
	_, err := p.Connect(t.Context(), sb.ID())
	wantCode(t, "connect", err, koda.CodeSandboxNotFound)
	wantCode(t, "write", sb.WriteFile(t.Context(), "src/a.ts", nil), koda.CodeSandboxNotFound)
}

func testCancelled(t *testing.T, s *suite) {
	p, sb := s.create(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, createErr := p.Create(ctx, sandbox.Options{})
	_, connectErr := p.Connect(ctx, sb.ID())
	_, readErr := sb.ReadFile(ctx, "src/a.ts")
	_, listErr := sb.List(ctx, ".", true)
	_, getErr := sandbox.Get(ctx, sb, nil, sandbox.Limits{})
	for what, err := range map[string]error{
		"create": createErr, "connect": connectErr, "read": readErr, "list": listErr, "ping": p.Ping(ctx),
		"write": sb.WriteFile(ctx, "src/a.ts", nil), "put": sandbox.Put(ctx, sb, map[string][]byte{"src/a.ts": nil}), "get": getErr, "delete": sb.DeleteFile(ctx, "src/a.ts"), "destroy": sb.Destroy(ctx),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s when cancelled: %v", what, err)
		}
	}
	if es := list(t, sb, ".", true); len(es) != 0 {
		t.Errorf("a cancelled write left %v", es)
	}
}

func write(t *testing.T, sb sandbox.Sandbox, name, text string) {
	t.Helper()
	if err := sb.WriteFile(t.Context(), name, []byte(text)); err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}

func wantFile(t *testing.T, sb sandbox.Sandbox, name, want string) {
	t.Helper()
	got, err := sb.ReadFile(t.Context(), name)
	if err != nil || string(got) != want {
		t.Errorf("read %s: %q, %v, want %q", name, got, err, want)
	}
}

func readErr(t *testing.T, sb sandbox.Sandbox, name string) error {
	t.Helper()
	_, err := sb.ReadFile(t.Context(), name)
	return err
}

func list(t *testing.T, sb sandbox.Sandbox, dir string, recursive bool) []sandbox.Entry {
	t.Helper()
	es, err := sb.List(t.Context(), dir, recursive)
	if err != nil {
		t.Fatalf("list %s: %v", dir, err)
	}
	return es
}

func wantCode(t *testing.T, what string, err error, codes ...koda.Code) {
	t.Helper()
	var e *koda.Error
	if !errors.As(err, &e) || !slices.Contains(codes, e.Code) {
		t.Errorf("%s: %v, want %v", what, err, codes)
	}
}
