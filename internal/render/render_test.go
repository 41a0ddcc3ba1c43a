package render_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"image"
	_ "image/jpeg"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/ffmpeg/ffmpegtest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/render"
)

var _ engine.Renderer = (*render.Renderer)(nil)

func TestRender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := spec(t)
	s.Thumbnail = filepath.Join(filepath.Dir(s.Output), "video.jpg")
	var reports []koda.Progress
	res, err := w.renderer().Render(t.Context(), project(5), s, func(p koda.Progress) { reports = append(reports, p) })
	if err != nil {
		t.Fatalf("%v\n%s", err, koda.DetailsOf(err))
	}
	data := read(t, s.Output)
	sum := sha256.Sum256(data)
	want := koda.RenderResult{
		Video: s.Output, Thumbnail: s.Thumbnail, Format: "mp4", Width: pageWidth, Height: pageHeight, FPS: s.FPS, Frames: 150, Duration: 5,
		Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]), Captured: 150, Encoder: "x264", Method: "fake", GL: "none",
	}
	if d := cmp.Diff(want, res, cmpopts.IgnoreFields(koda.RenderResult{}, "Elapsed", "ElapsedMS")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(ffmpegtest.Stream{
		Codec: "h264", Width: pageWidth, Height: pageHeight, Rate: "30/1", Frames: 150, Duration: "5.000000",
		Range: "tv", Matrix: "bt709", Primaries: "bt709", Transfer: "bt709",
	}, ffmpegtest.Probe(t, s.Output)); d != "" {
		t.Errorf("ffprobe: %s", d)
	}
	thumb, _, err := image.Decode(bytes.NewReader(read(t, s.Thumbnail)))
	if err != nil || thumb.Bounds().Size() != image.Pt(pageWidth, pageHeight) {
		t.Errorf("thumbnail: %v, %v", thumb, err)
	}
	// Frame 75 is the first frame of the second segment: the tab of that segment
	// began with it.
	if r, g, _, _ := thumb.At(12, 8).RGBA(); r>>8 < 215 || g>>8 < 65 || g>>8 > 85 {
		t.Errorf("the thumbnail shows red %d green %d, not frame 75", r>>8, g>>8)
	}
	if w.live != 0 || w.opened != 2 {
		t.Errorf("%d tabs were opened, %d are left", w.opened, w.live)
	}
	checkReports(t, reports)
}

func checkReports(t *testing.T, reports []koda.Progress) {
	t.Helper()
	order := map[koda.Stage]int{koda.StageCapturing: 0, koda.StageEncoding: 1, koda.StageUploading: 2}
	for i, p := range reports {
		if p.Frames != 150 || p.Kind != koda.RenderFinal || p.Frame < 0 || p.Frame > 150 {
			t.Errorf("report %d: %+v", i, p)
		}
		if i > 0 && (p.Frame < reports[i-1].Frame || order[p.Stage] < order[reports[i-1].Stage] || p.Percent < reports[i-1].Percent) {
			t.Errorf("report %d goes back: %+v after %+v", i, p, reports[i-1])
		}
		if (p.Percent == 100) != (i == len(reports)-1) {
			t.Errorf("report %d of %d says %v %%", i, len(reports), p.Percent)
		}
	}
	if len(reports) < 4 || reports[len(reports)-1].Frame != 150 {
		t.Errorf("reports: %+v", reports)
	}
}

// The same video comes out of any number of workers, any cache and any place.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	var want []byte
	for _, workers := range []int{1, 2, 4, 0} {
		w := newWorld(t)
		s := spec(t)
		s.Frames, s.Duration, s.Workers = 300, 10, workers
		if _, err := w.renderer().Render(t.Context(), project(10), s, nil); err != nil {
			t.Fatal(err)
		}
		if w.opened != 4 || w.most > max(workers, runtime.NumCPU()) {
			t.Errorf("%d workers: %d tabs, %d at once", workers, w.opened, w.most)
		}
		if got := read(t, s.Output); want == nil {
			want = got
		} else if !bytes.Equal(got, want) {
			t.Errorf("%d workers: other bytes", workers)
		}
	}
}

