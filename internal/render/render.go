package render

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// Tab is a page in a browser of its own. One goroutine uses it.
type Tab interface {
	// Capture draws a frame and returns it as PNG, or as raw pixels where the
	// viewport asks for them. It may be shared with later frames, is not
	// written to, and stays as it is until the fifth Capture after it. Frames
	// are asked for in rising order.
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
}

// Config is what a Renderer is made of. All fields but CacheMax and Limit are needed.
type Config struct {
	// Build makes the page of a version and reads its koda.json.
	Build func(ctx context.Context, files fs.FS) (koda.Page, koda.Manifest, error)
	// Probe says how frames are captured here.
	Probe func(ctx context.Context) (koda.CaptureInfo, error)
	// Reprobe finds that out anew, whatever was known, and has Probe say the
	// same from then on.
	Reprobe func(ctx context.Context) (koda.CaptureInfo, error)
	// Open starts a browser and loads the page. It may be called from several
	// goroutines.
	Open func(ctx context.Context, page koda.Page, view koda.Viewport) (Tab, error)
	// Fonts is a digest of the fonts the browser sees.
	Fonts func(ctx context.Context) (string, error)
	// FFmpeg encodes and joins. Its Host must see CacheDir under the same path.
	FFmpeg *ffmpeg.Tool
	// CacheDir keeps finished segments; it is made when missing.
	CacheDir string
	// CacheMax bounds the finished segments, in bytes: after a render those not
	// used for the longest time go. 0: no bound.
	CacheMax int64
	Now      func() time.Time
	// Limit is how long a video may take whose spec does not say; 0: as long as it
	// does. After is the clock that watches it: a channel that is sent to after
	// that time, unless stop is called first.
	Limit time.Duration
	After func(time.Duration) (c <-chan time.Time, stop func())
}

// Renderer implements the engine's Renderer. It may be used from several
// goroutines; renders of the same thing share segments.
type Renderer struct {
	cfg Config
}

// New makes a Renderer. Nothing is started or written yet.
func New(cfg Config) *Renderer { return &Renderer{cfg: cfg} }

// Render makes the video of spec and its thumbnail. Both appear whole or not at
// all, the thumbnail first. The same call after a crash or a cancellation goes
// on from the segments that were finished.
//
// Report, which may be nil, is called from several goroutines but one at a
// time, and at most about ten times a second. When ctx ends, every browser and
// ffmpeg has ended before Render returns.
//
// Errors: USAGE, EXISTS and STORAGE_FAILED for an output that cannot be written,
// before any work, and the latter where it turns out when the video is put in place; USAGE for a sound that cannot be
// read; BUILD_FAILED, PAGE_FAILED, SEEK_FAILED (a page that was ready does not show a time), MISSING_TOOL,
// CAPTURE_FAILED, OUT_OF_MEMORY, ENCODE_FAILED, DISK_FULL, RENDER_FAILED.
//
// A preview that no browser could draw to its end is tried once more at half the
// size and half the frames a second, and its Note says so; a final never is.
//
// TIMEOUT: the video took longer than it may. What is finished of it is kept.
func (r *Renderer) Render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (res koda.RenderResult, err error) {
	ctx, limited := r.limit(ctx, spec)
	defer func() { err = limited(err) }()
	res, err = r.render(ctx, files, spec, report, tries)
	if err == nil || spec.Kind != koda.RenderPreview || !tooMuch(err) {
		return res, err
	}
	small, ok := preset.Smaller(spec)
	if !ok {
		return res, err
	}
	lesser, again := r.render(ctx, files, small, report, 1)
	if ctx.Err() != nil {
		return res, ctx.Err()
	}
	if again != nil {
		return res, err
	}
	lesser.Note = notes(fmt.Sprintf("the preview is %dx%d at %v frames a second, because it could not be drawn at %dx%d and %v: %s",
		small.Width, small.Height, small.FPS, spec.Width, spec.Height, spec.FPS, reason(err)), lesser.Note)
	return lesser, nil
}

// tooMuch reports whether a render failed in a way that a smaller one may not.
func tooMuch(err error) bool {
	c := koda.CodeOf(err)
	return c == koda.CodeRenderFailed || c == koda.CodeOutOfMemory
}

func (r *Renderer) render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress), tries int) (koda.RenderResult, error) {
	began := r.cfg.Now()
	if err := checkSpec(spec); err != nil {
		return koda.RenderResult{}, err
	}
	target, err := checkOutput(spec)
	if err != nil {
		return koda.RenderResult{}, err
	}
	sound, err := chooseSound(files, spec)
	if err != nil {
		return koda.RenderResult{}, err
	}
	p, err := r.plan(ctx, files, spec)
	if err != nil {
		return koda.RenderResult{}, err
	}
	job, err := r.drawn(ctx, &p, sound, report, tries)
	if err != nil {
		return koda.RenderResult{}, err
	}
	defer job.clean()
	job.progress.stage(koda.StageEncoding)
	failpoint.Hit("render.join")
	joined, err := job.join(ctx)
	if err != nil {
		return koda.RenderResult{}, err
	}
	if joined, err = job.addSound(ctx, joined, sound); err != nil {
		return koda.RenderResult{}, err
	}
	job.progress.stage(koda.StageUploading)
	done, err := job.publish(ctx, joined, target)
	if err != nil {
		return koda.RenderResult{}, err
	}
	job.noteRender()
	elapsed := r.cfg.Now().Sub(began)
	job.progress.finish()
	return koda.RenderResult{
		Video: spec.Output, Thumbnail: spec.Thumbnail, Format: spec.Format, Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Frames: spec.Frames,
		Duration: timeline.Seconds(spec.Frames, spec.FPS), Size: done.size, SHA256: done.digest,
		Captured: spec.Frames - job.reused, Reused: job.reused, Elapsed: elapsed, ElapsedMS: elapsed.Milliseconds(),
		Encoder: p.encoder(), Method: p.info.Method, GL: p.gl(), Retries: job.retries, Warnings: job.told(), Ranges: job.ranges, Sound: sound.result(), Note: notes(spec.Note, p.hardware.note, sound.note()),
	}, nil
}

// drawn is a job with all its segments, drawn by a plan that may become another
// on the way. The caller must clean it.
func (r *Renderer) drawn(ctx context.Context, p *plan, s *sound, report func(koda.Progress), tries int) (*job, error) {
	for {
		j, err := r.newJob(*p, report, tries)
		if err != nil {
			return nil, err
		}
		if err = j.drawWith(ctx, s); err == nil {
			return j, nil
		}
		j.clean()
		switch {
		case errors.Is(err, errMoves):
			*p, err = r.inForward(*p)
		case errors.Is(err, errUnfilled):
			*p, err = r.withAlpha(*p)
		case errors.Is(err, koda.ErrRawRefused) && ctx.Err() == nil:
			*p, err = r.withoutRaw(ctx, *p, err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// notes joins sentences; some may be missing.
func notes(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
}
