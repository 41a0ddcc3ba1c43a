package render

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
	"github.com/koda-video/koda/internal/timeline"
)

// Bounds of a benchmark: it is to be over in a few seconds.
const (
	benchFrames  = 48
	benchPixels  = 256 << 20       // bytes of pictures that are kept
	benchCapture = 5 * time.Second // for pictures, then no more are taken
)

// Stages is a Tab whose steps can be timed one by one.
type Stages interface {
	Tab
	// Seek and Shoot are the halves of Capture.
	Seek(ctx context.Context, frame int) error
	Shoot(ctx context.Context, frame int) ([]byte, error)
	// Raster draws the frame that was sought and takes no picture; false where
	// that cannot be told apart.
	Raster(ctx context.Context, frame int) (bool, error)
}

// bencher is one Bench call at work.
type bencher struct {
	*job
	out      koda.Bench
	pictures [][]byte
}

// Bench measures where the time of a render of these files goes: the first
// frames of the final video, each stage on its own in one browser, then all
// together. Nothing is kept. Errors are those of Render.
func (r *Renderer) Bench(ctx context.Context, files fs.FS) (koda.Bench, error) {
	_, m, err := r.cfg.Build(ctx, files)
	if err != nil {
		return koda.Bench{}, err
	}
	final, err := preset.Lookup(preset.Final)
	if err != nil {
		return koda.Bench{}, err
	}
	spec, err := preset.Spec(m, final, preset.Overrides{})
	if err != nil {
		return koda.Bench{}, err
	}
	spec.ID, spec.NoCache = "bench", true
	shorten(&spec, min(spec.Frames, benchFrames))
	p, err := r.plan(ctx, files, spec)
	if err != nil {
		return koda.Bench{}, err
	}
	job, err := r.newJob(p, nil, tries)
	if err != nil {
		return koda.Bench{}, err
	}
	defer job.clean()
	b := &bencher{job: job, out: koda.Bench{
		Width: spec.Width, Height: spec.Height, FPS: spec.FPS, Method: p.info.Method, GL: p.gl(),
	}}
	for _, step := range []func(context.Context) error{b.browse, b.raster, b.encode} {
		if err := step(ctx); err != nil {
			return koda.Bench{}, err
		}
	}
	if err := b.sound(ctx, files); err != nil {
		return koda.Bench{}, err
	}
	shorten(&spec, b.out.Frames)
	spec.Output = filepath.Join(job.tmp, "whole.mp4")
	whole, err := b.timed(func() error { _, err := r.Render(ctx, files, spec, nil); return err })
	b.out.Render = koda.BenchStage{Name: "render", MS: whole, PerFrame: whole / float64(b.out.Frames)}
	return b.out, err
}

// shorten leaves the first frames of a video, and the cuts between them.
func shorten(spec *koda.RenderSpec, frames int) {
	spec.Frames, spec.Duration = frames, timeline.Seconds(frames, spec.FPS)
	spec.Cuts = slices.DeleteFunc(slices.Clone(spec.Cuts), func(cut float64) bool { return cut >= spec.Duration })
}

// timed runs f and gives its milliseconds.
func (b *bencher) timed(f func() error) (float64, error) {
	began := b.cfg.Now()
	err := f()
	return float64(b.cfg.Now().Sub(began).Microseconds()) / 1000, err
}

// once notes a stage that happens once a render or segment; each one that
// happens for every frame.
func (b *bencher) once(name string, ms float64) {
	b.out.Stages = append(b.out.Stages, koda.BenchStage{Name: name, MS: ms})
}

func (b *bencher) each(name string, ms float64) {
	b.out.Stages = append(b.out.Stages, koda.BenchStage{Name: name, MS: ms, PerFrame: ms / float64(b.out.Frames)})
}

func (b *bencher) limit(name string, ms float64) {
	if ms > 0 {
		b.out.Limits = append(b.out.Limits, koda.BenchLimit{Name: name, Rate: 1000 * float64(b.out.Frames) / ms})
	}
}

// blank is the least page there is: what opening it costs is the browser.
func blank(webGL bool) koda.Page {
	const html = `<!doctype html><script>window.__exportSeekTo = () => {}; window.__exportReady = true</script>`
	return koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(html)}}, Digest: "blank", WebGL: webGL}
}

