package engine_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// TestFinals_Impossible: an act that is not possible chooses no final videos.
func TestFinals_Impossible(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	id := b.must(b.engine.New(t.Context(), b.request("bouncing ball", false))).Project.ID
	wanted := engine.Finals{Presets: []string{"gif"}}
	if _, err := b.engine.Accept(t.Context(), id, koda.Seen{}, wanted); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("a question was accepted: %v", err)
	}
	if _, err := b.engine.Edit(t.Context(), id, koda.Seen{}, "blue", wanted); koda.CodeOf(err) != koda.CodeWrongPhase {
		t.Errorf("a question was edited: %v", err)
	}
	out := b.must(b.engine.Resume(t.Context(), id, true))
	if filepath.Base(out.State.Output.VideoURL) != "bouncing-ball-v1.mp4" {
		t.Errorf("%+v", out.State.Output)
	}
}

// A final video is made for each preset that was asked for, when the project was
// made or when its preview was accepted. A final that fails is retried as a render.
func TestFinals(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	req := b.request("bouncing ball", true)
	req.Brief.Preset, req.Brief.Presets = "square", []string{"gif"}
	out := b.must(b.engine.New(t.Context(), req))
	videos := func(o *koda.Output) (names []string) {
		for _, o := range append([]koda.Output{*o}, o.Others...) {
			names = append(names, filepath.Base(o.VideoURL))
			if b.read(o.VideoURL) != "video" {
				t.Errorf("%s is not the video", o.VideoURL)
			}
		}
		return names
	}
	if diff := cmp.Diff([]string{"bouncing-ball-v1-square.mp4", "bouncing-ball-v1-gif.gif"}, videos(out.State.Output)); diff != "" {
		t.Error(diff)
	}
	if _, err := b.engine.Resume(t.Context(), out.Project.ID, true, engine.Finals{Presets: []string{"reels"}}); koda.CodeOf(err) != koda.CodeWrongPhase || koda.HintOf(err) == "" {
		t.Errorf("presets of a project that is complete: %v", err)
	}

	req = b.request("a second ball", false)
	req.Brief.Style = "smooth"
	id := b.must(b.engine.New(t.Context(), req)).Project.ID
	b.must(b.engine.Accept(t.Context(), id, koda.Seen{}))
	for _, bad := range []string{"nope", ""} {
		if _, err := b.engine.Accept(t.Context(), id, koda.Seen{}, engine.Finals{Presets: []string{"gif", bad}}); koda.CodeOf(err) != koda.CodeUsage {
			t.Errorf("preset %q: %v", bad, err)
		}
	}
	wanted := engine.Finals{Presets: []string{"reels", "gif"}}
	b.must(b.engine.Resume(t.Context(), id, false, wanted)) // it still waits
	b.video.fail, b.video.failed = errors.New("no ink"), koda.RenderFinal
	if _, err := b.engine.Accept(t.Context(), id, koda.Seen{}, wanted); err == nil { // the same again
		t.Fatal("a final video was made although none was asked for")
	}
	b.video.fail = nil
	out = b.must(b.engine.Resume(t.Context(), id, false))
	if diff := cmp.Diff([]string{"ball-v1-reels.mp4", "ball-v1-gif.gif"}, videos(out.State.Output)); diff != "" {
		t.Error(diff)
	}
	// After going to another version and back, the version's video is the one of the
	// first preset.
	b.must(b.engine.Edit(t.Context(), id, koda.Seen{}, "blue"))
	b.moved(b.engine.Undo(t.Context(), id))
	view, err := b.engine.Show(t.Context(), id)
	if err != nil || view.State.Output == nil || filepath.Base(view.State.Output.VideoURL) != "ball-v1-reels.mp4" {
		t.Errorf("%v, %+v", err, view.State.Output)
	}
}
