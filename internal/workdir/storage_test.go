package workdir_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/workdir"
)

func TestNameFrom(t *testing.T) {
	t.Parallel()
	for prompt, want := range map[string]string{
		"bouncing ball":                       "bouncing-ball",
		"https://www.example.com/pricing?a=1": "example", "a bar chart of HTTP://data.org/x": "bar-chart-data", "https": "https",
		"A red bouncing ball, 3 bounces, 4 seconds":                           "red-bouncing-ball",
		"Create a 5 second animation of a bouncing ball with a playful style": "bouncing-ball-playful",
		"please make me a video: the Solar System, slowly turning":            "solar-system",
		"3 balls bouncing for 10s at 60fps":                                   "3-balls-bouncing",
		`Title "Hello, World!" in neon`:                                       "title-hello",
		"Café Zürich – straße":                                                "cafe-zurich",
		"don't stop":                                                          "dont-stop",
		"跳ねるボール":                                                              "animation",
		"生日快乐 小明, 2 秒":                                                        "animation", "棒グラフ: 売上 12": "animation", "1, 2, 3": "1", "Zürich, 3": "zurich", "3 ボール bounce": "3-bounce",
		"":                     "animation",
		"   ... ?!":            "animation",
		"make a 5 s animation": "animation",
		"renders":              "renders-animation",
		"CON":                  "con-animation",
		"../../etc/passwd":     "etc-passwd",
		"--help":               "help",
		"Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft": "donaudampfschifffahrtselektrizitatenhaup",
		"extraordinarily complicated transcontinental railways":                            "extraordinarily-complicated",
		"one two three four five six":                                                      "two-three-four-five",
	} {
		if got := workdir.NameFrom(prompt); got != want {
			t.Errorf("NameFrom(%q) = %q, want %q", prompt, got, want)
		}
	}
}

// TestNameFrom_IsValid: whatever a person types, the name can be the name of a
// directory.
func TestNameFrom_IsValid(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := workdir.NameFrom(rapid.String().Draw(t, "prompt"))
		if err := workdir.ValidName(name); err != nil {
			t.Fatal(err)
		}
		if len(name) > 50 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Fatalf("%q is not a short ASCII slug", name)
		}
	})
	if name := workdir.NameFrom(strings.Repeat("ball ", 1<<18)); name != "ball-ball-ball-ball" {
		t.Errorf("a prompt of 1 MB is called %q", name)
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ball", "ball-2", "Ball_3.1", "3d", "Kugel", "ボール"} {
		if err := workdir.ValidName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", ".", "..", ".koda", "-x", "a/b", `a\b`, "a b", "renders", "NUL", "a\x00", "a\n", "x.", strings.Repeat("x", 65), "\xff"} {
		wantCode(t, workdir.ValidName(name), koda.CodeUsage, "bouncing-ball")
	}
}

// unknown is a journal with no projects.
func unknown(string) bool { return false }

