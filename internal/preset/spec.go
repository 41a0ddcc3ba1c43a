package preset

import (
	"fmt"
	"math"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Overrides are the flags that change a preset. A zero value changes nothing; CRF
// is a pointer because 0 means lossless.
type Overrides struct {
	Resolution    string // "720p", "1280x720"
	FPS           string // "30", "29.97", "30000/1001"
	CRF           *int
	EncoderPreset string
	Encoder       string // "x264", "nvenc", "auto", for mp4 only; see Encoders
	Format        string
	From, To      *float64 // seconds: the part that is drawn; nil: from the start, to the end
}

// Spec turns a project's koda.json, a preset and flags into what is to be
// rendered. The caller adds paths and identity: ID, Version, Output, Thumbnail,
// NoClobber, NoCache, Workers, Props.
//
// Errors are USAGE with a hint: a value is impossible, or the animation is longer
// than the preset's platform takes.
func Spec(m koda.Manifest, p Preset, o Overrides) (koda.RenderSpec, error) {
	if err := checkManifest(m); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := p.CheckDuration(rangeSeconds(m, o)); err != nil {
		return koda.RenderSpec{}, err
	}
	out, page, err := sizes(m, p, o.Resolution)
	if err != nil {
		return koda.RenderSpec{}, err
	}
	spec := koda.RenderSpec{
		Kind: p.Kind, Preset: p.Name, Width: out.Width, Height: out.Height, PageWidth: page.Width, PageHeight: page.Height,
		Duration: m.Duration, Cuts: m.Cuts(), Format: p.Format,
	}
	if err := choose(&spec.Format, strings.TrimPrefix(o.Format, "."), "format", Formats()); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := setRate(&spec, m, p, o); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := setQuality(&spec, p, o); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := setEncoder(&spec, o); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := setRange(&spec, o); err != nil {
		return koda.RenderSpec{}, err
	}
	return spec, nil
}

// checkManifest refuses a koda.json that cannot become a video.
func checkManifest(m koda.Manifest) error {
	if err := CheckSize(Size{m.Width, m.Height}); err != nil {
		return &koda.Error{Code: koda.CodeUsage, Op: "read koda.json", Err: err, Hint: koda.HintOf(err)}
	}
	if m.FPS.Num < 1 || m.FPS.Den < 1 || m.FPS.Num < m.FPS.Den || m.FPS.Num > 240*m.FPS.Den {
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("read koda.json: fps %v is not usable", m.FPS),
			Hint: "give a rate from 1 to 240, such as 30, 60 or \"30000/1001\"",
		}
	}
	if math.IsNaN(m.Duration) || m.Duration <= 0 || m.Duration > koda.MaxDuration {
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("read koda.json: duration %v is not usable", m.Duration),
			Hint: fmt.Sprintf("give seconds, more than 0 and at most %d", koda.MaxDuration),
		}
	}
	return nil
}

// CheckDuration refuses an animation that is longer than the platform of p takes.
func (p Preset) CheckDuration(seconds float64) error {
	if p.MaxSeconds == 0 || seconds <= p.MaxSeconds+1e-6 {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("%s takes at most %g s and the animation has %g s", p.Name, p.MaxSeconds, seconds),
		Hint: fmt.Sprintf("render a part of it with --to %g, make it shorter, or render without --preset %s", p.MaxSeconds, p.Name),
	}
}

// sizes are the pixels of the video and the viewport of the page.
func sizes(m koda.Manifest, p Preset, resolution string) (out, page Size, err error) {
	base, fixed := Size{m.Width, m.Height}, Size{p.Width, p.Height}
	shape := base
	if fixed != (Size{}) {
		shape = fixed
	}
	switch long := max(shape.Width, shape.Height); {
	case resolution != "":
		var r Resolution
		if r, err = ParseResolution(resolution); err == nil {
			out, err = r.In(shape)
		}
	case p.LongSide > 0 && long > max(p.LongSide, p.Keeps):
		f := float64(p.LongSide) / float64(long)
		out = Size{max(koda.MinSide, even(float64(shape.Width)*f)), max(koda.MinSide, even(float64(shape.Height)*f))}
	default:
		out = shape
	}
	if err != nil {
		return Size{}, Size{}, err
	}
	switch {
	case sameShape(out, base):
		page = base
	case sameShape(out, shape):
		page = shape
	default:
		page = out
	}
	if n := koda.MaxScale; out.Width > n*page.Width || out.Height > n*page.Height {
		return Size{}, Size{}, &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("a page of %v cannot be enlarged to %v", page, out),
			Hint: fmt.Sprintf("give at most %d times its size, or a larger width and height in koda.json", n),
		}
	}
	return out, page, nil
}
