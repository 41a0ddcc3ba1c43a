package render_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

// rawError is a browser's error about reading pixels.
func rawError(why error) error {
	return &koda.Error{Code: koda.CodeCaptureFailed, Op: "read the browser's frame buffer", Err: why}
}

// wrongAt makes the tabs that read pixels fail at one step in all segments but the
// first.
func wrongAt(step string) func(string, int) error {
	return func(at string, first int) error { return once(at == step && first > 0, rawError(koda.ErrRawWrong)) }
}

// If the pixels that were read are not the page's, the segment is drawn by
// screenshots under a name of its own, where the next render finds it, and a
// warning says so. The bytes are the same for any number of workers.
func TestRawWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format string
		fault  func(string, int) error
		keyed  bool
	}{
		"mp4 at the end":              {"mp4", wrongAt("confirm"), false},
		"mp4 at the start":            {"mp4", wrongAt("capture"), false},
		"gif, with frame keys":        {"gif", wrongAt("confirm"), true},
		"mov, whose pages are filled": {"mov", wrongAt("confirm"), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var first []byte
			for _, workers := range []int{1, 4} {
				w := newWorld(t)
				w.info.Method, w.rawFault, w.covers = koda.MethodFramebuffer, c.fault, func(int) bool { return true }
				if c.keyed {
					w.page.Code, w.keys = "code", func(frame int) (string, bool, error) { return fmt.Sprint(frame), true, nil }
				}
				s := spec(t)
				s.Workers, s.Format = workers, c.format
				s.Output = strings.TrimSuffix(s.Output, "mp4") + c.format
				if c.format == "gif" {
					s.FPS, s.Frames = koda.FPS{Num: 25, Den: 1}, 125
				}
				res, err := w.renderer().Render(t.Context(), project(5), s, nil)
				if err != nil {
					t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
				}
				if len(res.Retries) > 0 || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "by screenshots") || w.live != 0 {
					t.Errorf("retries %q, warnings %q, %d tabs left", res.Retries, res.Warnings, w.live)
				}
				video := read(t, s.Output)
				if first == nil {
					first = video
				}
				if string(first) != string(video) {
					t.Errorf("%d workers give other bytes", workers)
				}
				w.found(t, s, first, s.Frames, 0)
				w.page.Digest = "changed elsewhere"
				if c.keyed {
					w.found(t, s, first, s.Frames, 1) // one browser, to ask for the keys
				}
			}
		})
	}
}

// found renders again and checks how many frames are reused and how many browsers
// are opened.
func (w *world) found(t *testing.T, s koda.RenderSpec, want []byte, reused, browsers int) {
	t.Helper()
	before := w.opened
	res, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || res.Reused != reused || w.opened-before != browsers || len(res.Retries) > 0 {
		t.Errorf("%d frames reused, want %d, by %d browsers, want %d; retries %q, %v", res.Reused, reused, w.opened-before, browsers, res.Retries, err)
	}
	if string(read(t, s.Output)) != string(want) {
		t.Error("again: other bytes")
	}
}

// A segment that was once drawn by screenshots is not tried by pixels again. A
// machine that cannot read pixels draws the same bytes.
func TestRawWrongIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.info.Method, w.rawFault = koda.MethodFramebuffer, wrongAt("confirm")
	s := spec(t)
	if _, err := w.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	want := read(t, s.Output)
	raw := newWorld(t)
	raw.info.Method = koda.MethodFramebuffer
	if _, err := raw.renderer().Render(t.Context(), project(5), s, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read(t, s.Output)); diff != "" {
		t.Error("pixels and screenshots give other bytes")
	}
	w.info.Method = koda.MethodBeginFrame
	w.found(t, s, want, 75, 1)
	w.info.Method = koda.MethodFramebuffer
	if names := w.segments(t); len(names) != 3 {
		t.Errorf("the cache holds %v", names)
	}
	// If the segment is lost, it is drawn by screenshots at once.
	for _, name := range w.segments(t) {
		if err := os.Remove(filepath.Join(w.cache, "segments", name)); err != nil {
			t.Fatal(err)
		}
	}
	w.rawFault = func(at string, frame int) error {
		return once(frame == 75, fmt.Errorf("frame 75 was to be read at %s", at))
	}
	w.found(t, s, want, 0, 2)
}

// If the system no longer lets koda read a browser's memory, the probe is repeated,
// and the video is drawn by screenshots.
func TestRawRefused(t *testing.T) {
	t.Parallel()
	for name, method := range map[string]string{"asked again": koda.MethodBeginFrame, "says the same": koda.MethodFramebuffer} {
		for _, step := range []string{"open", "capture", "confirm"} {
			t.Run(name+" at "+step, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.info.Method = koda.MethodFramebuffer
				w.rawFault = func(at string, frame int) error {
					return once(at == step && frame >= 75 || step == "open", rawError(koda.ErrRawRefused))
				}
				w.fresh = func() (koda.CaptureInfo, error) {
					info := w.info
					info.Method = method
					return info, nil
				}
				s := spec(t)
				res, err := w.renderer().Render(t.Context(), project(5), s, nil)
				if err != nil {
					t.Fatal(err)
				}
				if res.Method != koda.MethodBeginFrame || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "by screenshots") || w.probedAgain != 1 || w.live != 0 {
					t.Errorf("by %s, warnings %q, asked again %d times, %d tabs left", res.Method, res.Warnings, w.probedAgain, w.live)
				}
				w.info.Method = method
				if method == koda.MethodBeginFrame {
					w.found(t, s, read(t, s.Output), 150, 0)
				}
			})
		}
	}
}

// If the probe cannot be repeated, the error says why.
func TestRawRefusedAndNoBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.info.Method = koda.MethodFramebuffer
	w.rawFault = func(string, int) error { return rawError(koda.ErrRawRefused) }
	gone := &koda.Error{Code: koda.CodeMissingTool, Op: "find a browser", Hint: "install one"}
	w.fresh = func() (koda.CaptureInfo, error) { return koda.CaptureInfo{}, gone }
	if _, err := w.renderer().Render(context.Background(), project(5), spec(t), nil); koda.CodeOf(err) != koda.CodeMissingTool {
		t.Error(err)
	}
}