func TestStorage_Create(t *testing.T) {
	t.Parallel()
	s, parent := storage(), t.TempDir()
	journal := map[string]bool{}
	known := func(dir string) bool { return journal[dir] }
	for _, want := range []string{"ball", "ball-2", "ball-3"} {
		dir, err := s.Create(parent, "ball", false, known)
		if err != nil || dir != filepath.Join(parent, want) {
			t.Errorf("Create = %s, %v, want %s", dir, err, want)
		}
		if again, err := s.Create(parent, "ball", false, known); err != nil || again != dir {
			t.Errorf("Create after an unused Create = %s, %v, want %s", again, err, want)
		}
		release, err := s.Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := s.Create(parent, "ball", false, known); err != nil || other == dir {
			t.Errorf("Create beside a directory with an owner = %s, %v", other, err)
		}
		if err := release(); err != nil {
			t.Fatal(err)
		}
		if again, err := s.Create(parent, "ball", false, known); err != nil || again != dir {
			t.Errorf("Create after the owner was killed = %s, %v, want %s", again, err, want)
		}
		journal[dir] = true
		if other, err := s.Create(parent, "ball", false, known); err != nil || other == dir {
			t.Errorf("Create beside a journaled project = %s, %v", other, err)
		}
	}
	for _, name := range []string{".koda/lock", ".koda/.gitignore", "renders"} { // as if killed while it was made
		if err := os.Remove(filepath.Join(parent, "ball", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(parent, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, parent, files{"ball/.koda/..gitignore.123.tmp": "*"})
	for _, name := range []string{"ball", "mine"} {
		if dir, err := s.Create(parent, name, true, unknown); err != nil || dir != filepath.Join(parent, name) {
			t.Errorf("Create where an empty directory is = %s, %v", dir, err)
		}
		write(t, filepath.Join(parent, name), files{"renders/a.txt": ""})
		_, err := s.Create(parent, name, true, unknown)
		wantCode(t, err, koda.CodeExists, "--name")
	}
	if err := os.Symlink(filepath.Join(parent, "ball-2"), filepath.Join(parent, "link")); err != nil {
		t.Fatal(err)
	}
	_, err := s.Create(parent, "link", true, unknown)
	wantCode(t, err, koda.CodeExists, "--name")
	_, err = s.Create(parent, "../ball", true, unknown)
	wantCode(t, err, koda.CodeUsage, "bouncing-ball")
	_, err = s.Create(filepath.Join(parent, "nowhere"), "ball", false, unknown)
	wantCode(t, err, koda.CodeNotFound, "mkdir -p "+parent+"/nowhere")
	write(t, parent, files{"file": ""})
	_, err = s.Create(filepath.Join(parent, "file"), "ball", false, unknown)
	wantCode(t, err, koda.CodeUsage, "not a directory")
	_, err = s.Create("/sys", "ball", false, unknown)
	wantCode(t, err, koda.CodeStorageFailed, "writable")
	_, err = s.ReadState(filepath.Join(parent, "ball"))
	wantCode(t, err, koda.CodeNotFound, "koda list")
	if info, err := os.Stat(filepath.Join(parent, "ball", "renders")); err != nil || !info.IsDir() {
		t.Errorf("renders: %v", err)
	}
}

// TestStorage_Create_Killed: if the maker of a directory was killed before the
// first checkpoint, the next Create takes the directory, without the copies in it.
// If anything else is in it, Create leaves it alone.
func TestStorage_Create_Killed(t *testing.T) {
	t.Parallel()
	const copied = "public/data/points.json"
	source := t.TempDir()
	write(t, source, files{"points.json": "[1, 2]"})
	for name, extra := range map[string]files{
		"":                   nil,
		"a half copy":        {"public/data/.points.json.123.tmp": "[1"},
		"a copy they edited": {copied: "[3]"},
		"a file of theirs":   {"public/data/mine.json": "[]"},
		"a note of theirs":   {"notes.txt": ""},
		"a page of theirs":   {"src/App.tsx": ""},
		"a state":            {".koda/state.prev.json": "{}"},
		"a checkpoint begun": {".koda/pending.json": "{}"},
		"a version":          {".koda/versions/v1.json": "{}"},
	} {
		s, dir := project(t)
		release, err := s.Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddAsset(dir, filepath.Join(source, "points.json")); err != nil {
			t.Fatal(err)
		}
		write(t, dir, extra)
		if err := release(); err != nil {
			t.Fatal(err)
		}
		before := onDisk(t, dir)
		got, err := s.Create(filepath.Dir(dir), "ball", false, unknown)
		if err != nil {
			t.Fatal(err)
		}
		after := onDisk(t, dir)
		if taken := name == "" || name == "a half copy"; taken {
			before = files{".koda/.gitignore": "*\n", ".koda/lock": ""}
			if got != dir {
				t.Errorf("%q: not taken again", name)
			}
		} else if got == dir {
			t.Errorf("%q: taken", name)
		}
		equal(t, name, before, after)
	}
}

// TestStorage_Create_AtOnce: many processes create the same name at once. Each gets
// a directory of its own.
func TestStorage_Create_AtOnce(t *testing.T) {
	t.Parallel()
	const makers = 8
	for range 20 {
		parent := t.TempDir()
		var all sync.WaitGroup
		for range makers {
			all.Go(func() {
				s := storage()
				for {
					dir, err := s.Create(parent, "ball", false, unknown)
					if err != nil {
						t.Error(err)
						return
					}
					release, err := s.Lock(dir)
					if koda.CodeOf(err) == koda.CodeInUse {
						continue // another process was faster
					}
					if err != nil {
						t.Error(err)
						return
					}
					write(t, dir, files{"src/mine.ts": ""})
					if err := release(); err != nil {
						t.Error(err)
					}
					return
				}
			})
		}
		all.Wait()
	}
}

// A new project keeps its videos out of git. A .gitignore that a person wrote stays
// as it is, even after the project is removed.
func TestStorage_GitIgnore(t *testing.T) {
	t.Parallel()
	for _, mine := range []string{"", "dist/\n"} {
		s, dir := project(t)
		path := filepath.Join(dir, ".gitignore")
		if data, err := os.ReadFile(path); err != nil || string(data) != videosIgnored {
			t.Fatalf("%q, %v", data, err)
		}
		if mine != "" {
			write(t, dir, files{".gitignore": mine})
		}
		left, err := s.Remove(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(path)
		if kept := err == nil; kept != (mine != "") || len(left) > 0 != (mine != "") {
			t.Errorf("a .gitignore of %q: left %v, %v", mine, left, err)
		}
	}
}