func TestReuse(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	s := spec(t)
	first, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	// None of these changes the bytes.
	s.ID, s.Version, s.Workers, s.Preset, s.Kind = "r2", 7, 3, "other", koda.RenderPreview
	s.Output = filepath.Join(t.TempDir(), "again.mp4")
	w.info.GL, w.info.Why = "another", "the page has no WebGL"
	var reports []koda.Progress
	again, err := w.renderer().Render(t.Context(), project(5), s, func(p koda.Progress) { reports = append(reports, p) })
	if err != nil {
		t.Fatal(err)
	}
	if again.Captured != 0 || again.Reused != 150 || again.SHA256 != first.SHA256 {
		t.Errorf("second render: %+v", again)
	}
	if reports[0].Frame != 150 || reports[0].Rate != 0 {
		t.Errorf("first report of reused frames: %+v", reports[0])
	}
	if w.drawn() != 150 {
		t.Error("frames were drawn twice")
	}

	// A damaged segment is drawn again, the other is not.
	names := w.segments(t)
	if len(names) != 2 {
		t.Fatalf("segments %v", names)
	}
	file := filepath.Join(w.cache, "segments", names[0])
	if err := os.Truncate(file, int64(len(read(t, file))-1)); err != nil {
		t.Fatal(err)
	}
	again, err = w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || again.Captured != 75 || again.SHA256 != first.SHA256 {
		t.Errorf("after damage: %+v, %v", again, err)
	}
	w.drawn()

	// A segment that lost bytes which no index mentions is drawn again, too.
	lost := read(t, file)
	at := bytes.Index(lost, []byte("mdat"))
	for i := range lost[at+200 : at+230] {
		lost[at+200+i] ^= 0xff
	}
	if err := os.WriteFile(file, lost, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err = w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || again.Captured != 75 || again.SHA256 != first.SHA256 {
		t.Errorf("after lost bytes: %+v, %v", again, err)
	}
	w.drawn()

	// --no-cache neither reads nor writes the cache.
	s.NoCache = true
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
	again, err = w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || again.Captured != 150 || w.drawn() != 150 || again.SHA256 != first.SHA256 {
		t.Errorf("without cache: %+v, %v", again, err)
	}
	if got := w.segments(t); len(got) != 1 {
		t.Errorf("--no-cache left %v", got)
	}
}

// The page's mishaps are told for frames that are drawn now and for frames that were
// drawn before.
func TestWarnings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mishaps = []koda.Mishap{{What: "the page threw a", Times: 45}, {What: "the page threw b", Times: 1}}
	for _, drawn := range []int{150, 0} {
		res, err := w.renderer().Render(t.Context(), project(5), spec(t), nil)
		if err != nil || res.Captured != drawn || !slices.Equal(res.Warnings, []string{"the page threw a (90 times)", "the page threw b"}) {
			t.Errorf("%d frames drawn, warnings %q, %v", res.Captured, res.Warnings, err)
		}
	}
	once := []string{"the page threw a (45 times)", "the page threw b"}
	still, err := w.renderer().Still(t.Context(), project(5), 1, 0, 0)
	if err != nil || !slices.Equal(still.Warnings, once) {
		t.Errorf("warnings of a still %q, %v", still.Warnings, err)
	}
	sheet, err := w.renderer().Sheet(t.Context(), project(5), 4, 2, 64)
	if err != nil || !slices.Equal(sheet.Warnings, once) {
		t.Errorf("warnings of a sheet %q, %v", sheet.Warnings, err)
	}
}

// A warning tells of a video that shows one colour from its first frame to its last.
func TestEmptyVideo(t *testing.T) {
	t.Parallel()
	empty := []string{"every frame is the same empty picture, all of it #1e1020: the page shows nothing"}
	for name, c := range map[string]struct {
		plain bool
		shows func(int) int
		want  []string
	}{
		"empty":            {true, func(int) int { return 10 }, empty},
		"changes colour":   {true, func(n int) int { return n / 140 }, nil},
		"cut to a colour":  {true, func(n int) int { return n / 75 }, nil},
		"stands, is drawn": {false, func(int) int { return 10 }, nil},
	} {
		for _, method := range []string{koda.MethodFramebuffer, koda.MethodBeginFrame} {
			w := newWorld(t)
			w.plain, w.shows, w.info.Method = c.plain, c.shows, method
			for _, drawn := range []int{150, 0} {
				res, err := w.renderer().Render(t.Context(), project(5), spec(t), nil)
				if err != nil || res.Captured != drawn || !slices.Equal(res.Warnings, c.want) {
					t.Errorf("%s by %s: %d frames drawn, warnings %q, want %q, %v", name, method, res.Captured, res.Warnings, c.want, err)
				}
			}
		}
	}
}

