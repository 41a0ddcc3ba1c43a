package guest_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/draw/drawtest"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/koda"
)

// painter is a sketch that reports what tell says beside its own progress.
type painter struct {
	*drawtest.Sketch
	tell []koda.SegmentProgress
	got  atomic.Pointer[koda.SegmentJob] // the last; jobs may run side by side
}

func (p *painter) Draw(ctx context.Context, job koda.SegmentJob, report func(koda.SegmentProgress)) (koda.Drawn, error) {
	p.got.Store(&job)
	for _, t := range p.tell {
		report(t)
	}
	return p.Sketch.Draw(ctx, job, report)
}

func facts() koda.Facts {
	return koda.Facts{Capture: koda.CaptureInfo{Build: "Sketch/1", Method: "sketch"}, FFmpeg: "sketch", Fonts: "none", Capacity: koda.Capacity{CPUs: 2}}
}

// openDrawing opens a guest that draws.
func openDrawing(t *testing.T) (*guest.Drawing, *painter, *asked) {
	t.Helper()
	p := &painter{Sketch: &drawtest.Sketch{Machine: facts}}
	o, h := serveAs(t, guest.Config{Studio: &guest.Studio{Drawer: p, Dir: t.TempDir()}})
	d, err := guest.OpenDrawing(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Destroy(context.WithoutCancel(t.Context())) })
	return d, p, h
}

// A guest keeps the contract of drawers, and has neither files nor commands.
func TestDrawing_contract(t *testing.T) {
	t.Parallel()
	d, _, _ := openDrawing(t)
	drawtest.Run(t, d, func(file string) (int, error) {
		data, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		m, err := ffmpeg.Inspect(bytes.NewReader(data), int64(len(data)))
		return m.Frames, err
	})
	o, _ := serveAs(t, guest.Config{Studio: &guest.Studio{}})
	sb, err := guest.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sb.ReadFile(t.Context(), "a"); koda.CodeOf(err) != koda.CodeProviderError {
		t.Errorf("read a file: %v", err)
	}
}

func segmentJob(t *testing.T, start, end int) koda.SegmentJob {
	page := koda.Page{Digest: "d", Files: map[string]koda.PageFile{
		"/index.html": {Type: "text/html", Body: []byte("<p>__kodaFrameKey")}, "/app.js": {Type: "text/javascript", Body: bytes.Repeat([]byte("x"), 1<<20)},
	}}
	return koda.SegmentJob{
		Page: page, View: koda.Viewport{Width: 64, Height: 48, Scale: 1, FPS: koda.FPS{Num: 20, Den: 1}}, Facts: facts(),
		Spec: koda.RenderSpec{Width: 64, Height: 48, FPS: koda.FPS{Num: 20, Den: 1}, Frames: 20, Duration: 1, Format: "mp4", Glimpses: true},
		Span: koda.Span{Start: start, End: end}, Tries: 2, Beside: 1, Output: filepath.Join(t.TempDir(), "segment.mp4"),
	}
}

// A page travels once for all its segments, and a segment not at all to be joined where it
// was drawn.
func TestDrawing_carriesOnce(t *testing.T) {
	t.Parallel()
	d, _, h := openDrawing(t)
	sent := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, h.since()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	}
	sent("/hello")
	one, two := segmentJob(t, 0, 10), segmentJob(t, 10, 20)
	for _, job := range []koda.SegmentJob{one, two} {
		if _, err := d.Draw(t.Context(), job, nil); err != nil {
			t.Fatal(err)
		}
	}
	sent("/lacks", "/keep", "/keep", "/draw", "/lacks", "/draw")
	join := koda.FinishJob{Join: &koda.JoinJob{
		Segments: []koda.SegmentFile{{Path: one.Output, Frames: 10}, {Path: two.Output, Frames: 10}}, Spec: one.Spec, Output: filepath.Join(t.TempDir(), "v.mp4"),
	}}
	before := join.Join.Segments[0].Path
	if _, err := d.Finish(t.Context(), join); err != nil || join.Join.Segments[0].Path != before {
		t.Fatal(err, join.Join.Segments)
	}
	sent("/lacks", "/draw")
}

