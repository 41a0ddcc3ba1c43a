package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// cloned is the directory of a finished project, beside other files of the person,
// on a machine that does not know the project. The function change has altered its
// state file.
func cloned(t *testing.T, change func(machine, state map[string]any, victim string)) (b *bench, dir, victim string) {
	t.Helper()
	made := newBench(t)
	out := made.untilPreview()
	out = made.must(made.engine.Accept(t.Context(), out.Project.ID, koda.Seen{}))
	b = newBench(t)
	dir, victim = filepath.Join(b.parent, "clone"), filepath.Join(b.parent, "victim")
	if err := os.CopyFS(dir, os.DirFS(out.Project.Dir)); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"film.mp4": "precious", ".koda/state.json": "{}", ".koda/versions/v1.json": `{"number": 1}`} {
		file := filepath.Join(victim, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, ".koda/state.json")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s, m map[string]any
	if err := errors.Join(json.Unmarshal(data, &s)); err != nil {
		t.Fatal(err)
	}
	m = s["machine"].(map[string]any)
	m["node"] = s["nodeState"] // the node's state is outside "machine" in the file
	change(m, s, victim)
	s["nodeState"] = m["node"]
	delete(m, "node")
	if data, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return b, dir, victim
}

// commands calls what koda's commands call on a project, and returns the calls that
// panicked or went wrong.
func (b *bench) commands(dir string) (broke []string) {
	ctx, e := b.t.Context(), b.engine
	do := func(name string, f func() error) {
		defer func() {
			if p := recover(); p != nil {
				broke = append(broke, fmt.Sprint(name, ": ", p))
			}
		}()
		_ = f() //nolint:errcheck // an honest error is as good as any
	}
	var id string
	do("find", func() error { p, err := e.Find(ctx, dir); id = p.ID; return err })
	do("list", func() error { _, err := e.List(ctx); return err })
	do("show", func() error { _, err := e.Show(ctx, id); return err })
	do("history", func() error { _, err := e.History(ctx, id); return err })
	do("messages", func() error { _, err := e.Conversation(ctx, id); return err })
	do("examine", func() error { _, err := e.Examine(ctx, id); return err })
	do("resume", func() error {
		out, err := e.Resume(ctx, id, false)
		w, s := out.Waiting, out.State
		if w == engine.WaitingAnswer && s.Question == nil || w == engine.WaitingPlan && s.Plan == nil || w == engine.WaitingPreview && s.Preview == nil {
			broke = append(broke, "resume: the person is asked about something that is not there")
		}
		return err
	})
	do("resume with --yes", func() error { _, err := e.Resume(ctx, id, true); return err })
	do("edit", func() error { _, err := e.Edit(ctx, id, koda.Seen{}, "make it blue"); return err })
	do("undo", func() error { _, err := e.Undo(ctx, id); return err })
	do("accept", func() error { _, err := e.Accept(ctx, id, koda.Seen{}); return err })
	do("delete", func() error { _, err := e.Delete(ctx, id); return err })
	return broke
}

// contents is every file below a directory.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			var data []byte
			data, err = os.ReadFile(path)
			fmt.Fprintf(&all, "%s: %s\n", path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// TestClone_State: whatever the state file of a clone says, no command breaks, and
// none of the person's files is changed.
func TestClone_State(t *testing.T) {
	t.Parallel()
	node := func(m map[string]any) map[string]any { return m["node"].(map[string]any) }
	pending := func(kind string) func(m, s map[string]any, victim string) {
		return func(m, _ map[string]any, _ string) {
			m["pending"] = map[string]any{"id": "e99", "kind": kind, "turnId": "nowhere"}
			node(m)["phase"] = "executing"
		}
	}
	for name, change := range map[string]func(m, s map[string]any, victim string){
		"as it is":     func(map[string]any, map[string]any, string) {},
		"no execution": func(m, _ map[string]any, _ string) { node(m)["execution"] = nil; node(m)["phase"] = "executing" },
		"no plan":      func(m, _ map[string]any, _ string) { node(m)["plan"] = nil; node(m)["phase"] = "plan" },
		"no question":  func(m, _ map[string]any, _ string) { node(m)["question"] = nil; node(m)["phase"] = "question" },
		"no preview":   func(m, _ map[string]any, _ string) { node(m)["preview"] = nil; node(m)["phase"] = "preview" },
		"no error":     func(m, _ map[string]any, _ string) { node(m)["error"] = nil; node(m)["phase"] = "error" },
		"no phase":     func(m, _ map[string]any, _ string) { node(m)["phase"] = "dancing" },
		"no version":   func(m, s map[string]any, _ string) { m["version"] = -7; s["version"] = 1 << 40 },
		"great numbers": func(m, s map[string]any, _ string) {
			m["turn"], m["nextTodo"], m["nextEffect"], s["seq"] = 1<<52, 1<<52, 1<<52, 1<<52
		},
		"preset out": func(m, _ map[string]any, v string) {
			m["brief"].(map[string]any)["preset"] = "../../" + filepath.Base(v)
		},
		"destination": func(m, _ map[string]any, v string) {
			m["brief"].(map[string]any)["to"] = map[string]any{"path": filepath.Join(v, "film.mp4")}
			node(m)["phase"] = "preview"
		},
		"author": func(m, s map[string]any, _ string) { s["project"].(map[string]any)["author"] = "nobody" },
		"sandbox": func(m, s map[string]any, _ string) {
			s["project"].(map[string]any)["sandboxType"] = "nothing"
			node(m)["sandboxId"] = "../../victim"
		},
		"clarify":       pending("clarify"),
		"plan":          pending("plan"),
		"sandbox begun": pending("sandbox"),
		"work":          pending("work"),
		"version":       pending("version"),
		"preview begun": pending("preview"),
		"final":         pending("final"),
		"release":       pending("release"),
		"place":         pending("place"),
		"fork":          pending("fork"),
		"nonsense":      pending("rm -rf"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, dir, victim := cloned(t, change)
			before := contents(t, victim)
			for _, broke := range b.commands(dir) {
				t.Error(broke)
			}
			if after := contents(t, victim); after != before {
				t.Errorf("the person's files changed:\n%s", after)
			}
		})
	}
}

