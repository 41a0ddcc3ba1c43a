package render_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/draw/drawtest"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/render"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// world is everything around a Renderer, with pictures drawn in Go and faults on
// demand. Nil faults never happen.
type world struct {
	page  koda.Page
	info  koda.CaptureInfo
	fonts string
	cache string
	host  sandbox.Host // a host for this test; nil: the host shared by all tests, whose ffmpeg is known already
	now   func() time.Time
	// drawer draws; nil: the drawer of this machine, with the tabs of this world
	drawer render.Drawer
	// encoder is an ffmpeg for this test; nil: the ffmpeg of host
	encoder *ffmpeg.Tool

	// openFault is called before the n-th tab opens (from 1), captureFault before a
	// tab draws a frame.
	openFault    func(open int) error
	captureFault func(open, frame int) error
	confirmFault func(open int) error
	// rawFault is called before pixels are read: at "open" with frame 0, at
	// "capture", and at "confirm" with the first frame of the tab.
	rawFault func(at string, frame int) error
	fresh    func() (koda.CaptureInfo, error)      // the result of a repeated probe; nil: info
	keys     func(frame int) (string, bool, error) // nil: the page offers no keys
	shows    func(frame int) int                   // the frame that a frame looks like; nil: itself
	covers   func(frame int) bool                  // whether the page says it fills a frame; nil: never
	size     image.Point                           // the size of pictures, if it is not the viewport's
	garbage  bool                                  // pictures are no PNG
	plain    bool                                  // each picture is of one colour
	rounds   []int                                 // the rounds of each tab that was opened
	mishaps  []koda.Mishap                         // the page's mishaps
	counts   bool                                  // a frame shows how many frames were shown before it
	passes   int                                   // frames passed undrawn, in all tabs

	mu          sync.Mutex
	probedAgain int // how often a probe was repeated
	built       int
	opened      int
	live        int
	most        int         // tabs open at the same time
	captured    map[int]int // times each frame was drawn
	limit       time.Duration
	after       func(time.Duration) (<-chan time.Time, func())
	hangs       func(frame int) bool // until the render is given up
}

const (
	pageWidth  = 64
	pageHeight = 48
)

func newWorld(t testing.TB) *world {
	t.Helper()
	needs.FFmpeg(t)
	return &world{
		page:  koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html"}}, Digest: "page"},
		info:  koda.CaptureInfo{Browser: "/fake", Build: "Fake/1", Method: "fake", GL: "none of it", Why: "a test"},
		fonts: "fonts", cache: filepath.Join(t.TempDir(), "cache"), now: time.Now,
		captured: map[int]int{},
	}
}

var sharedTool = sync.OnceValue(func() *ffmpeg.Tool { return ffmpeg.New(hostos.New(""), "") })

func (w *world) tool() *ffmpeg.Tool {
	if w.encoder != nil {
		return w.encoder
	}
	if w.host == nil {
		return sharedTool()
	}
	return ffmpeg.New(w.host, "")
}

// config is the configuration of a Renderer and its Drawer.
type config struct {
	Build          func(context.Context, fs.FS) (koda.Page, koda.Manifest, error)
	Probe, Reprobe func(context.Context) (koda.CaptureInfo, error)
	Open           func(context.Context, koda.CaptureInfo, koda.Page, koda.Viewport) (draw.Tab, error)
	Fonts          func(context.Context) (string, error)
	FFmpeg         *ffmpeg.Tool
	CacheDir       string
	CacheMax       int64
	Now            func() time.Time
	Limit          time.Duration
	After          func(time.Duration) (<-chan time.Time, func())
	Drawer         render.Drawer // nil: a drawer with the configuration above
}

func (c config) renderer() *render.Renderer {
	if c.Drawer == nil {
		c.Drawer = draw.New(draw.Config{Probe: c.Probe, Reprobe: c.Reprobe, Open: c.Open, Fonts: c.Fonts, FFmpeg: c.FFmpeg, Now: c.Now})
	}
	return render.New(render.Config{
		Build: func(ctx context.Context, files fs.FS, _ json.RawMessage) (koda.Page, koda.Manifest, error) {
			return c.Build(ctx, files)
		},
		Drawer: c.Drawer, Host: c.FFmpeg.Host(), CacheDir: c.CacheDir, CacheMax: c.CacheMax, Now: c.Now, Limit: c.Limit, After: c.After,
	})
}

