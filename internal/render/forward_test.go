package render_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/timeline"
)

// Segments that are reached by passing all frames before them grow, so that the
// passed frames stay a small multiple of the drawn frames.
func TestGrownSegments(t *testing.T) {
	t.Parallel()
	for frames, want := range map[int]int{75: 1, 100: 1, 150: 2, 300: 4, 600: 7, 1800: 11, 3600: 15, 36000: 27} {
		spec := koda.RenderSpec{FPS: koda.FPS{Num: 60, Den: 1}, Frames: frames, Duration: timeline.Seconds(frames, koda.FPS{Num: 60, Den: 1})}
		next, passed := 0, 0
		grid := render.GrownSpans(spec)
		for _, s := range grid {
			if s.Start != next || 5*s.Len() < s.Start {
				t.Errorf("%d frames: segment %v after frame %d", frames, s, next)
			}
			next, passed = s.End, passed+s.Start
		}
		if len(grid) != want || next != frames || passed > 5*frames {
			t.Errorf("%d frames: %d segments until %d, %d frames to pass", frames, len(grid), next, passed)
		}
	}
}

// A page that plays by itself is brought forward to each segment.
func TestPlayedPageIsBroughtForward(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.page.Plays, w.counts = true, true
	s := spec(t)
	s.Workers = 1
	var last koda.Progress
	res, err := w.renderer().Render(t.Context(), project(5), s, func(p koda.Progress) {
		if p.Percent < last.Percent || p.ToPass != 75 {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	})
	if err != nil || w.passes != 75 || len(res.Warnings) > 0 {
		t.Fatalf("%d frames were passed: %v, %q", w.passes, err, res.Warnings)
	}
	if last.Passed != 75 || last.Percent != 100 {
		t.Errorf("at the end: %+v", last)
	}
}

// A page that is told the time, but whose picture depends on what it showed before,
// is found out where two segments meet. Then it is drawn forward, with the same
// video whatever is in the cache. The next render draws it forward from the start.
func TestPagesThatMoveAreFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.counts = true
	s := spec(t)
	s.Workers = 1
	first, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || w.passes != 75 || first.Reused != 75 {
		t.Fatalf("%+v, %v: %d frames were passed", first, err, w.passes)
	}
	if len(first.Warnings) != 1 || !strings.Contains(first.Warnings[0], "the page moves by itself between seeks (a counter)") || !strings.Contains(first.Warnings[0], `"play": true`) {
		t.Errorf("warnings %q", first.Warnings)
	}
	video := read(t, s.Output)
	again, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || again.Reused != 150 || len(again.Warnings) != 1 || !bytes.Equal(video, read(t, s.Output)) {
		t.Errorf("again: %+v, %v", again, err)
	}
	s.NoCache = true
	if res, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil || len(res.Warnings) != 1 || !bytes.Equal(video, read(t, s.Output)) {
		t.Errorf("without a cache: %+v, %v", res, err)
	}
}

