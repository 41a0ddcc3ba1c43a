package workdir_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
)

func TestStorage_Checkpoint(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	one := files{"koda.json": "{}", "index.html": "<html>", "src/App.tsx": "app", "public/images/logo.svg": "<svg/>", "scripts/run.js": "run"}
	checkpoint(t, s, dir, 1, 1, one)
	equal(t, "files", one, onDisk(t, dir, ".koda"))
	equal(t, "tree", one, tree(t, s, dir))
	equal(t, "version 1", one, version(t, s, dir, 1))
	told := koda.Version{Number: 2}
	if _, err := s.Checkpoint(dir, koda.Checkpoint{Files: one.bytes(), State: state(1), NewVersion: &told}); err != nil || len(told.Files) != len(one) {
		t.Errorf("the caller is told of %d files, %v, want %d", len(told.Files), err, len(one))
	}

	two := with(one, files{"src/App.tsx": "app 2", "src/Ball.tsx": "ball"})
	delete(two, "scripts/run.js")
	if err := os.Chmod(filepath.Join(dir, "src/App.tsx"), 0o600); err != nil {
		t.Fatal(err)
	}
	checkpoint(t, s, dir, 2, 0, two)
	equal(t, "files", two, onDisk(t, dir, ".koda"))
	if _, err := os.Stat(filepath.Join(dir, "scripts")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an emptied directory stays: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "src/App.tsx")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
	if got := changes(t, s, dir); got != "" {
		t.Errorf("changes %q without a person", got)
	}

	got, err := s.ReadState(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := state(2)
	want.Project.Dir, want.Files = dir, got.Files
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if len(got.Files) != len(two) {
		t.Errorf("state lists %v", got.Files)
	}
}

func TestStorage_Checkpoint_StateOnly(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	full := koda.Checkpoint{Files: files{"src/App.tsx": "app"}.bytes(), State: state(1)}
	full.State.TheatreState = json.RawMessage(`{"sheets":1}`)
	if _, err := s.Checkpoint(dir, full); err != nil {
		t.Fatal(err)
	}
	write(t, dir, files{"src/App.tsx": "mine"})
	if kept, err := s.Checkpoint(dir, koda.Checkpoint{State: state(2)}); err != nil || kept != nil {
		t.Errorf("kept %v, %v", kept, err)
	}
	got, err := s.ReadState(dir)
	if err != nil || got.Seq != 2 || len(got.Files) != 1 || string(got.TheatreState) != `{"sheets":1}` {
		t.Errorf("state %+v, %v", got, err)
	}
	if got := changes(t, s, dir); got != "src/App.tsx" {
		t.Errorf("changes %q", got)
	}
}

// TestStorage_Checkpoint_PersonWins combines everything a person can do to a file
// with everything the author can do to it.
func TestStorage_Checkpoint_PersonWins(t *testing.T) {
	t.Parallel()
	const path = "src/a.ts"
	absent := "(absent)"
	for _, tt := range []struct {
		name, old, person, author string // old, person and author are contents
		end                       string
		kept                      bool
		rival                     string
		change                    string // the change that the next step sees
	}{
		{"nobody", "1", "1", "1", "1", false, "", ""},
		{"author edits", "1", "1", "2", "2", false, "", ""},
		{"author deletes", "1", "1", absent, absent, false, "", ""},
		{"author adds", absent, absent, "2", "2", false, "", ""},
		{"person edits", "1", "p", "1", "p", true, "", path},
		{"both edit", "1", "p", "2", "p", true, "2", path},
		{"both edit alike", "1", "2", "2", "2", false, "", ""},
		{"person edits, author deletes", "1", "p", absent, "p", true, "", path},
		{"person deletes", "1", absent, "1", absent, true, "", "-" + path},
		{"person deletes, author edits", "1", absent, "2", absent, true, "2", "-" + path},
		{"both delete", "1", absent, absent, absent, false, "", ""},
		{"both add", absent, "p", "2", "p", true, "2", path},
		{"person adds", absent, "p", absent, "p", false, "", path},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, dir := project(t)
			one := func(text string) files {
				if text == absent {
					return files{}
				}
				return files{path: text}
			}
			checkpoint(t, s, dir, 1, 1, one(tt.old))
			if tt.person == absent && tt.old != absent {
				remove(t, dir, path)
			} else {
				write(t, dir, one(tt.person))
			}
			for round := range 2 { // the second checkpoint changes nothing more
				kept := checkpoint(t, s, dir, 2, 2, one(tt.author))
				if (len(kept) == 1) != (tt.kept && (round == 0 || tt.author != absent)) {
					t.Errorf("round %d: kept %v, want %v", round, kept, tt.kept)
				}
				equal(t, "files", one(tt.end), onDisk(t, dir, ".koda"))
				rivals := files{}
				if tt.rival != "" {
					rivals[path+".1"] = tt.rival
				}
				if _, err := os.Stat(filepath.Join(dir, ".koda/conflicts")); err == nil || len(rivals) > 0 {
					equal(t, "conflicts", rivals, onDisk(t, filepath.Join(dir, ".koda/conflicts")))
				}
				if got := changes(t, s, dir); got != tt.change {
					t.Errorf("round %d: changes %q, want %q", round, got, tt.change)
				}
				equal(t, "version 2", one(tt.end), version(t, s, dir, 2))
			}
			// Once the author has taken the edit in, it no longer counts as a change.
			if kept := checkpoint(t, s, dir, 3, 3, one(tt.end)); kept != nil || changes(t, s, dir) != "" {
				t.Errorf("taken in: kept %v, changes %q", kept, changes(t, s, dir))
			}
		})
	}
}

