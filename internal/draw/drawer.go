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

// Tab is a page in a browser of its own, as [browser.Tab] is; the comments there
// say more. One goroutine uses it.
type Tab interface {
	// Capture draws a frame and returns its picture: a PNG, or raw pixels where the
	// viewport asks for them. The picture may be shared with later frames, is not
	// written to, and stays as it is until the fifth Capture after it. Frames are
	// asked for in rising order.
	Capture(ctx context.Context, frame int) ([]byte, error)
	// Confirm is called after the last Capture; an error says that the pictures
	// captured are not to be used.
	Confirm(ctx context.Context) error
	// FrameKey is the page's own name for everything the frame is drawn from;
	// false when the page offers none.
	FrameKey(ctx context.Context, frame int) (string, bool, error)
	// FirstKey is the same for what the page shows before the first Capture,
	// which can be in the pictures that follow.
	FirstKey(ctx context.Context) (string, bool, error)
	// Pass shows a frame and draws none of it. Frames are passed in rising order.
	Pass(ctx context.Context, frame int) error
	// Moves names what moves in the page by itself, for people: timers, animation
	// frames, transitions, libraries; "" when nothing is seen to.
	Moves(ctx context.Context) (string, error)
	// Covered shows a frame and reports whether the page has a background that
	// fills it by its own word; false proves nothing.
	Covered(ctx context.Context, frame int) (bool, error)
	// Mishaps lists what the page did so far that cannot be meant, though its
	// frames could be captured.
	Mishaps() []koda.Mishap
	// Close ends the browser and returns when it is gone.
	Close() error

	// Seek and Shoot are the halves of Capture, for measuring.
	Seek(ctx context.Context, frame int) error
	Shoot(ctx context.Context, frame int) ([]byte, error)
	// Raster draws the frame that was sought and takes no picture; false where
	// that cannot be told apart.
	Raster(ctx context.Context, frame int) (bool, error)
}

var _ Tab = (*browser.Tab)(nil)

// Config is what a Drawer is made of. All fields are needed.
type Config struct {
	// Probe says how frames are captured here.
	Probe func(ctx context.Context) (koda.CaptureInfo, error)
	// Reprobe finds that out anew, whatever was known, and has Probe say the
	// same from then on.
	Reprobe func(ctx context.Context) (koda.CaptureInfo, error)
	// Open starts the browser that info speaks of and loads the page. It may be
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

// Facts finds out what a video is drawn with here. MISSING_TOOL when it cannot be
// drawn or written.
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

// same makes sure that the machine is still what the facts say: koda.ErrFacts
// when something they say a byte depends on is another by now. It starts nothing
// unless something is.
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
	case fonts != facts.Fonts:
		what = "the fonts of this machine changed"
	default:
		return nil
	}
	return &koda.Error{
		Code: koda.CodeRenderFailed, Op: what, Err: koda.ErrFacts, Lasting: true,
		Hint: "run the same command again when nothing is being installed any more",
	}
}

// all runs functions at the same time and returns the error of the first of
// them, in the order given, that failed.
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