// If a segment's page turns out to need more rounds of animation frame callbacks
// than the frames before had, only this segment is drawn again with more rounds.
func TestMoreRounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	needs := map[int]*koda.RoundsError{1: {Rounds: 2}, 2: {Rounds: 5}, 3: {Rounds: koda.RoundsNever}}
	w.captureFault = func(open, frame int) error {
		if err := needs[open]; err != nil && frame == 10 {
			return err
		}
		return nil
	}
	s := spec(t)
	s.Workers = 1
	res, err := w.renderer().Render(t.Context(), project(5), s, nil)
	if err != nil || len(res.Retries)+len(res.Warnings) > 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	if diff := cmp.Diff([]int{1, 2, 5, koda.RoundsNever, 1}, w.rounds); diff != "" {
		t.Errorf("rounds of each tab (-want +got):\n%s", diff)
	}
	if n := w.drawn(); n != s.Frames+3*10 {
		t.Errorf("%d frames were drawn", n)
	}
}

// Everything that can change a byte is in the key of a segment.
func TestKeyCoversEverything(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	page, info, fonts := w.page, w.info, w.fonts
	base := spec(t)
	base.Frames, base.Duration = 30, 1
	draw := func(name string, s koda.RenderSpec, want int) {
		t.Helper()
		if res, err := w.renderer().Render(t.Context(), project(1), s, nil); err != nil || res.Reused != want {
			t.Errorf("%s: %d frames were reused, want %d (%v)", name, res.Reused, want, err)
		}
	}
	draw("first", base, 0)
	for name, change := range map[string]func(s *koda.RenderSpec){
		"page":           func(*koda.RenderSpec) { w.page.Digest = "another" },
		"browser":        func(*koda.RenderSpec) { w.info.Build = "Fake/2" },
		"capture method": func(*koda.RenderSpec) { w.info.Method = "screenshot" },
		"WebGL":          func(*koda.RenderSpec) { w.page.WebGL = true },
		"fonts":          func(*koda.RenderSpec) { w.fonts = "more" },
		"crf":            func(s *koda.RenderSpec) { s.CRF = 21 },
		"encoder preset": func(s *koda.RenderSpec) { s.EncoderPreset = "ultrafast" },
		"frame rate":     func(s *koda.RenderSpec) { s.FPS = koda.FPS{Num: 25, Den: 1}; s.Duration = 1.2 },
		"size":           func(s *koda.RenderSpec) { s.Width, s.Height = 32, 24 },
		"viewport":       func(s *koda.RenderSpec) { s.PageWidth, s.PageHeight = 128, 96 },
		"parameters":     func(s *koda.RenderSpec) { s.Props = json.RawMessage(`{"a": 1}`) },
		"span":           func(s *koda.RenderSpec) { s.Duration, s.Frames = 1.1, 33 },
	} {
		s := base
		change(&s)
		draw(name, s, 0)
		w.page, w.info, w.fonts = page, info, fonts
	}
	draw("nothing", base, 30)
	// If the page uses WebGL, the GL is in the key.
	w.page.WebGL = true
	for _, gl := range []string{"llvmpipe", "gpu"} {
		w.info.GL = gl
		draw(gl, base, 0)
	}
}

// The rate and the time left follow from the frames that were drawn, not from
// reused frames.
func TestProgressIsHonest(t *testing.T) {
	t.Parallel()
	w := newSketch(t)
	clock := time.Unix(1000, 0)
	w.now = func() time.Time { // called with and without w.mu held
		return clock
	}
	started := false
	w.captureFault = func(_, _ int) error {
		if !started { // the browser took its time to start: no measure of the time left
			clock = clock.Add(9 * time.Second)
		}
		started = true
		clock = clock.Add(50 * time.Millisecond)
		return nil
	}
	s := spec(t)
	s.Workers = 1
	var reports []koda.Progress
	res, err := w.renderer().Render(t.Context(), project(5), s, func(p koda.Progress) { reports = append(reports, p) })
	if err != nil {
		t.Fatal(err)
	}
	if res.ElapsedMS != 16500 {
		t.Errorf("elapsed %d ms", res.ElapsedMS)
	}
	if len(reports) < 2 || reports[1].Frame != 1 {
		t.Error("the first frame was not told at once")
	}
	if n := len(reports); n < 70 || n > 85 {
		t.Errorf("%d reports in 7.5 s", n)
	}
	for _, p := range reports {
		if p.Stage != koda.StageCapturing || p.Frame < 40 {
			continue
		}
		rate := float64(p.Frame) / (9 + 0.05*float64(p.Frame))
		if left := time.Duration(150-p.Frame) * 50 * time.Millisecond; math.Abs(p.Rate-rate) > 0.1 || (p.Remaining-left).Abs() > 10*time.Millisecond {
			t.Errorf("at frame %d: rate %v, %v left, want %v and %v", p.Frame, p.Rate, p.Remaining, rate, left)
		}
	}
}