func TestStorage_Checkpoint_SecondRival(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	checkpoint(t, s, dir, 1, 0, files{"src/a.ts": "1"})
	write(t, dir, files{"src/a.ts": "p"})
	for seq, text := range []string{"2", "3", "3"} {
		checkpoint(t, s, dir, int64(seq+2), 0, files{"src/a.ts": text})
	}
	equal(t, "conflicts", files{"src/a.ts.1": "2", "src/a.ts.2": "3"}, onDisk(t, filepath.Join(dir, ".koda/conflicts")))
}

// TestStorage_Checkpoint_InTheWay: a file is where a directory must be, or the
// other way round.
func TestStorage_Checkpoint_InTheWay(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	checkpoint(t, s, dir, 1, 0, files{"src/x": "file", "src/y/deep/z.ts": "z"})
	two := files{"src/x/z.ts": "z", "src/y": "file"}
	if kept := checkpoint(t, s, dir, 2, 0, two); kept != nil {
		t.Errorf("kept %v of koda's own", kept)
	}
	equal(t, "files", two, onDisk(t, dir, ".koda"))

	write(t, dir, files{"src/x/mine.ts": "mine"})
	remove(t, dir, "src/y")
	write(t, dir, files{"src/y/mine.ts": "mine"})
	if kept := checkpoint(t, s, dir, 3, 3, files{"src/x": "file", "src/y": "file 2"}); cmp.Diff([]string{"src/x", "src/y"}, kept) != "" {
		t.Errorf("kept %v, want both", kept)
	}
	equal(t, "files", files{"src/x/mine.ts": "mine", "src/y/mine.ts": "mine"}, onDisk(t, dir, ".koda"))
	equal(t, "conflicts", files{"src/x.1": "file", "src/y.1": "file 2"}, onDisk(t, filepath.Join(dir, ".koda/conflicts")))

	write(t, dir, files{"src/f": "mine"})
	if kept := checkpoint(t, s, dir, 4, 0, files{"src/f/g.ts": "g"}); cmp.Diff([]string{"src/f/g.ts"}, kept) != "" {
		t.Errorf("kept %v", kept)
	}
}