func (w *world) config() config {
	return config{
		Build: func(_ context.Context, files fs.FS) (koda.Page, koda.Manifest, error) {
			w.mu.Lock()
			w.built++
			w.mu.Unlock()
			data, err := fs.ReadFile(files, "koda.json")
			if err != nil {
				return koda.Page{}, koda.Manifest{}, &koda.Error{Code: koda.CodeBuildFailed, Op: "read koda.json", Err: err}
			}
			m, err := koda.ParseManifest(data)
			return w.page, m, err
		},
		Probe:    func(context.Context) (koda.CaptureInfo, error) { return w.info, nil },
		Reprobe:  w.reprobe,
		Open:     w.open,
		Fonts:    func(context.Context) (string, error) { return w.fonts, nil },
		FFmpeg:   w.tool(),
		CacheDir: w.cache,
		Now:      w.now,
		Limit:    w.limit,
		After:    w.after,
		Drawer:   w.drawer,
	}
}

// newSketch is a world whose videos are sketches. It is for tests of what a render
// does with segments, whatever is in them. It knows only some of the faults.
func newSketch(t testing.TB) *world {
	t.Helper()
	w := newWorld(t)
	w.drawer = &drawtest.Sketch{
		Machine: func() koda.Facts {
			w.mu.Lock()
			defer w.mu.Unlock()
			return koda.Facts{Capture: w.info, FFmpeg: "sketch", Fonts: w.fonts, Capacity: koda.Capacity{CPUs: 2}}
		},
		Begin: func(int) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.opened++
		},
		Fault: func(ctx context.Context, draw, frame int) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.hangs != nil && w.hangs(frame) {
				<-ctx.Done()
			}
			if w.captureFault != nil {
				if err := w.captureFault(draw, frame); err != nil {
					return err
				}
			}
			w.captured[frame]++
			return nil
		},
		Shows: func(frame int) int {
			if w.shows != nil {
				return w.shows(frame)
			}
			return frame
		},
		Keys: func(frame int) (string, bool, error) {
			if w.keys != nil {
				return w.keys(frame)
			}
			return "", false, nil
		},
	}
	return w
}

func (w *world) reprobe(context.Context) (koda.CaptureInfo, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.probedAgain++
	if w.fresh != nil {
		return w.fresh()
	}
	return w.info, nil
}

func (w *world) renderer() *render.Renderer { return w.config().renderer() }

func (w *world) open(_ context.Context, _ koda.CaptureInfo, page koda.Page, view koda.Viewport) (draw.Tab, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.opened++
	if w.openFault != nil {
		if err := w.openFault(w.opened); err != nil {
			return nil, err
		}
	}
	if view.Raw && w.rawFault != nil {
		if err := w.rawFault("open", 0); err != nil {
			return nil, err
		}
	}
	w.live++
	w.rounds = append(w.rounds, view.Rounds)
	w.most = max(w.most, w.live)
	return &fakeTab{world: w, page: page, view: view, number: w.opened, last: -1}, nil
}

// drawn is the number of frames drawn since the last call.
func (w *world) drawn() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, times := range w.captured {
		n += times
	}
	clear(w.captured)
	return n
}

// fakeTab draws pictures that depend on the frame. Like a browser's pictures they
// also depend a little on the first frame that the tab drew.
type fakeTab struct {
	world       *world
	page        koda.Page
	view        koda.Viewport
	number      int
	first, last int
	shown       int // number of frames drawn or passed
	confirmed   bool
	closed      bool
}

func (f *fakeTab) Confirm(context.Context) error {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.confirmed = true
	if f.view.Raw && f.world.rawFault != nil {
		if err := f.world.rawFault("confirm", f.first); err != nil {
			return err
		}
	}
	if f.world.confirmFault != nil {
		return f.world.confirmFault(f.number)
	}
	return nil
}

