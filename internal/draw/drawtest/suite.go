// Package drawtest tests the contract that every drawer must keep. It also holds a
// drawer without browser and encoder, for tests of a drawer's callers.
package drawtest

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	strips "github.com/koda-video/koda/internal/strip"
)

// Drawer has the methods of a drawer that the suite tests; see package render.
type Drawer interface {
	Facts(ctx context.Context, job koda.FactsJob) (koda.Facts, error)
	Inspect(ctx context.Context, job koda.InspectJob) (koda.Inspected, error)
	Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error)
	Finish(ctx context.Context, job koda.FinishJob) (koda.Finished, error)
	Look(ctx context.Context, job koda.LookJob) (koda.Looked, error)
}

// The pages of the suite. Each shows its time.
const (
	shown   = `<!doctype html><style>body{margin:0}i{position:absolute;top:8px;width:16px;height:16px;background:#c24}</style><i id=i></i><script>`
	seek    = `window.__exportSeekTo = (t) => { i.style.left = Math.round(40 * t) + 'px' }; window.__exportReady = true`
	plain   = shown + seek + `</script>`
	keyed   = shown + seek + `; window.__kodaFrameKey = (t) => String(Math.round(40 * t))</script>`
	clear   = `<!doctype html><p>Hello</p><script>window.__exportSeekTo = () => {}; window.__exportReady = true</script>`
	throws  = `<!doctype html><script>window.__exportSeekTo = () => { throw new Error('no such frame') }; window.__exportReady = true</script>`
	width   = 64
	height  = 48
	seconds = 1.0
)

func page(html string) koda.Page {
	return koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(html)}}, Digest: html}
}

func spec() koda.RenderSpec {
	return koda.RenderSpec{
		ID: "r1", Kind: koda.RenderFinal, Width: width, Height: height, PageWidth: width, PageHeight: height, FPS: koda.FPS{Num: 20, Den: 1},
		Frames: 20, Duration: seconds, Format: "mp4", CRF: 20, EncoderPreset: "veryfast",
	}
}

// subject is a drawer under test.
type subject struct {
	Drawer
	frames func(file string) (int, error)
	view   koda.Viewport
	facts  koda.Facts
}

// Run tests that a drawer keeps the contract of render.Drawer. The function frames
// counts the frames of a video.
func Run(t *testing.T, d Drawer, frames func(file string) (int, error)) {
	s := &subject{Drawer: d, frames: frames, view: koda.Viewport{Width: width, Height: height, Scale: 1, FPS: spec().FPS}}
	var err error
	if s.facts, err = d.Facts(t.Context(), koda.FactsJob{Spec: spec(), View: s.view}); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]func(*testing.T){
		"facts": s.testFacts, "segment": s.testSegment, "same bytes": s.testSameBytes, "keys": s.testKeys, "edges": s.testEdges,
		"other ways": s.testOtherWays, "page fails": s.testPageFails, "cancel": s.testCancel, "finish": s.testFinish, "look": s.testLook,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t)
		})
	}
}

// job is the segment of a page.
func (s *subject) job(t *testing.T, html string, start, end int) koda.SegmentJob {
	return koda.SegmentJob{
		Page: page(html), Spec: spec(), View: s.view, Facts: s.facts, Span: koda.Span{Start: start, End: end}, Tries: 1, Beside: 1,
		Output: filepath.Join(t.TempDir(), "segment.mp4"),
	}
}

func (s *subject) testFacts(t *testing.T) {
	if s.facts.Capture.Build == "" || s.facts.Capture.Method == "" || s.facts.FFmpeg == "" || s.facts.Fonts == "" || s.facts.Capacity.CPUs <= 0 {
		t.Errorf("%+v", s.facts)
	}
	again, err := s.Facts(t.Context(), koda.FactsJob{Spec: spec(), View: s.view})
	again.Capacity = s.facts.Capacity
	if diff := cmp.Diff(s.facts, again); err != nil || diff != "" {
		t.Errorf("%v, asked again:\n%s", err, diff)
	}
}

// A segment has all its frames, and its progress is reported frame by frame.
func (s *subject) testSegment(t *testing.T) {
	job := s.job(t, plain, 5, 17)
	var told []koda.SegmentProgress
	tell := func(p koda.SegmentProgress) {
		if p.Glimpse != nil {
			t.Error("a glimpse for nobody")
		}
		if p.Doing == koda.DoingDraw {
			told = append(told, koda.SegmentProgress{Passed: p.Passed, Drawn: p.Drawn})
		}
	}
	if _, err := s.Draw(t.Context(), job, tell); err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	if n, err := s.frames(job.Output); err != nil || n != 12 {
		t.Errorf("it has %d frames, %v", n, err)
	}
	for i, p := range told {
		if p != (koda.SegmentProgress{Drawn: i + 1}) {
			t.Errorf("report %d is %+v", i, p)
		}
	}
	if len(told) != 12 {
		t.Errorf("%d reports", len(told))
	}
	job.Forward = true
	told = nil
	if _, err := s.Draw(t.Context(), job, tell); err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	if last := told[len(told)-1]; last != (koda.SegmentProgress{Passed: 5, Drawn: 12}) {
		t.Errorf("brought forward, the last report is %+v", last)
	}
}