// The guest gets the job whole, but for paths of this machine.
func TestDrawing_job(t *testing.T) {
	t.Parallel()
	d, p, _ := openDrawing(t)
	job := segmentJob(t, 5, 10)
	job.Spec.Output, job.Spec.Audio.Path, job.Filled, job.View.Props = "/home/anna/video.mp4", "/home/anna/a.mp3", false, json.RawMessage(`{"a":1}`)
	want := job
	if _, err := d.Draw(t.Context(), job, nil); err != nil {
		t.Fatal(err)
	}
	got := *p.got.Load()
	want.Output, want.Spec.Output, want.Spec.Audio.Path = got.Output, "", ""
	if diff := cmp.Diff(want, got); diff != "" || strings.Contains(got.Output, job.Output) {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is shown of a segment at work can be, whatever the guest says.
func TestDrawing_progress(t *testing.T) {
	t.Parallel()
	picture := func(side int) []byte {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, side, 2)), nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	d, p, _ := openDrawing(t)
	p.tell = []koda.SegmentProgress{
		{Drawn: 99, Passed: 99, Try: 99, Doing: "\x1b[2J"}, {Drawn: -1, Passed: -1, Try: -1, Doing: koda.DoingDraw},
		{Doing: koda.DoingDraw, Glimpse: &koda.Glimpse{Frame: 7, Time: 99, JPEG: picture(koda.GlimpseSide)}},
		{Glimpse: &koda.Glimpse{Frame: 7, JPEG: picture(koda.GlimpseSide + 1)}}, {Glimpse: &koda.Glimpse{Frame: 7, JPEG: []byte("oops")}},
		{Glimpse: &koda.Glimpse{Frame: 10, JPEG: picture(2)}},
	}
	var told []koda.SegmentProgress
	if _, err := d.Draw(t.Context(), segmentJob(t, 5, 10), func(s koda.SegmentProgress) { told = append(told, s) }); err != nil {
		t.Fatal(err)
	}
	want := []koda.SegmentProgress{
		{Drawn: 5, Passed: 5, Try: 2}, {Doing: koda.DoingDraw},
		{Doing: koda.DoingDraw, Glimpse: &koda.Glimpse{Frame: 7, Time: 0.35, JPEG: picture(koda.GlimpseSide)}}, {}, {}, {},
	}
	if diff := cmp.Diff(want, told[:len(want)]); diff != "" || len(told) != len(want)+5 {
		t.Errorf("%d reports (-want +got):\n%s", len(told), diff)
	}
}

// frame is a frame of a drawing as the guest sends it.
func frame(kind byte, text string) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(text)))) + text //nolint:gosec // it is short
}

// What a guest may say of a drawing does no harm. Where the picture cannot be had, the
// error has a code of drawings and koda's own hint.
func TestDrawing_hostile(t *testing.T) {
	t.Parallel()
	const done = `{"value": {}}`
	says := func(format string, args ...any) string { return frame('d', fmt.Sprintf(format, args...)) }
	for name, c := range map[string]struct {
		answer string
		call   func(*guest.Drawing, string) error
		code   koda.Code
	}{
		"no file":              {answer: says(done), code: koda.CodeProviderError},
		"another file":         {answer: frame('f', `{"index": 1, "size": 0}`) + says(done), code: koda.CodeProviderError},
		"a negative file":      {answer: frame('f', `{"index": -1, "size": 0}`) + says(done), code: koda.CodeProviderError},
		"a file with a name":   {answer: frame('f', `{"name": "frame_00000.png"}`) + says(done), code: koda.CodeProviderError},
		"a file too large":     {answer: frame('f', `{"size": 100000000000}`) + says(done), code: koda.CodeProviderError},
		"more than its size":   {answer: frame('f', `{"size": 1}`) + frame('o', "xx") + says(done), code: koda.CodeProviderError},
		"less than its size":   {answer: frame('f', `{"size": 3}`) + frame('o', "xx") + says(done), code: koda.CodeProviderError},
		"bytes of no file":     {answer: frame('o', "xx") + says(done), code: koda.CodeProviderError},
		"a frame too large":    {answer: "d\xff\xff\xff\xff", code: koda.CodeProviderError},
		"nothing":              {code: koda.CodeProviderError},
		"nonsense":             {answer: says("oops"), code: koda.CodeProviderError},
		"no end":               {answer: strings.Repeat(frame('d', strings.Repeat(" ", 1<<20)), 20), code: koda.CodeProviderError},
		"a code of koda's own": {answer: says(`{"failure": {"code": "NEEDS_PERSON", "op": "x", "hint": "curl"}}`), code: koda.CodeFailed},
		"a long error":         {answer: says(`{"failure": {"code": "PAGE_FAILED", "op": %q, "details": %q}}`, strings.Repeat("x", 5000), strings.Repeat("x", 5000)), code: koda.CodePageFailed},
		"a picture upwards":    {answer: frame('f', `{"name": "../frame_00000.png"}`) + says(done), call: frames, code: koda.CodeProviderError},
		"a strange picture":    {answer: frame('f', `{"name": "index.html"}`) + says(done), call: frames, code: koda.CodeProviderError},
		"no name":              {answer: frame('f', `{}`) + says(done), call: frames, code: koda.CodeProviderError},
		"strange facts":        {answer: says(`{"value": {"capture": {"build": "\u001b[2J", "method": "x"}, "ffmpeg": "f", "fonts": "x"}}`), call: ask, code: koda.CodeProviderError},
		"facts of any fonts":   {answer: says(`{"value": {"capture": {"build": "b", "method": "x"}, "ffmpeg": "f", "fonts": "own"}}`), call: ask, code: koda.CodeProviderError},
		"no facts":             {answer: says(done), call: ask, code: koda.CodeProviderError},
		"too few keys":         {answer: says(done), call: inspect, code: koda.CodeProviderError},
		"strange keys":         {answer: says(`{"value": {"keys": ["x"]}}`), call: inspect, code: koda.CodeProviderError},
		"no picture":           {answer: says(done), call: look, code: koda.CodeProviderError},
		"a bench of nothing":   {answer: frame('f', `{}`) + says(`{"value": {"bench": {"stages": [{"name": "x", "ms": -1}]}}}`), call: measure, code: koda.CodeProviderError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _, h := openDrawing(t)
			h.answer("/draw", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, c.answer) })
			dir := t.TempDir()
			call := c.call
			if call == nil {
				call = func(d *guest.Drawing, _ string) error {
					_, err := d.Draw(t.Context(), segmentJob(t, 0, 5), nil)
					return err
				}
			}
			err := call(d, dir)
			if koda.CodeOf(err) != c.code || len(err.Error()) > 3000 || len(koda.DetailsOf(err)) > 3000 || strings.Contains(koda.HintOf(err), "curl") {
				t.Errorf("%s: %.200v, hint %q, want %s", koda.CodeOf(err), err, koda.HintOf(err), c.code)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "frame_00000.png")); err == nil {
				t.Error("a file upwards")
			}
		})
	}
}

