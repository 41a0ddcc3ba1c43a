package workdir_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

// clone is a project beside a person's own files, which the clone must not reach.
func clone(t testing.TB) (s *workdir.Storage, dir, victim string) {
	t.Helper()
	parent := atomicfiletest.Dir(t)
	victim = filepath.Join(parent, "victim")
	write(t, victim, files{".bashrc": "alias x=y", "photos/1.png": "photo", "objects/" + sum("photo")[:2] + "/" + sum("photo"): "photo", "v1.json": "{}", "state.json": "{}"})
	s, dir = projectIn(t, parent)
	checkpoint(t, s, dir, 1, 1, files{"koda.json": "{}", "src/a.ts": "a"})
	return s, dir, victim
}

func sum(text string) string {
	d := sha256.Sum256([]byte(text))
	return hex.EncodeToString(d[:])
}

// reading calls everything that only reads a directory, and returns the errors.
func reading(s *workdir.Storage, dir string) map[string]error {
	errs := map[string]error{}
	_, errs["state"] = s.ReadState(dir)
	_, errs["tree"] = s.Tree(dir)
	_, errs["changes"] = s.Changes(dir)
	_, errs["versions"] = s.Versions(dir)
	for n := range 3 {
		f, err := s.Version(dir, n)
		if err == nil {
			err = fs.WalkDir(f, ".", func(p string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					_, err = fs.ReadFile(f, p)
				}
				return err
			})
		}
		if koda.CodeOf(err) != koda.CodeNotFound {
			errs[fmt.Sprint("version ", n)] = err
		}
	}
	s.InUse(dir)
	return errs
}

// everything calls everything that commands do with a directory, and returns the
// errors.
func everything(t testing.TB, s *workdir.Storage, dir string) map[string]error {
	t.Helper()
	errs := reading(s, dir)
	release, err := s.Lock(dir)
	errs["lock"] = err
	s.Log(dir, t0, "hello")
	_, errs["checkpoint"] = s.Checkpoint(dir, koda.Checkpoint{
		Files: files{"koda.json": "{}", "src/a.ts": "new"}.bytes(), State: state(9), NewVersion: &koda.Version{Number: 9, CreatedAt: t0},
	})
	source := filepath.Join(t.TempDir(), "data.json")
	write(t, filepath.Dir(source), files{"data.json": "[1]"})
	_, errs["asset"] = s.AddAsset(dir, source)
	_, errs["remove"] = s.Remove(dir)
	if release != nil {
		if err := release(); err != nil {
			t.Error(err)
		}
	}
	return errs
}

// unharmed checks that none of the person's files changed.
func unharmed(t testing.TB, victim string, before files) {
	t.Helper()
	equal(t, "the person's files", before, onDisk(t, victim))
}

// TestHostile_Assets: a list of copies names files that are no copies, with their
// right digests. Deleting the project must not delete those files.
func TestHostile_Assets(t *testing.T) {
	t.Parallel()
	s, dir, victim := clone(t)
	before := onDisk(t, victim)
	mine := files{".git/config": "mine", "notes.md": "mine", "src/mine.ts": "mine", "public/models/a.glb": "mine", "public/images/.hidden.png": "mine"}
	write(t, dir, mine)
	list := map[string]string{
		"../victim/.bashrc": sum("alias x=y"), "public/images/../../../victim/.bashrc": sum("alias x=y"), filepath.Join(victim, ".bashrc"): sum("alias x=y"),
		"../victim/photos/1.png": sum("photo"), "": sum(""), ".": sum(""), "public/images/x\x00": sum("mine"),
	}
	for name := range mine {
		list[name] = sum("mine")
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, files{".koda/assets.json": string(data)})
	left, err := s.Remove(dir)
	if err != nil || len(left) != len(mine) {
		t.Errorf("left %v, %v", left, err)
	}
	unharmed(t, victim, before)
	equal(t, "the person's files in the project", mine, onDisk(t, dir))
}

// strange maps names of things that are not regular files to the functions that make
// them.
var strange = map[string]func(t *testing.T, path, victim string) error{
	"link to /dev/zero": func(_ *testing.T, path, _ string) error { return os.Symlink("/dev/zero", path) },
	"link out": func(_ *testing.T, path, victim string) error {
		return os.Symlink(filepath.Join(victim, "state.json"), path)
	},
	"link to nothing": func(_ *testing.T, path, victim string) error {
		return os.Symlink(filepath.Join(victim, "nothing"), path)
	},
	"pipe":      func(_ *testing.T, path, _ string) error { return syscall.Mkfifo(path, 0o644) },
	"directory": func(_ *testing.T, path, _ string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o755) },
	"endless": func(t *testing.T, path, _ string) error {
		write(t, filepath.Dir(path), files{filepath.Base(path): ""})
		return os.Truncate(path, 3<<30)
	},
	"nothing": func(*testing.T, string, string) error { return nil },
}