// The bytes of a segment do not depend on the number of workers, on other segments or
// on the output's path.
func (s *subject) testSameBytes(t *testing.T) {
	one, two := s.job(t, plain, 0, 10), s.job(t, plain, 0, 10)
	two.Tries, two.Beside, two.Spec.ID, two.Spec.Workers, two.Spec.Kind = 3, 4, "r2", 4, koda.RenderPreview
	for _, job := range []koda.SegmentJob{one, two} {
		if _, err := s.Draw(t.Context(), job, nil); err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
	}
	a, errA := os.ReadFile(one.Output)
	b, errB := os.ReadFile(two.Output)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("%d bytes and %d bytes: %v, %v", len(a), len(b), errA, errB)
	}
}

// A drawn segment reports the same keys as Inspect.
func (s *subject) testKeys(t *testing.T) {
	spans := []koda.Span{{Start: 0, End: 10}, {Start: 10, End: 20}}
	for _, html := range []string{keyed, plain} {
		seen, err := s.Inspect(t.Context(), koda.InspectJob{Page: page(html), View: s.view, Facts: s.facts, Keys: spans})
		if err != nil || len(seen.Keys) != len(spans) {
			t.Fatalf("%+v, %v", seen, err)
		}
		if has := html == keyed; (seen.Keys[0] != "") != has || (seen.Keys[0] != seen.Keys[1]) != has {
			t.Errorf("keys are %q", seen.Keys)
		}
		drawn, err := s.Draw(t.Context(), s.job(t, html, 10, 20), nil)
		if err != nil || drawn.Keys != seen.Keys[1] || (drawn.Edge == nil) != (html == keyed) {
			t.Errorf("%+v, %v, want keys %q", drawn, err, seen.Keys[1])
		}
	}
}

// On a page that shows the time, the picture after the end of one segment equals
// the first picture of the next segment. After the last segment there is none.
func (s *subject) testEdges(t *testing.T) {
	first, err := s.Draw(t.Context(), s.job(t, plain, 0, 10), nil)
	if err != nil {
		t.Fatal(err)
	}
	last, err := s.Draw(t.Context(), s.job(t, plain, 10, 20), nil)
	if err != nil {
		t.Fatal(err)
	}
	if first.Edge == nil || last.Edge == nil || !bytes.Equal(first.Edge.Past, last.Edge.First) || bytes.Equal(first.Edge.First, first.Edge.Past) || last.Edge.Past != nil {
		t.Errorf("%+v and %+v", first.Edge, last.Edge)
	}
}

// An error says that a segment must be drawn in another way: the page does not fill
// its frames, or the machine does not agree with the facts.
func (s *subject) testOtherWays(t *testing.T) {
	job := s.job(t, clear, 0, 5)
	job.Filled = true
	if _, err := s.Draw(t.Context(), job, nil); !errors.Is(err, koda.ErrUnfilled) {
		t.Errorf("a page that fills no frame: %v", err)
	}
	seen, err := s.Inspect(t.Context(), koda.InspectJob{Page: page(clear), View: s.view, Facts: s.facts, Shines: koda.Span{End: 2}})
	if err != nil || !seen.Shines {
		t.Errorf("it is looked at: %+v, %v", seen, err)
	}
	for name, change := range map[string]func(*koda.Facts){
		"browser": func(f *koda.Facts) { f.Capture.Build = "another" }, "ffmpeg": func(f *koda.Facts) { f.FFmpeg = "another" },
		"fonts": func(f *koda.Facts) { f.Fonts = "others" },
	} {
		job := s.job(t, plain, 0, 5)
		change(&job.Facts)
		if _, err := s.Draw(t.Context(), job, nil); !errors.Is(err, koda.ErrFacts) || koda.HintOf(err) == "" {
			t.Errorf("another %s: %v", name, err)
		}
	}
}

func (s *subject) testPageFails(t *testing.T) {
	if _, err := s.Draw(t.Context(), s.job(t, throws, 0, 5), nil); koda.CodeOf(err) != koda.CodePageFailed || koda.HintOf(err) == "" {
		t.Errorf("%v (%s)", err, koda.CodeOf(err))
	}
}