func TestStorage_Checkpoint_Refuses(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	good := files{"src/a.ts": "a"}
	checkpoint(t, s, dir, 1, 1, good)
	before := onDisk(t, dir)
	for _, path := range []string{
		"/etc/passwd", "../x", "src/../../x", "src/./a.ts", "src//a.ts", "src/", "src", ".koda/state.json", "src/.hidden", "renders/x.mp4",
		"other/x", "src/node_modules/x.js", `src\a`, "src/a\n", "", "a.ts",
		".git/hooks/pre-commit", "src/.git/hooks/post-checkout", ".KODA/state.json", "koda.json/x", "SRC/a.ts", "src/Node_Modules/x.js", "src/a.ts.", "src/a.ts ", "src/c:x",
		"src/\x1b[2J.ts", "src/\u202ets.a", "src/\u200b.ts", "src/\xff.ts", "src/\x00", strings.Repeat("s", 4<<10), "src/" + strings.Repeat("n", 201), "src" + strings.Repeat("/d", 20),
	} {
		_, err := s.Checkpoint(dir, koda.Checkpoint{Files: files{path: "x", "src/a.ts": "changed"}.bytes(), State: state(2)})
		wantCode(t, err, koda.CodeInvalidPath, "path")
	}
	_, err := s.Checkpoint(dir, koda.Checkpoint{Files: files{"src/x": "", "src/x/y": ""}.bytes(), State: state(2)})
	wantCode(t, err, koda.CodeInvalidPath, "below the file")
	many := map[string][]byte{}
	for i := range 5001 {
		many[fmt.Sprintf("src/%d.ts", i)] = nil
	}
	_, err = s.Checkpoint(dir, koda.Checkpoint{Files: many, State: state(2)})
	wantCode(t, err, koda.CodeSaveFailed, "5001 files")
	_, err = s.Checkpoint(dir, koda.Checkpoint{Files: map[string][]byte{"src/big": make([]byte, 200<<20+1)}, State: state(2)})
	wantCode(t, err, koda.CodeSaveFailed, "src/big is too large")
	_, err = s.Checkpoint(dir, koda.Checkpoint{Files: good.bytes(), State: state(2), NewVersion: &koda.Version{Number: 0}})
	wantCode(t, err, koda.CodeExists, "version 0")
	_, err = s.Checkpoint(t.TempDir(), koda.Checkpoint{Files: good.bytes(), State: state(2)})
	wantCode(t, err, koda.CodeNotFound, "not a koda project")
	equal(t, "what refused checkpoints left", before, onDisk(t, dir))
}

// TestStorage_Links: nothing is read or written through a symbolic link.
func TestStorage_Links(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, files{"secret": "precious", "dir/a.ts": "precious"})
	for name, plant := range map[string]func(dir string){
		"target":       func(dir string) { remove(t, dir, "src/a.ts"); link(t, outside+"/secret", dir, "src/a.ts") },
		"new target":   func(dir string) { link(t, outside+"/secret", dir, "src/b.ts") },
		"dangling":     func(dir string) { link(t, outside+"/nowhere", dir, "src/b.ts") },
		"directory":    func(dir string) { link(t, outside+"/dir", dir, "src/sub") },
		"whole folder": func(dir string) { link(t, outside+"/dir", dir, "public") },
	} {
		s, dir := project(t)
		checkpoint(t, s, dir, 1, 0, files{"src/a.ts": "a"})
		plant(dir)
		_, err := s.Checkpoint(dir, koda.Checkpoint{State: state(2), Files: files{"src/a.ts": "x", "src/b.ts": "x", "src/sub/a.ts": "x", "public/a.ts": "x"}.bytes()})
		wantCode(t, err, koda.CodeInvalidPath, "symbolic link")
		_, err = s.Tree(dir)
		wantCode(t, err, koda.CodeInvalidPath, "symbolic link")
		_, err = s.Changes(dir)
		wantCode(t, err, koda.CodeInvalidPath, "symbolic link")
		if got := onDisk(t, outside); got["secret"] != "precious" || got["dir/a.ts"] != "precious" || len(got) != 2 {
			t.Errorf("%s: written through: %v", name, got)
		}
		if state, err := s.ReadState(dir); err != nil || state.Seq != 1 {
			t.Errorf("%s: state of event %d, %v", name, state.Seq, err)
		}
	}
	s, dir := project(t)
	if err := os.RemoveAll(filepath.Join(dir, ".koda")); err != nil {
		t.Fatal(err)
	}
	link(t, outside, dir, ".koda")
	_, err := s.Checkpoint(dir, koda.Checkpoint{State: state(1), Files: files{}.bytes()})
	wantCode(t, err, koda.CodeInvalidPath, "not a directory")
	_, err = s.Remove(dir)
	wantCode(t, err, koda.CodeInvalidPath, "not a directory")
	if got := onDisk(t, outside); len(got) != 2 {
		t.Errorf("written through .koda: %v", got)
	}
}

