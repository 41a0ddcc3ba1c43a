package draw

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// Finish makes the parts of the job, in their order. It does not check the files it
// writes. USAGE: a sound cannot be read. koda.ErrFacts: the job's facts name
// another ffmpeg for the track. Also MISSING_TOOL, ENCODE_FAILED, DISK_FULL.
func (d *Drawer) Finish(ctx context.Context, job koda.FinishJob) (done koda.Finished, err error) {
	if job.Track != nil {
		if done.Level, err = d.track(ctx, *job.Track); err != nil {
			return done, err
		}
	}
	if job.Join != nil {
		if err := d.join(ctx, *job.Join); err != nil {
			return done, err
		}
	}
	for _, s := range job.Stills {
		if err := d.still(ctx, s); err != nil {
			return done, err
		}
	}
	if job.Strip != nil {
		if err := d.cfg.FFmpeg.Strip(ctx, *job.Strip); err != nil {
			return done, err
		}
	}
	if job.Compare != nil {
		err = d.compare(ctx, *job.Compare)
	}
	return done, err
}

// track makes the whole sound of a video and says how loud its source was.
func (d *Drawer) track(ctx context.Context, job koda.TrackJob) (koda.Level, error) {
	sound := ffmpeg.Sounding(job.Spec, job.Loop)
	sound.Input, sound.Output = job.Input, job.Output
	level, err := d.cfg.FFmpeg.MeasureSound(ctx, sound)
	if err != nil {
		return level, err
	}
	if err := d.cfg.FFmpeg.EncodeSound(ctx, sound, ffmpeg.GainOf(level)); err != nil {
		return level, err
	}
	return level, d.same(ctx, job.Facts)
}

// join makes one file of the segments, or a directory of their pictures, and puts
// the sound under the video. The packets of the video stay as they are.
func (d *Drawer) join(ctx context.Context, job koda.JoinJob) error {
	fps, joined := job.Spec.FPS, job.Output
	if job.Track != "" {
		joined = filepath.Join(filepath.Dir(job.Output), "silent"+filepath.Ext(job.Output))
	}
	var err error
	switch job.Spec.Format {
	case preset.PNG:
		err = d.cfg.FFmpeg.Frames(ctx, job.Segments, fps, job.Output)
	case preset.GIF, preset.APNG:
		palette := filepath.Join(filepath.Dir(joined), "palette.png")
		err = d.cfg.FFmpeg.Animate(ctx, job.Segments, fps, job.Spec.Format, palette, joined)
	default:
		err = d.cfg.FFmpeg.Join(ctx, job.Segments, fps, job.Alpha, joined)
	}
	if err != nil || job.Track == "" {
		return err
	}
	return d.mux(ctx, joined, job)
}

func (d *Drawer) mux(ctx context.Context, silent string, job koda.JoinJob) error {
	failpoint.Hit("render.mux")
	if err := d.cfg.FFmpeg.Mux(ctx, silent, job.Track, job.Spec.Format, job.Spec.FPS, job.Output); err != nil {
		return err
	}
	failpoint.Hit("render.muxed")
	return nil
}

// compare makes one video of two videos, with labels that it draws.
func (d *Drawer) compare(ctx context.Context, job koda.CompareJob) error {
	var labels []string
	for i, text := range job.Labels {
		data, err := label(text, max(1, job.Margins/3))
		if err != nil {
			return err
		}
		path := filepath.Join(filepath.Dir(job.Output), fmt.Sprintf("label%d.png", i))
		if err := atomicfile.Write(path, data, 0o644); err != nil {
			return koda.DiskError("write label", err)
		}
		labels = append(labels, path)
	}
	return d.cfg.FFmpeg.Compare(ctx, job, labels)
}
