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

// The formats, by the ending of their files. PNG is a directory of frames.
const (
	MP4  = "mp4"
	WebM = "webm"
	MOV  = "mov"
	GIF  = "gif"
	APNG = "apng"
	PNG  = "png"
)

// Formats are what can be written, in the order people are shown them.
func Formats() []string { return []string{MP4, WebM, MOV, GIF, APNG, PNG} }

// HasSound reports whether files of a format can carry sound.
func HasSound(format string) bool { return format == MP4 || format == WebM || format == MOV }

// encoderPresets are the degrees of effort of the encoders, fastest first. VP9 has
// fewer degrees.
var encoderPresets = map[string][]string{
	MP4:  {"ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"},
	WebM: {"veryfast", "faster", "fast", "medium", "slow", "veryslow"},
}

// maxCRF is the worst quality of each format whose quality can be chosen.
var maxCRF = map[string]int{MP4: 51, WebM: 63}

// setQuality fills in CRF and encoder preset, or refuses them for a format that has
// neither.
func setQuality(spec *koda.RenderSpec, p Preset, o Overrides) error {
	worst, ok := maxCRF[spec.Format]
	if !ok {
		spec.CRF, spec.EncoderPreset = 0, ""
		flag := ""
		switch {
		case o.CRF != nil:
			flag = "--crf"
		case o.EncoderPreset != "":
			flag = "--encoder-preset"
		default:
			return nil
		}
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("%s says nothing about %s", flag, spec.Format),
			Hint: "leave it out: it is for mp4 and webm",
		}
	}
	spec.CRF, spec.EncoderPreset = p.CRF, p.EncoderPreset
	if spec.Format == WebM { // VP9's scale is longer
		spec.CRF = int(math.Round(float64(p.CRF) * 4 / 3))
	}
	if o.CRF != nil {
		if spec.CRF = *o.CRF; spec.CRF < 0 || spec.CRF > worst {
			hint := "give 0 (lossless) to 51 (worst); 18 looks the same as the original, 28 is small"
			if spec.Format == WebM {
				hint = "give 0 (best) to 63 (worst); 24 looks the same as the original, 37 is small"
			}
			return &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("crf %d is out of range", spec.CRF), Hint: hint}
		}
	}
	return choose(&spec.EncoderPreset, o.EncoderPreset, "encoder preset", encoderPresets[spec.Format])
}

// Encoders are what can encode an mp4, in the order people are shown them. "auto"
// is an encoder of a graphics device, if one answers.
func Encoders() []string {
	return append([]string{koda.EncoderX264, koda.EncoderAuto}, koda.HardwareEncoders()...)
}

// setEncoder fills in the encoder. The flag may use koda's name or ffmpeg's name for
// it.
func setEncoder(spec *koda.RenderSpec, o Overrides) error {
	if o.Encoder == "" {
		return nil
	}
	word := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(o.Encoder), "lib"), "h264_")
	if err := choose(&spec.Encoder, word, "encoder", Encoders()); err != nil {
		return err
	}
	if spec.Format != MP4 {
		return &koda.Error{Code: koda.CodeUsage, Op: "--encoder says nothing about " + spec.Format, Hint: "leave it out: it is for mp4"}
	}
	return nil
}

// GIFRates are the frame rates a GIF can show evenly: a GIF counts time in
// hundredths of a second, and players slow down frames that are shorter than two
// hundredths.
var GIFRates = []koda.FPS{{Num: 50, Den: 1}, {Num: 100, Den: 3}, {Num: 25, Den: 1}, {Num: 20, Den: 1}, {Num: 10, Den: 1}}

// setRate fills in the frame rate. A GIF gets the nearest rate it can show, with a
// note that says so. If the person named a rate that a GIF cannot show, the error
// is USAGE.
func setRate(spec *koda.RenderSpec, m koda.Manifest, p Preset, o Overrides) (err error) {
	if spec.FPS = p.FPS; spec.FPS.IsZero() {
		spec.FPS = m.FPS
	}
	if o.FPS != "" {
		if spec.FPS, err = koda.ParseFPS(o.FPS); err != nil {
			return usage(err)
		}
	}
	if spec.Format != GIF || slices.Contains(GIFRates, spec.FPS) {
		return nil
	}
	rate := func(f koda.FPS) float64 { return float64(f.Num) / float64(f.Den) }
	wanted := spec.FPS
	spec.FPS = slices.MinFunc(GIFRates, func(a, b koda.FPS) int {
		if math.Abs(rate(a)-rate(wanted)) < math.Abs(rate(b)-rate(wanted)) {
			return -1
		}
		return 1
	})
	switch {
	case o.FPS == "":
		spec.Note = fmt.Sprintf("a gif shows %s frames a second, the nearest to %s", rateName(spec.FPS), rateName(wanted))
	case math.Abs(rate(spec.FPS)-rate(wanted)) > 0.4: // 33 and 33.3 mean 33⅓
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("a gif cannot show %s frames a second", rateName(wanted)),
			Hint: fmt.Sprintf("give 50, 33.33, 25, 20 or 10; the nearest is %s", rateName(spec.FPS)),
		}
	}
	return nil
}

func rateName(f koda.FPS) string {
	if f == (koda.FPS{Num: 100, Den: 3}) {
		return "33⅓"
	}
	return f.String()
}

// setRange fills in which frames are drawn.
func setRange(spec *koda.RenderSpec, o Overrides) error {
	whole := timeline.Frames(spec.Duration, spec.FPS)
	spec.Frames = whole
	if o.From == nil && o.To == nil {
		return nil
	}
	from, to := 0.0, spec.Duration
	if o.From != nil {
		from = *o.From
	}
	if o.To != nil {
		to = *o.To
	}
	switch {
	case math.IsNaN(from) || from < 0 || from >= spec.Duration:
		return outside("--from", from, spec.Duration)
	case math.IsNaN(to) || to <= 0 || to > spec.Duration+1e-6:
		return outside("--to", to, spec.Duration)
	case from >= to:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("--from %g is not before --to %g", from, to), Hint: "give the earlier time with --from",
		}
	}
	at := func(seconds float64) int {
		return int(math.Round(seconds * float64(spec.FPS.Num) / float64(spec.FPS.Den)))
	}
	spec.First = min(at(from), whole-1)
	spec.Frames = max(1, min(at(to), whole)-spec.First)
	return nil
}

// rangeSeconds is the length of the part that was asked for.
func rangeSeconds(m koda.Manifest, o Overrides) float64 {
	seconds := m.Duration
	if o.To != nil {
		seconds = min(seconds, *o.To)
	}
	if o.From != nil {
		seconds -= *o.From
	}
	return seconds
}

func outside(flag string, v, duration float64) error {
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("%s %g is outside the animation", flag, v), Hint: fmt.Sprintf("the animation goes from 0 to %g s", duration),
	}
}

// choose sets *to to the word said, if it is not empty and is one of words.
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

// usage gives an error in a flag the code USAGE.
func usage(err error) error {
	var e *koda.Error
	if errors.As(err, &e) {
		return &koda.Error{Code: koda.CodeUsage, Op: e.Op, Err: e.Err, Hint: e.Hint}
	}
	return err
}