// Segments that another run finished are compared too, even if the kept notes on
// them are damaged.
func TestCutsOfFoundSegments(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(sum []byte) []byte{
		"as they were": nil,
		"damaged":      func(sum []byte) []byte { return append(sum[:64], "no note"...) },
		"cut":          func(sum []byte) []byte { return sum[:70] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.counts = true
			w.captureFault = func(_, frame int) error {
				if frame == 100 {
					return &koda.Error{Code: koda.CodePageFailed, Op: "draw", Err: errors.New("not this one")}
				}
				return nil
			}
			s := spec(t)
			s.Workers = 1
			if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err == nil {
				t.Fatal("it did not fail")
			}
			if damage != nil {
				sums, err := filepath.Glob(filepath.Join(w.cache, "segments", "*.sum"))
				if err != nil || len(sums) != 1 {
					t.Fatal(sums, err)
				}
				if err := os.WriteFile(sums[0], damage(read(t, sums[0])), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w.captureFault = nil
			res, err := w.renderer().Render(t.Context(), project(5), s, nil)
			if err != nil || res.Reused != 75 || len(res.Warnings) > 0 != (damage == nil) {
				t.Errorf("%+v, %v", res, err)
			}
		})
	}
}

// A page with frame keys is not compared, as its keys say what its frames follow
// from. A page that plays by chance is drawn with a warning.
func TestCutsThatCannotBeMended(t *testing.T) {
	t.Parallel()
	keyed := newWorld(t)
	keyed.counts = true
	keyed.keys = func(frame int) (string, bool, error) { return string(rune('a' + frame)), true, nil }
	s := spec(t)
	if res, err := keyed.renderer().Render(t.Context(), project(5), s, nil); err != nil || len(res.Warnings) > 0 || keyed.passes > 0 {
		t.Errorf("with keys: %+v, %v, %d passes", res, err, keyed.passes)
	}
	random := newWorld(t)
	drawn := map[int]int{}
	random.shows = func(frame int) int { drawn[frame]++; return frame + 40*drawn[frame] }
	res, err := random.renderer().Render(t.Context(), project(5), spec(t), nil)
	if err != nil || !slices.ContainsFunc(res.Warnings, func(w string) bool { return strings.Contains(w, "at frame 75 the video may jump") }) {
		t.Errorf("by chance: %+v, %v", res, err)
	}
}

// playedFiles are the files of a page that plays by itself: by a loop, by chance and
// by keyframes.
func playedFiles() fs.FS {
	return fstest.MapFS{
		"koda.json": {Data: []byte(`{"schema": 1, "name": "plays", "width": 160, "height": 90, "fps": 30, "duration": 4, "play": true}`)},
		"index.html": {Data: []byte(`<!doctype html><style>body { margin: 0 } div { position: absolute; width: 20px; height: 20px; background: #06c }
			@keyframes fall { to { top: 60px } } #b { left: 130px; top: 0; animation: fall 1s linear infinite alternate }</style><div id="a"></div><div id="b"></div><script>
			let x = 0, y = 40, last = performance.now()
			requestAnimationFrame(function loop(now) {
				x += (now - last) * .02; y += 4 * (Math.random() - .5); last = now
				a.style.transform = 'translate(' + x + 'px,' + y + 'px)'
				requestAnimationFrame(loop)
			})</script>`)},
	}
}

func playedRender(dir string, workers int) (koda.RenderResult, error) {
	cfg := realConfig(filepath.Join(dir, "tmp"), filepath.Join(dir, "cache"))
	cfg.Build = func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
		page, m, err := serve(ctx, files)
		page.Plays = m.Play
		return page, m, err
	}
	spec := ballSpec(filepath.Join(dir, "out", "video.mp4"))
	spec.Width, spec.Height, spec.PageWidth, spec.PageHeight, spec.Workers = 160, 90, 160, 90, workers
	return cfg.renderer().Render(context.Background(), playedFiles(), spec, nil)
}

func playedCrashRender(dir string) error {
	_, err := playedRender(dir, 2)
	return err
}

// A page that plays by itself gives the same bytes by one worker and by two, and
// after a kill while it was brought forward. Where segments meet no jump shows.
func TestRealPlayedBytes(t *testing.T) {
	needs.Chromium(t)
	whole, killed := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(whole, "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	first, err := playedRender(whole, 1)
	if err != nil || len(first.Warnings) > 0 || first.Captured != 120 {
		t.Fatalf("%+v, %v: %s", first, err, koda.DetailsOf(err))
	}
	if err := runCrash(t, killed, crashPlay+"=1", "KODA_FAILPOINT=render.forward"); err == nil {
		t.Fatal("it was not killed")
	}
	waitUntilNobodyMentions(t, killed)
	again, err := playedRender(killed, 2)
	if err != nil || again.SHA256 != first.SHA256 {
		t.Errorf("after the kill: %+v, %v; it was %s", again, err, first.SHA256)
	}
}
