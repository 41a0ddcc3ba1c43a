package render_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
)

// A sound track is made once for the same source and cut, with the same report when
// it is used again. It is made again if it is damaged or if anything that it
// depends on has changed.
func TestTrackReuse(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	draw := func(data []byte, change func(*koda.RenderSpec)) (koda.Sound, []byte) {
		t.Helper()
		files := project(2).(fstest.MapFS)
		files["public/audio/song.wav"] = &fstest.MapFile{Data: data}
		s := spec(t)
		s.Frames, s.Duration = 60, 2
		if change != nil {
			change(&s)
		}
		res, err := w.renderer().Render(t.Context(), files, s, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
		}
		return *res.Sound, read(t, s.Output)
	}
	song := tone(1, 0.1)
	first, video := draw(song, nil)
	if first.Reused || first.LUFS == nil {
		t.Fatalf("the first time: %+v", first)
	}
	if again, same := draw(song, nil); !again.Reused || again.Gain != first.Gain || *again.LUFS != *first.LUFS || !bytes.Equal(video, same) {
		t.Errorf("again: %+v, same bytes: %v", again, bytes.Equal(video, same))
	}
	for name, change := range map[string]func(*koda.RenderSpec){
		"looped":    func(s *koda.RenderSpec) { s.Audio.Loop = true },
		"a part":    func(s *koda.RenderSpec) { s.Frames = 30 },
		"not at 0":  func(s *koda.RenderSpec) { s.First, s.Frames = 30, 30 },
		"not cache": func(s *koda.RenderSpec) { s.NoCache = true },
	} {
		if got, _ := draw(song, change); got.Reused {
			t.Errorf("%s: the track of another was used", name)
		}
	}
	if got, _ := draw(tone(1, 0.2), nil); got.Reused {
		t.Error("the track of another source was used")
	}

	tracks, err := filepath.Glob(filepath.Join(w.cache, "segments", "*.sound"))
	if err != nil || len(tracks) != 5 {
		t.Fatalf("tracks %v, %v", tracks, err)
	}
	for _, file := range tracks {
		data := read(t, file)
		data[len(data)-9] ^= 1
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, same := draw(song, nil); got.Reused || !bytes.Equal(video, same) {
		t.Errorf("a damaged track was used: %+v", got)
	}
}

// The track of a silent source is kept too, and tracks count towards the bound of the
// cache.
func TestTrackOfSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	files := project(1).(fstest.MapFS)
	files["public/audio/none.wav"] = &fstest.MapFile{Data: tone(1, 0)}
	for _, reused := range []bool{false, true} {
		res, err := w.renderer().Render(t.Context(), files, shortSpec(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := res.Sound; s == nil || s.Reused != reused || s.LUFS != nil || s.Gain != 0 {
			t.Errorf("reused %v: %+v", reused, s)
		}
	}
	trimmed, err := render.Trim(t.Context(), w.cache, 0, false)
	if err != nil || trimmed.Files != 2 { // the segment and the track
		t.Errorf("%+v, %v", trimmed, err)
	}
	if left := list(t, filepath.Join(w.cache, "segments")); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}