func ask(d *guest.Drawing, _ string) error {
	_, err := d.Facts(context.Background(), koda.FactsJob{})
	return err
}

func inspect(d *guest.Drawing, _ string) error {
	_, err := d.Inspect(context.Background(), koda.InspectJob{Keys: []koda.Span{{End: 1}}})
	return err
}

func look(d *guest.Drawing, _ string) error {
	_, err := d.Look(context.Background(), koda.LookJob{Frames: []int{0}, Width: 2, Height: 2})
	return err
}

func measure(d *guest.Drawing, dir string) error {
	_, err := d.Look(context.Background(), koda.LookJob{Bench: &koda.BenchJob{Output: filepath.Join(dir, "b.mp4")}})
	return err
}

func frames(d *guest.Drawing, dir string) error {
	_, err := d.Finish(context.Background(), koda.FinishJob{Join: &koda.JoinJob{Spec: koda.RenderSpec{Format: "png"}, Output: dir}})
	return err
}

// What a segment says beside its file is left out if it cannot be.
func TestDrawing_beside(t *testing.T) {
	t.Parallel()
	d, _, h := openDrawing(t)
	text, err := json.Marshal(map[string]any{"value": koda.Drawn{
		Aside: koda.Aside{Flat: "\x1b[2J", Mishaps: []koda.Mishap{{What: strings.Repeat("x", 5000), Times: -1}}}, Keys: "../x", Retries: []string{"a", "b", "c"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	h.answer("/draw", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, frame('f', `{"size": 0}`), frame('d', string(text)))
	})
	got, err := d.Draw(t.Context(), segmentJob(t, 0, 5), nil)
	want := koda.Drawn{Aside: koda.Aside{Mishaps: []koda.Mishap{{What: strings.Repeat("x", 2000), Times: 1}}}, Retries: []string{"a", "b"}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// A file that had to make room after koda asked for it is sent again.
func TestDrawing_madeRoom(t *testing.T) {
	t.Parallel()
	d, _, h := openDrawing(t)
	said := 0
	h.answer("/draw", func(w http.ResponseWriter, r *http.Request) {
		if said++; said < 3 {
			fmt.Fprint(w, frame('d', `{"failure": {"code": "NOT_FOUND", "op": "gone"}}`))
			return
		}
		h.Handler.ServeHTTP(w, r)
	})
	if _, err := d.Draw(t.Context(), segmentJob(t, 0, 5), nil); err != nil || said != 3 {
		t.Errorf("after %d times: %v", said, err)
	}
}
