package render

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/timeline"
	"github.com/koda-video/koda/internal/trace"
)

// Config is what a Renderer is made of. All fields but CacheMax and Limit are
// needed.
type Config struct {
	// Build makes the page of a version, for a render with these parameters, and reads
	// its koda.json.
	Build func(ctx context.Context, files fs.FS, props json.RawMessage) (koda.Page, koda.Manifest, error)
	// Drawer draws. It must see CacheDir and the directories of Host.
	Drawer Drawer
	// Host is where unfinished files lie.
	Host sandbox.Host
	// CacheDir keeps finished segments; if it is missing, it is made.
	CacheDir string
	// CacheMax bounds the finished segments, in bytes: after a render the longest
	// unused segments are removed. 0: no bound.
	CacheMax int64
	Now      func() time.Time
	// Limit is how long a video may take if its spec does not say; 0: no limit.
	// After is the clock that watches the limit: it returns a channel that is sent
	// to after that time, unless stop is called first.
	Limit time.Duration
	After func(time.Duration) (c <-chan time.Time, stop func())
}

// Renderer implements the engine's Renderer. It may be used from several
// goroutines; renders of the same thing share segments.
type Renderer struct {
	cfg Config
}

// tries is how many browsers may fail for a segment.
const tries = 3

// New makes a Renderer. Nothing is started or written yet.
func New(cfg Config) *Renderer {
	build := cfg.Build
	cfg.Build = func(ctx context.Context, files fs.FS, props json.RawMessage) (koda.Page, koda.Manifest, error) {
		ctx, span := trace.Start(ctx, "bundle")
		page, m, err := build(ctx, files, props)
		span.End(err)
		return page, m, err
	}
	return &Renderer{cfg: cfg}
}

// Render makes the video of spec, its thumbnail and its strip. All appear whole or not
// at all, the video last. A strip that cannot be made is a warning. The same call after a crash or a cancellation goes on
// from the finished segments.
//
// Report, which may be nil, is called from several goroutines but one at a time,
// and at most about ten times a second. When Render returns, also after the end of
// ctx, every browser and ffmpeg has ended.
//
// Errors: USAGE, EXISTS and STORAGE_FAILED, before any work, for an output that
// cannot be written; STORAGE_FAILED also later, if the video cannot be put in
// place; USAGE for a sound that cannot be read; BUILD_FAILED, PAGE_FAILED,
// SEEK_FAILED (a page that was ready does not show a time), MISSING_TOOL,
// CAPTURE_FAILED, OUT_OF_MEMORY, ENCODE_FAILED, DISK_FULL, RENDER_FAILED.
//
// A preview that no browser could draw to its end is tried once more at half the
// size and half the frames a second, and its Note says so; a final is never
// reduced.
//
// TIMEOUT: the video took longer than it may. Its finished segments are kept.
func (r *Renderer) Render(ctx context.Context, files fs.FS, spec koda.RenderSpec, report func(koda.Progress)) (res koda.RenderResult, err error) {
	ctx, span := trace.Start(ctx, "render", "kind", string(spec.Kind), "format", spec.Format, "width", spec.Width, "height", spec.Height, "frames", spec.Frames)
	ctx, limited := r.limit(ctx, spec)
	defer func() {
		err = limited(err)
		span.Set("reused", res.Reused)
		span.End(err)
	}()
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
		small.Width, small.Height, small.FPS, spec.Width, spec.Height, spec.FPS, koda.Sentence(err)), lesser.Note)
	return lesser, nil
}

// tooMuch reports whether a smaller render may succeed where this render failed.
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
	target.strip = job.beginStrip(ctx)
	defer target.strip.end()
	failpoint.Hit("render.join")
	joined, err := job.join(ctx, sound)
	if err != nil {
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
		Video: spec.Output, Thumbnail: spec.Thumbnail, Strip: target.strip.result(), Format: spec.Format, Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Frames: spec.Frames,
		Duration: timeline.Seconds(spec.Frames, spec.FPS), Size: done.size, SHA256: done.digest,
		Captured: spec.Frames - job.reused, Reused: job.reused, Elapsed: elapsed, ElapsedMS: elapsed.Milliseconds(),
		Encoder: p.encoder(), Method: p.facts.Capture.Method, GL: p.gl(), Retries: job.retries, Warnings: job.told(), Ranges: job.ranges, Sound: sound.result(), Note: notes(spec.Note, p.facts.Encoder.Note, sound.note()),
	}, nil
}

// drawn is a job with all its segments drawn. The plan may change on the way. The
// caller must clean the job.
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
		case errors.Is(err, koda.ErrUnfilled):
			*p, err = r.withAlpha(*p)
		case errors.Is(err, koda.ErrRawRefused) && ctx.Err() == nil:
			*p, err = r.withoutRaw(ctx, *p, err)
		case errors.Is(err, koda.ErrFacts) && ctx.Err() == nil:
			*p, err = r.anew(ctx, *p, err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// notes joins sentences; empty sentences are left out.
func notes(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
}