func TestStorage_Tree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() // not a koda project
	want := files{"index.html": "i", "package.json": "p", "vite.config.ts": "v", "src/a/b.ts": "b", "public/x.bin": "\x00\xff"}
	write(t, dir, with(want, files{
		"notes.txt": "", "renders/x.mp4": "", "previews/x.mp4": "", "node_modules/a/index.js": "", "src/node_modules/b.js": "",
		".env": "", ".git/config": "", "src/.swp": "", "src/.cache/x": "", "other/x.ts": "",
	}))
	link(t, "/etc/passwd", dir, "other.txt") // no file of a project has this name
	equal(t, "tree", want, tree(t, storage(), dir))
	if got := onDisk(t, dir); len(got) != len(want)+11 {
		t.Errorf("reading wrote: %v", got)
	}
	_, err := storage().Tree(filepath.Join(dir, "nowhere"))
	wantCode(t, err, koda.CodeNotFound, "no directory")
	if err := os.Truncate(filepath.Join(dir, "public/x.bin"), 200<<20+1); err != nil {
		t.Fatal(err)
	}
	_, err = storage().Tree(dir)
	wantCode(t, err, koda.CodeUsage, "public/x.bin is too large")
	remove(t, dir, "public/x.bin")
	write(t, dir, files{"src/two\nlines.ts": ""})
	_, err = storage().Tree(dir)
	wantCode(t, err, koda.CodeInvalidPath, "rename it")
	remove(t, dir, "src/two\nlines.ts")
	if err := syscall.Mkfifo(filepath.Join(dir, "src/pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = storage().Tree(dir)
	wantCode(t, err, koda.CodeInvalidPath, "src/pipe is not a regular file")
}

// drawTree draws files. From one tree to the next their paths are often in each
// other's way.
func drawTree(t *rapid.T, label string) files {
	segment := rapid.SampledFrom([]string{"a", "b", "c.ts"})
	path := rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 5).Draw(t, "root") == 0 {
			return rapid.SampledFrom([]string{"koda.json", "index.html", "vite.config.ts"}).Draw(t, "name")
		}
		folder := rapid.SampledFrom([]string{"src", "public", "scripts"}).Draw(t, "folder")
		return folder + "/" + strings.Join(rapid.SliceOfN(segment, 1, 3).Draw(t, "path"), "/")
	})
	text := rapid.OneOf(rapid.SampledFrom([]string{"", "1", "2"}), rapid.StringN(0, 20, -1))
	return drawFiles(t, label, path, text)
}

// drawFiles draws files from paths and contents. No file is where another file
// needs a directory.
func drawFiles(t *rapid.T, label string, path, content *rapid.Generator[string]) files {
	all := files(rapid.MapOfN(path, content, 0, 8).Draw(t, label))
	for p := range all {
		for q := range all {
			if strings.HasPrefix(q, p+"/") {
				delete(all, q)
			}
		}
	}
	return all
}

// TestStorage_RoundTrip: whatever trees follow each other, the directory and every
// version hold exactly the checkpointed files.
func TestStorage_RoundTrip(t *testing.T) {
	t.Parallel()
	parent := atomicfiletest.Dir(t)
	rapid.Check(t, func(rt *rapid.T) {
		s, dir := projectIn(t, parent)
		var trees []files
		for n := range rapid.IntRange(1, 4).Draw(rt, "checkpoints") {
			want := drawTree(rt, "tree")
			trees = append(trees, want)
			if kept := checkpoint(t, s, dir, int64(n), n+1, want); kept != nil {
				rt.Fatalf("kept %v", kept)
			}
			if diff := cmp.Diff(want, tree(t, s, dir)); diff != "" {
				rt.Fatalf("tree (-want +got):\n%s", diff)
			}
			if got := changes(t, s, dir); got != "" {
				rt.Fatalf("changes %q", got)
			}
		}
		for i, want := range trees {
			if diff := cmp.Diff(want, version(t, s, dir, i+1)); diff != "" {
				rt.Fatalf("version %d (-want +got):\n%s", i+1, diff)
			}
		}
	})
}