// TestClone_Videos: a clone cannot claim a video outside its own directory.
func TestClone_Videos(t *testing.T) {
	t.Parallel()
	b, dir, victim := cloned(t, func(m, _ map[string]any, victim string) {
		node := m["node"].(map[string]any)
		output := node["output"].(map[string]any)
		output["videoUrl"], output["thumbnailUrl"] = filepath.Join(victim, "film.mp4"), victim+"/.."
		output["copy"], output["others"] = filepath.Join(victim, "film.mp4"), []any{map[string]any{"copy": filepath.Join(victim, "film.mp4")}}
		node["preview"] = map[string]any{"videoUrl": filepath.Join(victim, "previews/../../../../etc/passwd"), "version": 1}
	})
	p, err := b.engine.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := b.engine.Resume(t.Context(), p.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	view, err := b.engine.Show(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []koda.NodeState{out.State, view.State} {
		if got := s.Output.VideoURL; got != filepath.Join(dir, "renders/film.mp4") || s.Output.ThumbnailURL != "" {
			t.Errorf("the video is %s, its thumbnail %s: beside %s", got, s.Output.ThumbnailURL, victim)
		}
		if s.Output.Copy != "" || s.Output.Others[0].Copy != "" {
			t.Errorf("it says it was put at %s", s.Output.Copy)
		}
		if got := s.Preview.VideoURL; got != filepath.Join(dir, "previews/passwd") {
			t.Errorf("the preview is %s", got)
		}
	}
}

// TestClone_Origin: a clone that claims to be a fork of another project gets no
// files of that project.
func TestClone_Origin(t *testing.T) {
	t.Parallel()
	var other string
	b, dir, _ := cloned(t, func(m, s map[string]any, victim string) {
		// Another project of the person; the clone names its directory.
		b := newBench(t)
		p := b.must(b.engine.New(t.Context(), b.request("a secret", true))).Project
		other = filepath.Join(filepath.Dir(victim), "secret")
		if err := os.CopyFS(other, os.DirFS(p.Dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(other, "marker"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		m["origin"] = map[string]any{"projectId": "unknown", "name": "secret", "dir": other, "version": 1}
		m["pending"] = map[string]any{"id": "e1", "kind": "fork", "turnId": "t1"}
		m["node"].(map[string]any)["phase"] = "executing"
		m["version"], m["newest"], s["files"] = 0, 0, map[string]any{}
	})
	for _, name := range []string{"src", ".koda/versions"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.engine.Find(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	out, err := b.engine.Resume(t.Context(), p.ID, true)
	if koda.CodeOf(err) != koda.CodeNotFound || !strings.Contains(fmt.Sprint(err), "is not known here") || koda.HintOf(err) == "" {
		t.Errorf("resume: %+v, %v", out.State, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "src")); !os.IsNotExist(err) {
		t.Errorf("files of %s were brought in: %v", other, err)
	}
}

// TestClone_Outputs: no video is written or removed through a link in place of one
// of koda's own directories or files.
func TestClone_Outputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ link, to string }{
		{"renders", "victim"}, {"previews", "victim"}, {"renders/bouncing-ball-v1.mp4", "victim/film.mp4"},
		{"renders/bouncing-ball-v1.jpg", "victim/film.mp4"}, {"previews/bouncing-ball-v1.jpg", "victim/new.jpg"},
	} {
		t.Run(strings.ReplaceAll(c.link, "/", " "), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.video.hash = true
			victim := filepath.Join(b.parent, "victim")
			if err := errors.Join(os.Mkdir(victim, 0o755), os.WriteFile(filepath.Join(victim, "film.mp4"), []byte("precious"), 0o644)); err != nil {
				t.Fatal(err)
			}
			out := b.untilPreview()
			dir := out.Project.Dir
			path := filepath.Join(dir, c.link)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(filepath.Join(b.parent, c.to), path)); err != nil {
				t.Fatal(err)
			}
			before := contents(t, victim)
			step := func() error { _, err := b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{}); return err }
			if strings.HasPrefix(c.link, "previews") {
				step = func() error {
					_, err := b.engine.Edit(t.Context(), out.Project.ID, koda.Seen{}, "make it blue")
					return err
				}
				if strings.Contains(c.link, "/") { // the preview of the next version
					next := strings.Replace(path, "v1", "v2", 1)
					if err := os.Rename(path, next); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := step(); koda.CodeOf(err) != koda.CodeInvalidPath || !strings.Contains(fmt.Sprint(err), "is a symbolic link") || koda.HintOf(err) == "" {
				t.Errorf("%v, want a refusal of the link", err)
			}
			view, err := b.engine.Show(t.Context(), out.Project.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range view.Renders {
				_, _ = b.engine.DeleteRender(t.Context(), out.Project.ID, r.ID) //nolint:errcheck // nothing behind the link goes
			}
			if after := contents(t, victim); after != before {
				t.Errorf("the person's files changed:\n%s", after)
			}
		})
	}
}
