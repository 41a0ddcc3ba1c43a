package draw

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// Tab is a page in a browser of its own, like [browser.Tab], which documents the
// contract of each method. One goroutine uses a Tab.
type Tab interface {
	Measured
	// Capture returns a PNG, or raw pixels if the viewport asks for raw pixels.
	Capture(ctx context.Context, frame int) ([]byte, error)
	Confirm(ctx context.Context) error // after the last Capture
	FrameKey(ctx context.Context, frame int) (string, bool, error)
	FirstKey(ctx context.Context) (string, bool, error)
	Pass(ctx context.Context, frame int) error
	Moves(ctx context.Context) (string, error)
	Covered(ctx context.Context, frame int) (bool, error)
	Ask(ctx context.Context, frame int, script string) (string, error)
	Mishaps() []koda.Mishap
	Logged() []koda.Mishap
	Close() error
}

// Measured is the part of a Tab that is for measuring.
type Measured interface {
	Seek(ctx context.Context, frame int) error
	Shoot(ctx context.Context, frame int) ([]byte, error)
	Raster(ctx context.Context, frame int) (bool, error)
}

var _ Tab = (*browser.Tab)(nil)

// Config is what a Drawer is made of. All fields are needed.
type Config struct {
	// Probe says how frames are captured here.
	Probe func(ctx context.Context) (koda.CaptureInfo, error)
	// Reprobe finds out anew how frames are captured, whatever was known. From then
	// on Probe returns the new result.
	Reprobe func(ctx context.Context) (koda.CaptureInfo, error)
	// Open starts the browser that info describes and loads the page. It may be
	// called from several goroutines.
	Open func(ctx context.Context, info koda.CaptureInfo, page koda.Page, view koda.Viewport) (Tab, error)
	// Fonts is a digest of the fonts the browser sees.
	Fonts func(ctx context.Context) (string, error)
	// FFmpeg encodes and joins. Its Host must see the paths of jobs.
	FFmpeg *ffmpeg.Tool
	Now    func() time.Time
}

// Drawer draws on this machine. Its methods may be called from several
// goroutines. When a method returns, every browser and ffmpeg it started has
// ended.
type Drawer struct {
	cfg  Config
	room sync.RWMutex // held for writing by an attempt that needs all memory
}

// New makes a Drawer. Nothing is started yet.
func New(cfg Config) *Drawer { return &Drawer{cfg: cfg} }

// Facts finds out what a video is drawn with here. MISSING_TOOL: the video cannot
// be drawn or written.
func (d *Drawer) Facts(ctx context.Context, job koda.FactsJob) (f koda.Facts, err error) {
	probe := d.cfg.Probe
	if job.Anew {
		probe = d.cfg.Reprobe
	}
	var build ffmpeg.Build
	err = all(
		func() error { return d.cfg.FFmpeg.CanWrite(ctx, job.Spec.Format) },
		func() (err error) { f.Capture, err = probe(ctx); return err },
		func() (err error) { build, err = d.cfg.FFmpeg.Build(ctx); return err },
		func() (err error) { f.Encoder, err = d.chooseEncoder(ctx, job.Spec); return err },
		func() (err error) { f.Fonts, err = d.cfg.Fonts(ctx); return err },
	)
	f.FFmpeg, f.Capacity = build.ID, machine().of(job.Spec, job.View)
	return f, err
}

// same makes sure that the machine still agrees with the facts. koda.ErrFacts: a
// fact that a byte depends on has changed. same only starts a program if something
// has changed.
func (d *Drawer) same(ctx context.Context, facts koda.Facts) error {
	var info koda.CaptureInfo
	var build ffmpeg.Build
	var fonts string
	err := all(
		func() (err error) { info, err = d.cfg.Probe(ctx); return err },
		func() (err error) { build, err = d.cfg.FFmpeg.Build(ctx); return err },
		func() (err error) { fonts, err = d.cfg.Fonts(ctx); return err },
	)
	what := ""
	switch {
	case err != nil:
		return err
	case info.Build != facts.Capture.Build:
		what = "the browser was replaced"
	case build.ID != facts.FFmpeg:
		what = "ffmpeg was replaced"
	case facts.Fonts != koda.OwnFonts && fonts != facts.Fonts:
		what = "the fonts of this machine changed"
	default:
		return nil
	}
	return &koda.Error{
		Code: koda.CodeRenderFailed, Op: what, Err: koda.ErrFacts, Lasting: true,
		Hint: "run the same command again when nothing is being installed any more",
	}
}

// all runs functions at the same time. It returns the error of the first function,
// in the order given, that failed.
func all(fns ...func() error) error {
	errs := make([]error, len(fns))
	var wg sync.WaitGroup
	for i, fn := range fns {
		wg.Go(func() { errs[i] = fn() })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// failedAt says that a frame cannot be captured.
func failedAt(frame int, err error) error {
	return &koda.Error{Code: koda.CodeCaptureFailed, Op: fmt.Sprintf("capture frame %d", frame), Err: err}
}