func (f *fakeTab) Capture(ctx context.Context, frame int) ([]byte, error) {
	w := f.world
	w.mu.Lock()
	defer w.mu.Unlock()
	if f.closed {
		return nil, errors.New("capture after close")
	}
	if f.last < 0 {
		f.first = frame
	} else if frame <= f.last {
		return nil, fmt.Errorf("frame %d after frame %d", frame, f.last)
	}
	f.last = frame
	if f.confirmed { // for the cut: no frame of the video
		return f.picture(frame)
	}
	if f.view.Raw && w.rawFault != nil {
		if err := w.rawFault("capture", f.first); err != nil {
			return nil, err
		}
	}
	if w.hangs != nil && w.hangs(frame) {
		w.mu.Unlock()
		<-ctx.Done()
		w.mu.Lock()
	}
	if w.captureFault != nil {
		if err := w.captureFault(f.number, frame); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.captured[frame]++
	if w.garbage {
		return []byte("no picture"), nil
	}
	return f.picture(frame)
}

func (f *fakeTab) picture(frame int) ([]byte, error) {
	w := f.world
	f.shown++
	size := w.size
	if size == (image.Point{}) {
		size = image.Pt(int(float64(f.view.Width)*f.view.Scale+0.5), int(float64(f.view.Height)*f.view.Scale+0.5))
	}
	if w.shows != nil {
		frame = w.shows(frame)
	}
	if w.counts {
		frame = f.shown
	}
	img := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			grain := uint8(f.first % 200)
			if x%16 < 8 {
				grain = 200 - grain
			}
			c := color.RGBA{uint8(frame * 3), grain, uint8(4 * (x + y)), 255}
			if w.plain {
				c.G, c.B = 16, 32
			}
			img.SetRGBA(x, y, c)
		}
	}
	if f.view.Raw {
		for i := 0; i < len(img.Pix); i += 4 {
			img.Pix[i], img.Pix[i+2] = img.Pix[i+2], img.Pix[i]
		}
		return img.Pix, nil
	}
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func (f *fakeTab) Pass(ctx context.Context, frame int) error {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	f.shown++
	f.world.passes++
	return ctx.Err()
}

func (f *fakeTab) Moves(context.Context) (string, error) {
	if f.world.counts {
		return "a counter", nil
	}
	return "", nil
}

func (f *fakeTab) Covered(_ context.Context, frame int) (bool, error) {
	return f.world.covers != nil && f.world.covers(frame), nil
}

func (f *fakeTab) Mishaps() []koda.Mishap { return f.world.mishaps }
func (f *fakeTab) Logged() []koda.Mishap  { return nil }

// Ask tells that there are no texts.
func (f *fakeTab) Ask(context.Context, int, string) (string, error) {
	return `{"texts":[],"width":640,"height":360}`, nil
}

func (f *fakeTab) FrameKey(_ context.Context, frame int) (string, bool, error) {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	if f.world.keys == nil {
		return "", false, nil
	}
	return f.world.keys(frame)
}

func (f *fakeTab) FirstKey(ctx context.Context) (string, bool, error) { return f.FrameKey(ctx, 0) }

func (f *fakeTab) Close() error {
	f.world.mu.Lock()
	defer f.world.mu.Unlock()
	if !f.closed {
		f.world.live--
	}
	f.closed = true
	return nil
}

// project is a directory with a koda.json of the fake page.
func project(seconds float64) fs.FS {
	text := fmt.Sprintf(`{"schema": 1, "name": "fake", "width": %d, "height": %d, "fps": 30, "duration": %v}`, pageWidth, pageHeight, seconds)
	return fstest.MapFS{"koda.json": {Data: []byte(text)}}
}

// spec is a video of the fake page: 150 frames in two segments.
func spec(t testing.TB) koda.RenderSpec {
	t.Helper()
	return koda.RenderSpec{
		ID: "r1", Kind: koda.RenderFinal, Width: pageWidth, Height: pageHeight, PageWidth: pageWidth, PageHeight: pageHeight,
		FPS: koda.FPS{Num: 30, Den: 1}, Frames: 150, Duration: 5, Format: "mp4", CRF: 20, EncoderPreset: "veryfast",
		Output: filepath.Join(t.TempDir(), "video.mp4"),
	}
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// segments lists the segments in the cache.
func (w *world) segments(t testing.TB) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(w.cache, "segments"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".ref", ".code", ".last", ".alpha", ".shots", ".sound", ".sum": // notes about them, and tracks
		default:
			names = append(names, e.Name())
		}
	}
	return names
}
