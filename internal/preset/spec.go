package preset

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// Overrides are the flags of a person who wants something else than the
// preset. Zero values ask for nothing; CRF is a pointer because 0 is lossless.
type Overrides struct {
	Resolution    string // "720p", "1280x720"
	FPS           string // "30", "29.97", "30000/1001"
	CRF           *int
	EncoderPreset string
	Format        string
}

// encoderPresets are x264's, fastest first.
var encoderPresets = []string{"ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"}

// formats are what can be written.
var formats = []string{mp4}

// Spec turns a project's koda.json, a preset and flags into what is to be
// rendered. The caller adds paths and identity: ID, Version, Output, Thumbnail,
// NoClobber, NoCache, Workers, Props.
//
// Errors are USAGE with a hint: a value that cannot be, or an animation longer
// than the preset's platform takes.
func Spec(m koda.Manifest, p Preset, o Overrides) (koda.RenderSpec, error) {
	if err := checkManifest(m); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := p.CheckDuration(m.Duration); err != nil {
		return koda.RenderSpec{}, err
	}
	out, page, err := sizes(m, p, o.Resolution)
	if err != nil {
		return koda.RenderSpec{}, err
	}
	spec := koda.RenderSpec{
		Kind: p.Kind, Preset: p.Name, Width: out.Width, Height: out.Height, PageWidth: page.Width, PageHeight: page.Height,
		FPS: p.FPS, Duration: m.Duration, Format: p.Format, CRF: p.CRF, EncoderPreset: p.EncoderPreset,
	}
	if spec.FPS.IsZero() {
		spec.FPS = m.FPS
	}
	if o.FPS != "" {
		if spec.FPS, err = koda.ParseFPS(o.FPS); err != nil {
			return koda.RenderSpec{}, usage(err)
		}
	}
	if o.CRF != nil {
		if spec.CRF = *o.CRF; spec.CRF < 0 || spec.CRF > 51 {
			return koda.RenderSpec{}, &koda.Error{
				Code: koda.CodeUsage, Op: fmt.Sprintf("crf %d is out of range", spec.CRF),
				Hint: "give 0 (lossless) to 51 (worst); 18 looks the same as the original, 28 is small",
			}
		}
	}
	if err := choose(&spec.EncoderPreset, o.EncoderPreset, "encoder preset", encoderPresets); err != nil {
		return koda.RenderSpec{}, err
	}
	if err := choose(&spec.Format, strings.TrimPrefix(o.Format, "."), "format", formats); err != nil {
		return koda.RenderSpec{}, err
	}
	spec.Frames = timeline.Frames(spec.Duration, spec.FPS)
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

// CheckDuration refuses an animation longer than the platform of p takes.
func (p Preset) CheckDuration(seconds float64) error {
	if p.MaxSeconds == 0 || seconds <= p.MaxSeconds+1e-6 {
		return nil
	}
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("%s takes at most %g s and the animation has %g s", p.Name, p.MaxSeconds, seconds),
		Hint: fmt.Sprintf("make it shorter, or render without --preset %s", p.Name),
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
	case p.LongSide > 0 && long > p.LongSide:
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
	return out, page, nil
}

// choose sets *to to the word said, when one was said.
func choose(to *string, said, what string, words []string) error {
	if said == "" {
		return nil
	}
	word := strings.ToLower(said)
	if slices.Contains(words, word) {
		*to = word
		return nil
	}
	hint := "use one of " + strings.Join(words, ", ")
	if near := koda.Nearest(word, words); near != "" {
		hint = fmt.Sprintf("did you mean %q? %s", near, hint)
	}
	return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("unknown %s %q", what, said), Hint: hint}
}

// usage gives a mistake in a flag the code of flags.
func usage(err error) error {
	var e *koda.Error
	if errors.As(err, &e) {
		return &koda.Error{Code: koda.CodeUsage, Op: e.Op, Err: e.Err, Hint: e.Hint}
	}
	return err
}
