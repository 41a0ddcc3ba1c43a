package draw

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// Bounds of a benchmark, so that it takes only a few seconds.
const (
	benchPixels  = 256 << 20       // bytes of pictures that are kept
	benchCapture = 5 * time.Second // time to take pictures; then no more are taken
)

// bencher is one benchmark at work.
type bencher struct {
	*Drawer
	job      koda.LookJob
	spec     ffmpeg.Spec
	out      koda.Bench
	pictures [][]byte
}

// bench measures the first frames of a video, each stage by itself.
func (d *Drawer) bench(ctx context.Context, job koda.LookJob) (koda.Bench, error) {
	b := &bencher{Drawer: d, job: job, spec: ffmpeg.Encoding(job.Bench.Spec, job.View, job.Bench.Facts.Encoder.Name)}
	for _, step := range []func(context.Context) error{b.browse, b.raster, b.encode} {
		if err := step(ctx); err != nil {
			return koda.Bench{}, err
		}
	}
	return b.out, nil
}

// timed runs f and returns its milliseconds.
func (b *bencher) timed(f func() error) (float64, error) {
	began := b.cfg.Now()
	err := f()
	return float64(b.cfg.Now().Sub(began).Microseconds()) / 1000, err
}

// once notes a stage that happens once in a render or segment; each notes a stage
// that happens for every frame.
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

// blank is the smallest page: the cost of opening it is the cost of the browser.
func blank(webGL bool) koda.Page {
	const html = `<!doctype html><script>window.__exportSeekTo = () => {}; window.__exportReady = true</script>`
	return koda.Page{Files: map[string]koda.PageFile{"/index.html": {Type: "text/html", Body: []byte(html)}}, Digest: "blank", WebGL: webGL}
}

func (b *bencher) open(ctx context.Context, page koda.Page) (Tab, error) {
	return b.cfg.Open(ctx, b.job.Bench.Facts.Capture, page, b.job.View)
}

// browse times the browser: its start, the page, the halves of a capture.
func (b *bencher) browse(ctx context.Context) (err error) {
	start, err := b.timed(func() error {
		tab, err := b.open(ctx, blank(b.job.Page.WebGL))
		if err != nil {
			return err
		}
		return tab.Close()
	})
	if err != nil {
		return err
	}
	var tab Tab
	opened, err := b.timed(func() error { tab, err = b.open(ctx, b.job.Page); return err })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tab.Close()) }()
	var seek, capture float64
	kept := 0
	for n := range b.job.Bench.Spec.Frames {
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
		if err := checkPicture(picture, b.spec, b.job.View); err != nil {
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

// raster times the drawing without taking pictures.
func (b *bencher) raster(ctx context.Context) (err error) {
	tab, err := b.open(ctx, b.job.Page)
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
	b.spec.Output = filepath.Join(filepath.Dir(b.job.Bench.Output), "segment.mp4")
	run := func(start func(context.Context, ffmpeg.Spec) (*ffmpeg.Encoder, error)) (float64, error) {
		return b.timed(func() error {
			enc, err := start(ctx, b.spec)
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
	segment := koda.SegmentFile{Path: b.spec.Output, Frames: b.out.Frames}
	join, err := b.timed(func() error {
		return b.cfg.FFmpeg.Join(ctx, []koda.SegmentFile{segment, segment}, b.spec.FPS, b.spec.Alpha, b.job.Bench.Output)
	})
	if err != nil {
		return err
	}
	b.each("decode", decode)
	b.each("encode", max(0, encode-decode))
	b.once("join", join)
	b.limit("encode only", encode)
	if b.job.Bench.Track == "" {
		return nil
	}
	sounding := koda.JoinJob{Spec: b.job.Bench.Spec, Track: b.job.Bench.Track, Output: b.spec.Output}
	mux, err := b.timed(func() error { return b.mux(ctx, b.job.Bench.Output, sounding) })
	b.once("mux", mux)
	return err
}
