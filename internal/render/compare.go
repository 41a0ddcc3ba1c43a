package render

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// comparedCRF is the quality of a comparison: people must see the difference of the
// videos, not the work of the encoder.
const comparedCRF = 16

// Compare renders two sets of files, with the segments that exist, and makes one
// video of both. The video appears whole or not at all. If the sizes differ, the
// first video is shown at the height of the second, in a difference at its size.
// The shorter video stands still at its end. Errors are those of Render.
func (r *Renderer) Compare(ctx context.Context, from, to fs.FS, c koda.VideoComparison, report func(koda.Progress)) (koda.RenderResult, error) {
	began := r.cfg.Now()
	if c.From.FPS != c.To.FPS {
		return koda.RenderResult{}, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("videos of %v and %v frames a second cannot be compared", c.From.FPS, c.To.FPS)}
	}
	output, err := checkFile(c.Output, c.NoClobber)
	if err != nil {
		return koda.RenderResult{}, err
	}
	host := r.cfg.Host
	tmp, err := host.MkdirTemp("compare")
	if err != nil {
		return koda.RenderResult{}, koda.DiskError("make temporary directory", err)
	}
	defer func() { _ = host.RemoveAll(tmp) }() //nolint:errcheck // the clean-up after this process removes it
	var sides [2]koda.RenderResult
	for i, side := range []struct {
		files fs.FS
		spec  koda.RenderSpec
	}{{from, c.From}, {to, c.To}} {
		side.spec.Output, side.spec.Thumbnail, side.spec.Audio = filepath.Join(tmp, fmt.Sprintf("%d.mp4", i)), "", koda.Audio{Off: true}
		if sides[i], err = r.Render(ctx, side.files, side.spec, report); err != nil {
			return koda.RenderResult{}, err
		}
	}
	joined := comparison(c, sides, filepath.Join(tmp, "both.mp4"))
	if _, err := r.cfg.Drawer.Finish(ctx, koda.FinishJob{Compare: &joined}); err != nil {
		return koda.RenderResult{}, err
	}
	res := koda.RenderResult{
		Video: c.Output, Format: "mp4", Width: joined.Width(), Height: joined.Height, FPS: c.To.FPS, Frames: max(sides[0].Frames, sides[1].Frames),
		Captured: sides[0].Captured + sides[1].Captured, Reused: sides[0].Reused + sides[1].Reused,
		Method: sides[1].Method, GL: sides[1].GL, Retries: append(sides[0].Retries, sides[1].Retries...),
		Warnings: append(sides[0].Warnings, sides[1].Warnings...), Note: sides[1].Note,
	}
	res.Duration = timeline.Seconds(res.Frames, res.FPS)
	made := koda.RenderSpec{Format: res.Format, Width: res.Width, Height: res.Height, FPS: res.FPS, Frames: res.Frames}
	video, err := publishVideo(ctx, host, joined.Output, target{video: output, noClobber: c.NoClobber}, made, func() error { return nil })
	if err != nil {
		return koda.RenderResult{}, err
	}
	res.Size, res.SHA256 = video.size, video.digest
	res.Elapsed = r.cfg.Now().Sub(began)
	res.ElapsedMS = res.Elapsed.Milliseconds()
	return res, nil
}

// comparison is the job for a comparison. Its sizes are the real sizes of the two
// sides: a preview may be smaller than asked for.
func comparison(c koda.VideoComparison, sides [2]koda.RenderResult, output string) koda.CompareJob {
	a, b := sides[0], sides[1]
	j := koda.CompareJob{
		Videos: [2]string{a.Video, b.Video}, Frames: [2]int{a.Frames, b.Frames}, Difference: c.Difference,
		Widths: [2]int{b.Width, b.Width}, Height: b.Height, FPS: c.To.FPS, CRF: comparedCRF, Preset: c.To.EncoderPreset, Output: output,
		Margins: max(4, b.Height/45), Labels: c.Labels[:],
	}
	if c.Difference {
		j.Labels = []string{c.Labels[0] + " - " + c.Labels[1]}
	} else {
		j.Widths[0] = max(2, 2*int(math.Round(float64(a.Width*b.Height)/float64(a.Height)/2)))
	}
	return j
}