// TestHostile_Files: whatever stands in place of a file that koda reads, even a
// device without end, every operation ends and reaches nothing outside.
func TestHostile_Files(t *testing.T) {
	t.Parallel()
	names := []string{
		".koda/state.json", ".koda/state.prev.json", ".koda/pending.json", ".koda/assets.json", ".koda/lock", ".koda/log", ".koda/.gitignore",
		".koda/versions/v1.json", ".koda/versions/v2.json", ".koda/versions/objects/" + sum("a")[:2] + "/" + sum("a"),
		".koda/conflicts/src/a.ts.1", "koda.json", "src/a.ts", "src/b.ts", "public/b.bin", "public/data/data.json",
	}
	for _, name := range names {
		for kind, make := range strange {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				s, dir, victim := clone(t)
				before := onDisk(t, victim)
				path := filepath.Join(dir, name)
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := make(t, path, victim); err != nil {
					t.Fatal(err)
				}
				errs := everything(t, s, dir)
				for what, err := range errs {
					if err != nil && koda.CodeOf(err) == koda.CodeFailed {
						t.Errorf("%s: %v has no code", what, err)
					}
				}
				unharmed(t, victim, before)
			})
		}
	}
}

// TestHostile_Directories: nothing is read, written or removed through a link in
// place of a directory.
func TestHostile_Directories(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		".koda", ".koda/versions", ".koda/versions/objects", ".koda/versions/objects/" + sum("photo")[:2], ".koda/conflicts", "renders", "previews", "src",
		"public", "public/data",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir, victim := clone(t)
			write(t, victim, files{"a.ts": "a", "1.mp4": "film", ".x.123.tmp": "mine"})
			before := onDisk(t, victim)
			path := filepath.Join(dir, name)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			link(t, victim, filepath.Dir(path), filepath.Base(path))
			errs := everything(t, s, dir)
			unharmed(t, victim, before)
			if strings.HasPrefix(name, ".koda") && !strings.Contains(name, "objects/") && koda.CodeOf(errs["checkpoint"]) != koda.CodeInvalidPath {
				t.Errorf("a checkpoint: %v, want a refusal of the link", errs["checkpoint"])
			}
		})
	}
}

// TestHostile_Pending: if the checkpoint being applied is unusable, it is set
// aside, and the last good checkpoint is used.
func TestHostile_Pending(t *testing.T) {
	t.Parallel()
	whole := func(change func(p map[string]any)) string {
		var st map[string]any
		data, _ := json.Marshal(state(7))
		_ = json.Unmarshal(data, &st)
		st["files"] = map[string]string{"src/a.ts": sum("a")}
		p := map[string]any{"state": st}
		change(p)
		data, _ = json.Marshal(p)
		return string(data)
	}
	inState := func(change func(s map[string]any)) string {
		return whole(func(p map[string]any) { change(p["state"].(map[string]any)) })
	}
	listing := func(list map[string]string) string {
		return whole(func(p map[string]any) { p["version"] = map[string]any{"number": 2, "files": list} })
	}
	many := map[string]string{}
	for i := range workdir.MaxFiles + 1 {
		many[fmt.Sprintf("src/%d.ts", i)] = sum("a")
	}
	for name, text := range map[string]string{
		"no JSON": "{", "empty": "", "null": "null", "list": "[]", "deep": strings.Repeat("[", 1<<20),
		"no state": "{}", "not a project's": inState(func(s map[string]any) { s["project"] = map[string]any{} }),
		"leads out":         inState(func(s map[string]any) { s["files"] = map[string]string{"../victim/.bashrc": sum("a")} }),
		"hidden":            inState(func(s map[string]any) { s["files"] = map[string]string{"src/.env": sum("a")} }),
		"short digest":      inState(func(s map[string]any) { s["files"] = map[string]string{"src/a.ts": ""} }),
		"digest leads out":  inState(func(s map[string]any) { s["files"] = map[string]string{"src/a.ts": "../../../../victim/.bashrc"} }),
		"content not there": inState(func(s map[string]any) { s["files"] = map[string]string{"src/a.ts": sum("a"), "src/b.ts": sum("b")} }),
		"file below a file": inState(func(s map[string]any) { s["files"] = map[string]string{"src/a.ts": sum("a"), "src/a.ts/b": sum("a")} }),
		"too many files":    inState(func(s map[string]any) { s["files"] = many }),
		"bad version":       whole(func(p map[string]any) { p["version"] = map[string]any{"number": -1} }),
		"version leads out": listing(map[string]string{"../victim/.bashrc": sum("alias x=y")}),
		"version's digest":  listing(map[string]string{"src/a.ts": "x"}),
		"version's content": listing(map[string]string{"src/a.ts": "../../../../victim/.bashrc"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir, victim := clone(t)
			before := onDisk(t, victim)
			write(t, dir, files{".koda/pending.json": text})
			last, err := s.ReadState(dir)
			if err != nil || last.Seq != 1 || name != "content not there" && last.Damage == "" {
				t.Errorf("read state %d (damage %q), %v, want the last good state and a description of the damage", last.Seq, last.Damage, err)
			}
			if _, err := s.Versions(dir); err != nil {
				t.Error(err)
			}
			equal(t, "version 1", files{"koda.json": "{}", "src/a.ts": "a"}, version(t, s, dir, 1))
			release, err := s.Lock(dir)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(filepath.Join(dir, ".koda/pending.json.damaged")); err != nil || string(text) == "" && name != "empty" {
				t.Errorf("the unusable checkpoint is not kept: %v", err)
			}
			if last, err := s.ReadState(dir); err != nil || last.Seq != 1 || last.Damage != "" {
				t.Errorf("the owner reads state %d, %v", last.Seq, err)
			}
			checkpoint(t, s, dir, 8, 2, files{"koda.json": "{}", "src/a.ts": "on"})
			equal(t, "files", files{"koda.json": "{}", "src/a.ts": "on"}, onDisk(t, dir, ".koda"))
			if err := release(); err != nil {
				t.Error(err)
			}
			unharmed(t, victim, before)
		})
	}
}