func (b *bencher) open(ctx context.Context, page koda.Page) (Stages, error) {
	tab, err := b.cfg.Open(ctx, page, b.plan.view)
	if err != nil {
		return nil, err
	}
	s, ok := tab.(Stages)
	if !ok {
		return nil, errors.Join(errors.New("this browser cannot be measured"), tab.Close())
	}
	return s, nil
}

// browse times the browser: its start, the page, the halves of a capture.
func (b *bencher) browse(ctx context.Context) (err error) {
	start, err := b.timed(func() error {
		tab, err := b.open(ctx, blank(b.plan.page.WebGL))
		if err != nil {
			return err
		}
		return tab.Close()
	})
	if err != nil {
		return err
	}
	var tab Stages
	opened, err := b.timed(func() error { tab, err = b.open(ctx, b.plan.page); return err })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tab.Close()) }()
	var seek, capture float64
	kept := 0
	for n := range b.plan.spec.Frames {
		ms, err := b.timed(func() error { return tab.Seek(ctx, n) })
		if err != nil {
			return err
		}
		seek += ms
		var picture []byte
		if ms, err = b.timed(func() (err error) { picture, err = tab.Shoot(ctx, n); return err }); err != nil {
			return err
		}
		capture += ms
		if err := b.plan.checkPicture(picture); err != nil {
			return &koda.Error{Code: koda.CodeCaptureFailed, Op: "measure the browser", Err: err}
		}
		b.pictures = append(b.pictures, bytes.Clone(picture))
		if kept += len(picture); kept > benchPixels || seek+capture > float64(benchCapture.Milliseconds()) {
			break
		}
	}
	b.out.Frames = len(b.pictures)
	b.once("start", start)
	b.once("ready", max(0, opened-start))
	b.each("seek", seek)
	b.each("capture", capture)
	return nil
}

// raster times drawing without taking pictures.
func (b *bencher) raster(ctx context.Context) (err error) {
	tab, err := b.open(ctx, b.plan.page)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tab.Close()) }()
	told := true
	ms, err := b.timed(func() error {
		for n := 0; n < b.out.Frames && told; n++ {
			if err := tab.Seek(ctx, n); err != nil {
				return err
			}
			if told, err = tab.Raster(ctx, n); err != nil {
				return err
			}
		}
		return nil
	})
	if told && err == nil {
		b.limit("raster only", ms)
	}
	return err
}

// encode times ffmpeg on the pictures that were taken, and the joining of two
// segments.
func (b *bencher) encode(ctx context.Context) error {
	file := filepath.Join(b.tmp, "bench.mp4")
	run := func(start func(context.Context, ffmpeg.Spec) (*ffmpeg.Encoder, error)) (float64, error) {
		return b.timed(func() error {
			enc, err := start(ctx, b.plan.encoding(file))
			if err != nil {
				return err
			}
			defer enc.Abort()
			for _, picture := range b.pictures {
				if err := enc.Write(picture); err != nil {
					return err
				}
			}
			return enc.Finish()
		})
	}
	decode, err := run(b.cfg.FFmpeg.Decode)
	if err != nil {
		return err
	}
	encode, err := run(b.cfg.FFmpeg.Encode)
	if err != nil {
		return err
	}
	segment := ffmpeg.Segment{Path: file, Frames: b.out.Frames}
	join, err := b.timed(func() error {
		return b.cfg.FFmpeg.Join(ctx, []ffmpeg.Segment{segment, segment}, b.plan.encoding(""), filepath.Join(b.tmp, "joined.mp4"))
	})
	if err != nil {
		return err
	}
	b.each("decode", decode)
	b.each("encode", max(0, encode-decode))
	b.once("join", join)
	b.limit("encode only", encode)
	return nil
}

// sound times what the sound of a project costs, if it has one.
func (b *bencher) sound(ctx context.Context, files fs.FS) error {
	s, err := chooseSound(files, b.plan.spec)
	if err != nil || s == nil {
		return err
	}
	ms, err := b.timed(func() error { return b.makeSound(ctx, s) })
	if err != nil {
		return err
	}
	b.once("sound", ms)
	ms, err = b.timed(func() error { _, err := b.addSound(ctx, filepath.Join(b.tmp, "joined.mp4"), s); return err })
	b.once("mux", ms)
	return err
}