// TestStorage_PersonKeepsWords: whatever the author does, no text of a person is
// lost unless the person replaced it.
func TestStorage_PersonKeepsWords(t *testing.T) {
	t.Parallel()
	parent := atomicfiletest.Dir(t)
	rapid.Check(t, func(rt *rapid.T) {
		s, dir := projectIn(t, parent)
		mine := files{}
		for n := range rapid.IntRange(1, 5).Draw(rt, "rounds") {
			checkpoint(t, s, dir, int64(n), n+1, drawTree(rt, "author"))
			for p := range mine {
				if got, err := os.ReadFile(filepath.Join(dir, p)); err != nil || string(got) != mine[p] {
					rt.Fatalf("%s holds %q, %v, want the person's %q", p, got, err, mine[p])
				}
			}
			p := rapid.SampledFrom([]string{"src/a", "src/b/c.ts", "public/a"}).Draw(rt, "path")
			if info, err := os.Stat(filepath.Join(dir, p)); err == nil && info.IsDir() {
				continue
			}
			if info, err := os.Stat(filepath.Dir(filepath.Join(dir, p))); err == nil && !info.IsDir() {
				continue
			}
			mine[p] = fmt.Sprint("person's ", n)
			write(t, dir, files{p: mine[p]})
		}
	})
}

// TestStorage_ReadersSeeWhole reads while checkpoints are made.
func TestStorage_ReadersSeeWhole(t *testing.T) {
	t.Parallel()
	s, dir := projectIn(t, atomicfiletest.Dir(t))
	trees := []files{{}, {}}
	for i := range 40 {
		trees[0][fmt.Sprintf("src/%d.ts", i)] = "zero"
		trees[1][fmt.Sprintf("src/%d.ts", i)] = "one"
	}
	delete(trees[1], "src/0.ts")
	checkpoint(t, s, dir, 0, 1, trees[0])
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	reads := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(reads)
		reader := storage()
		for range rounds {
			got, err := reader.Tree(dir)
			if err != nil {
				t.Error(err)
				return
			}
			if cmp.Diff(trees[0], texts(got)) != "" && cmp.Diff(trees[1], texts(got)) != "" {
				t.Errorf("a reader saw neither tree: %v", texts(got))
			}
			if got, err := reader.Changes(dir); err != nil || len(got) != 0 {
				t.Errorf("a reader took koda's writing for edits: %v, %v", got, err)
			}
			reads <- struct{}{}
		}
	})
	for n := int64(1); ; n++ {
		checkpoint(t, s, dir, n, 0, trees[n%2])
		if _, more := <-reads; !more {
			break
		}
	}
	wg.Wait()
}

func BenchmarkCheckpoint(b *testing.B) {
	s, dir := project(b)
	all := files{}
	for i := range 30 {
		all[fmt.Sprintf("src/%d.tsx", i)] = strings.Repeat("x", 4000)
	}
	checkpoint(b, s, dir, 0, 1, all)
	b.Run("one file", func(b *testing.B) {
		for n := int64(1); b.Loop(); n++ {
			all["src/0.tsx"] = fmt.Sprint(n)
			checkpoint(b, s, dir, n, 0, all)
		}
	})
	b.Run("state only", func(b *testing.B) {
		for n := int64(1); b.Loop(); n++ {
			if _, err := s.Checkpoint(dir, koda.Checkpoint{State: state(n)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("new project", func(b *testing.B) {
		for b.Loop() {
			s, dir := project(b)
			checkpoint(b, s, dir, 1, 1, all)
		}
	})
}