// TestHostile_State: if the state is unusable, the state before it is used.
func TestHostile_State(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s map[string]any){
		"leads out":        func(s map[string]any) { s["files"] = map[string]string{"../victim/.bashrc": sum("alias x=y")} },
		"digest leads out": func(s map[string]any) { s["files"] = map[string]string{"src/a.ts": "../../../../victim/.bashrc"} },
		"id leads out":     func(s map[string]any) { s["project"] = map[string]any{"id": "../../victim"} },
		"id is long":       func(s map[string]any) { s["project"] = map[string]any{"id": strings.Repeat("x", 1000)} },
		"id has an escape": func(s map[string]any) { s["project"] = map[string]any{"id": "p\x1b[2J"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, dir, victim := clone(t)
			checkpoint(t, s, dir, 2, 0, files{"koda.json": "{}", "src/a.ts": "b"})
			before := onDisk(t, victim)
			var st map[string]any
			data, err := os.ReadFile(filepath.Join(dir, ".koda/state.json"))
			if err == nil {
				err = json.Unmarshal(data, &st)
			}
			if err != nil {
				t.Fatal(err)
			}
			change(st)
			data, err = json.Marshal(st)
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, files{".koda/state.json": string(data)})
			last, err := s.ReadState(dir)
			if err != nil || last.Seq != 1 || last.Damage == "" {
				t.Errorf("read state %d (damage %q), %v, want the state before it", last.Seq, last.Damage, err)
			}
			errs := everything(t, s, dir)
			for _, what := range slices.Sorted(maps.Keys(errs)) {
				if err := errs[what]; err != nil && what != "version 0" && what != "version 2" {
					t.Errorf("%s: %v", what, err)
				}
			}
			unharmed(t, victim, before)
		})
	}
}

// TestHostile_Versions: version lists name files that cannot be files of a project.
func TestHostile_Versions(t *testing.T) {
	t.Parallel()
	s, dir, victim := clone(t)
	before := onDisk(t, victim)
	for n, list := range map[int]map[string]string{
		2: {"../victim/.bashrc": sum("alias x=y")}, 3: {"src/a.ts": "../../../../victim/.bashrc"}, 4: {"src/a.ts": ""},
	} {
		data, err := json.Marshal(koda.Version{Number: n, Files: list})
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, files{fmt.Sprintf(".koda/versions/v%d.json", n): string(data)})
	}
	for n := 2; n <= 4; n++ {
		_, err := s.Version(dir, n)
		wantCode(t, err, koda.CodeStorageFailed, fmt.Sprintf("v%d.json is damaged", n))
	}
	unharmed(t, victim, before)
}
