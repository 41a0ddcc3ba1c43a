package engine_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestDestination: each final video is also put where the person wants it, once,
// and an event says so.
func TestDestination(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.hash = true
	ctx, out := t.Context(), filepath.Join(b.parent, "out", "deep")
	req := b.request("bouncing ball", true)
	req.Brief.To = &koda.Destination{Path: filepath.Join(out, "ball")}
	o := b.must(b.engine.New(ctx, req))
	id, file := o.Project.ID, filepath.Join(out, "ball.mp4")
	if o.State.Output.Copy != file || b.read(file) != "video" || b.read(o.State.Output.VideoURL) != "video" {
		t.Errorf("output %+v", o.State.Output)
	}
	// A destination that is given after the video asks for another video.
	_, err := b.engine.Resume(ctx, id, false, engine.Finals{To: req.Brief.To})
	if koda.CodeOf(err) != koda.CodeWrongPhase || koda.HintOf(err) != "koda render bouncing-ball --output "+filepath.Join(out, "ball")+" makes another" {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
	if err := os.WriteFile(file, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "blue")); o.State.Output.Copy != "" || b.read(file) != "precious" {
		t.Errorf("a video without a destination: %+v", o.State.Output)
	}
	// No video follows a refused destination.
	to := engine.Finals{To: &koda.Destination{Path: file}}
	if _, err := b.engine.Edit(ctx, id, koda.Seen{}, "a spaceship", to); koda.CodeOf(err) != koda.CodeInvalidInput {
		t.Fatal(err)
	}
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "red"))
	if b.read(file) != "precious" {
		t.Error("a refused destination became the place of the next video")
	}
	if o = b.must(b.engine.Edit(ctx, id, koda.Seen{}, "green", to)); o.State.Output.Copy != file || b.read(file) != "video" {
		t.Errorf("output %+v", o.State.Output)
	}

	b.forget()
	req = b.request("a second ball", true)
	req.Brief.Presets, req.Brief.To = []string{"gif", "reels"}, &koda.Destination{Path: out, Dir: true}
	o = b.must(b.engine.New(ctx, req))
	var told, want []string
	for _, ev := range b.events() {
		if ready, ok := ev.Payload.(koda.OutputReady); ok {
			told = append(told, ready.URL, ready.Copy)
		}
	}
	for i, name := range []string{"ball.mp4", "ball-gif.gif", "ball-reels.mp4"} {
		of := append([]koda.Output{*o.State.Output}, o.State.Output.Others...)[i]
		want = append(want, of.VideoURL, filepath.Join(out, name))
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

// TestDestination_fails: if a video cannot be put at its destination, it is made
// all the same. On resume it can be put somewhere else.
func TestDestination_fails(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.video.hash = true
	ctx, id := t.Context(), b.untilPreview().Project.ID
	in := func(name string) string { return filepath.Join(b.parent, name) }
	err := errors.Join(os.WriteFile(in("there.mp4"), []byte("precious"), 0o644), os.Mkdir(in("dir.mp4"), 0o755), os.Symlink("there.mp4", in("link.mp4")))
	if err != nil {
		t.Fatal(err)
	}
	step := func(f engine.Finals) (engine.Outcome, error) { return b.engine.Accept(ctx, id, koda.Seen{}, f) }
	for path, code := range map[string]koda.Code{"there.mp4": koda.CodeExists, "link.mp4": koda.CodeExists, "dir.mp4": koda.CodeWriteFailed, "there.mp4/x.mp4": koda.CodeWriteFailed} {
		to := &koda.Destination{Path: in(path), NoClobber: true}
		_, err := step(engine.Finals{To: to})
		if koda.CodeOf(err) != code || koda.HintOf(err) != "`koda resume bouncing-ball --output FILE` puts it elsewhere" || b.read(in("there.mp4")) != "precious" {
			t.Errorf("%s: %v (%s)", path, err, koda.HintOf(err))
		}
		step = func(f engine.Finals) (engine.Outcome, error) { return b.engine.Resume(ctx, id, false, f) }
	}
	// If the destination holds that very video already, as after a crash, nothing
	// is left to do. A link that the person made there stays a link.
	if err := os.WriteFile(in("there.mp4"), []byte("video"), 0o644); err != nil {
		t.Fatal(err)
	}
	again := func(to *koda.Destination) {
		t.Helper()
		if out := b.must(step(engine.Finals{To: to})); out.State.Output.Copy != to.Path || b.read(in("there.mp4")) != "video" {
			t.Errorf("%+v", out.State.Output)
		}
	}
	again(&koda.Destination{Path: in("there.mp4"), NoClobber: true})
	b.must(b.engine.Edit(ctx, id, koda.Seen{}, "bigger"))
	if err := os.WriteFile(in("there.mp4"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	step = func(f engine.Finals) (engine.Outcome, error) { return b.engine.Accept(ctx, id, koda.Seen{}, f) }
	again(&koda.Destination{Path: in("link.mp4")})
	if info, err := os.Lstat(in("link.mp4")); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("%v, %v", info, err)
	}
}

// TestDestination_fits: a name that no final video can have is refused before a
// project is made.
func TestDestination_fits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for path, presets := range map[string][]string{"ball.txt": nil, "ball.png": nil, "ball.mp4": {"reels"}, "ball": {"reels"}} {
		req := b.request("bouncing ball", true)
		req.Brief.Presets, req.Brief.To = presets, &koda.Destination{Path: filepath.Join(b.parent, path)}
		_, err := b.engine.New(t.Context(), req)
		if koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if entries, err := os.ReadDir(b.parent); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
	req := b.request("bouncing ball", true)
	req.Brief.To = &koda.Destination{Path: filepath.Join(b.parent, "ball.WebM")}
	out := b.must(b.engine.New(t.Context(), req))
	if filepath.Base(out.State.Output.VideoURL) != "bouncing-ball-v1.webm" || b.read(req.Brief.To.Path) != "video" {
		t.Errorf("%+v", out.State.Output)
	}
	// A destination that is given later must fit the format that was given before.
	id := b.must(b.engine.New(t.Context(), b.request("a second ball", false))).Project.ID
	for _, f := range []engine.Finals{{To: &koda.Destination{Path: "/out/ball.mp4"}}, {Presets: []string{"gif", "reels"}}} {
		if _, err := b.engine.Resume(t.Context(), id, false, f); (koda.CodeOf(err) == koda.CodeUsage) != (f.To == nil) {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestDestination_behind: a directory that is ahead of the database brings in no
// destination of its own, and leaves the person's destination as it was.
func TestDestination_behind(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	out := b.untilPreview()
	own := filepath.Join(b.parent, "own.mp4")
	b.must(b.engine.Resume(t.Context(), out.Project.ID, false, engine.Finals{To: &koda.Destination{Path: own}}))
	file := filepath.Join(out.Project.Dir, ".koda/state.json")
	var state map[string]any
	if err := json.Unmarshal([]byte(b.read(file)), &state); err != nil {
		t.Fatal(err)
	}
	state["seq"] = 1000
	state["machine"].(map[string]any)["brief"].(map[string]any)["to"] = map[string]any{"path": filepath.Join(b.parent, "theirs.mp4")}
	data, err := json.Marshal(state)
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out = b.must(b.engine.Accept(t.Context(), out.Project.ID, koda.Seen{})); out.State.Output.Copy != own {
		t.Errorf("%+v", out.State.Output)
	}
	if _, err := os.Stat(filepath.Join(b.parent, "theirs.mp4")); !os.IsNotExist(err) {
		t.Error(err)
	}
}