// A cancelled job ends and reports no more.
func (s *subject) testCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	returned := false
	_, err := s.Draw(ctx, s.job(t, plain, 0, 20), func(p koda.SegmentProgress) {
		if returned {
			t.Error("a report came after the end")
		}
		if p.Drawn == 3 {
			cancel()
		}
	})
	returned = true
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Segments are joined, and stills are made of them. A sound that cannot be read is
// USAGE. No track is made by an ffmpeg that does not agree with the facts.
func (s *subject) testFinish(t *testing.T) {
	one, two, dir := s.job(t, plain, 0, 10), s.job(t, plain, 10, 20), t.TempDir()
	for _, job := range []koda.SegmentJob{one, two} {
		if _, err := s.Draw(t.Context(), job, nil); err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
	}
	video, small := filepath.Join(dir, "video.mp4"), filepath.Join(dir, "still.jpg")
	_, err := s.Finish(t.Context(), koda.FinishJob{
		Join:   &koda.JoinJob{Segments: []koda.SegmentFile{{Path: one.Output, Frames: 10}, {Path: two.Output, Frames: 10}}, Spec: spec(), Output: video},
		Stills: []koda.StillJob{{Video: one.Output, Frame: 4, Output: small}, {Video: two.Output, Frame: 9, Output: filepath.Join(dir, "still.png")}},
	})
	if err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	if n, err := s.frames(video); err != nil || n != 20 {
		t.Errorf("the video has %d frames, %v", n, err)
	}
	for _, name := range []string{"still.jpg", "still.png"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if _, kind, decodeErr := image.DecodeConfig(bytes.NewReader(data)); err != nil || decodeErr != nil || kind == "" {
			t.Errorf("%s: %v, %v", name, err, decodeErr)
		}
	}
	s.testStrip(t, koda.StripJob{
		Segments: []koda.SegmentFile{{Path: one.Output, Frames: 10}, {Path: two.Output, Frames: 10}}, FPS: spec().FPS, Every: 3, Width: 30, Height: 20, Output: filepath.Join(dir, "strip"),
	})
	track := koda.TrackJob{Input: filepath.Join(dir, "missing.mp3"), Spec: spec(), Facts: s.facts, Output: filepath.Join(dir, "track")}
	if _, err := s.Finish(t.Context(), koda.FinishJob{Track: &track}); koda.CodeOf(err) != koda.CodeUsage {
		t.Errorf("a sound that is missing: %v", err)
	}
	track.Input = filepath.Join(dir, "tone.wav")
	if err := write(track.Input, tone(4800)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finish(t.Context(), koda.FinishJob{Track: &track}); err != nil {
		t.Errorf("a sound: %v", err)
	}
	track.Facts.FFmpeg = "another"
	if _, err := s.Finish(t.Context(), koda.FinishJob{Track: &track}); !errors.Is(err, koda.ErrFacts) {
		t.Errorf("a sound by another ffmpeg: %v", err)
	}
}

// The pictures of a strip are of every third frame, across segments, and two strips of
// the same are equal.
func (s *subject) testStrip(t *testing.T, job koda.StripJob) {
	var before []byte
	for range 2 {
		if _, err := s.Finish(t.Context(), koda.FinishJob{Strip: &job}); err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
		data, err := os.ReadFile(job.Output)
		if err != nil {
			t.Fatal(err)
		}
		stills, err := strips.Split(data)
		if err != nil || len(stills) != 7 {
			t.Fatalf("%d pictures in a strip, %v", len(stills), err)
		}
		for _, still := range stills {
			size, kind, err := image.DecodeConfig(bytes.NewReader(still))
			if err != nil || kind != "jpeg" || size.Width != job.Width || size.Height != job.Height {
				t.Errorf("a picture of a strip: %s %dx%d, %v", kind, size.Width, size.Height, err)
			}
		}
		if before != nil && !bytes.Equal(before, data) {
			t.Error("the same strip has other bytes")
		}
		before = data
	}
}

// tone is a wave file of half a second, with 9,600 samples a second.
func tone(samples int) []byte {
	var data []byte
	for i := range samples {
		data = append(data, byte(128+60*(i/20%2)))
	}
	le := func(n, size int) []byte {
		var b []byte
		for range size {
			b, n = append(b, byte(n)), n>>8
		}
		return b
	}
	head := bytes.Join([][]byte{
		[]byte("RIFF"), le(36+samples, 4), []byte("WAVEfmt "), le(16, 4), le(1, 2), le(1, 2), le(9600, 4), le(9600, 4), le(1, 2), le(8, 2), []byte("data"), le(samples, 4),
	}, nil)
	return append(head, data...)
}

func (s *subject) testLook(t *testing.T) {
	for columns, want := range map[int]image.Point{0: {X: 32, Y: 24}, 2: {X: 64, Y: 48}, 4: {X: 128, Y: 24}} {
		job := koda.LookJob{Page: page(plain), View: s.view, Frames: []int{1, 5, 9, 13}, Width: 32, Height: 24, Columns: columns, Exam: columns == 4, Total: 20}
		seen, err := s.Look(t.Context(), job)
		if err != nil {
			t.Fatal(err, koda.DetailsOf(err))
		}
		// Each drawer chooses the space between the pictures of a sheet.
		c, kind, err := image.DecodeConfig(bytes.NewReader(seen.PNG))
		if kind == "jpeg" && job.Exam && len(seen.Sights) == len(job.Frames) {
			kind = "png"
		}
		if err != nil || kind != "png" || c.Width < want.X || c.Height < want.Y || c.Width > want.X+8 || c.Height > want.Y+8 {
			t.Errorf("%d columns: %s of %dx%d, %v", columns, kind, c.Width, c.Height, err)
		}
	}
}
