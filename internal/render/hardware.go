package render

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// encoderX264 and encoderAuto are the words of RenderSpec.Encoder beside
// koda.HardwareEncoders.
const (
	encoderX264 = "x264"
	encoderAuto = "auto"
)

// hardware is which encoder of a graphics device makes a video; the zero value
// is none.
type hardware struct {
	name   string // of koda.HardwareEncoders
	device string // its name; see ffmpeg.Tool.Hardware
	note   string // what became of the wish for one, for people
}

// checkEncoder refuses an encoder nobody knows, and one where there is no choice.
func checkEncoder(s koda.RenderSpec, f format) error {
	switch {
	case s.Encoder == "":
		return nil
	case f.codec != ffmpeg.H264:
		return fmt.Errorf("%s has one encoder", s.Format)
	case s.Encoder != encoderX264 && s.Encoder != encoderAuto && !slices.Contains(koda.HardwareEncoders(), s.Encoder):
		return fmt.Errorf("no encoder %q", s.Encoder)
	}
	return nil
}

// chooseEncoder finds out whether what was asked for answers here. Where it does
// not, libx264 encodes and the note says why.
func (r *Renderer) chooseEncoder(ctx context.Context, spec koda.RenderSpec) (hardware, error) {
	var names []string
	switch spec.Encoder {
	case "", encoderX264:
		return hardware{}, nil
	case encoderAuto:
		names = koda.HardwareEncoders()
	default:
		names = []string{spec.Encoder}
	}
	var why []string
	for _, name := range names {
		s := ffmpeg.Spec{FPS: spec.FPS, Width: spec.Width, Height: spec.Height, CRF: spec.CRF, Preset: spec.EncoderPreset, Hardware: name}
		device, err := r.cfg.FFmpeg.Hardware(ctx, s)
		if err == nil {
			return hardware{name: name, device: device, note: inUse(name, spec.CRF)}, nil
		}
		var unable *koda.Error
		if ctx.Err() != nil || !errors.As(err, &unable) || unable.Code != koda.CodeMissingTool {
			return hardware{}, err
		}
		why = append(why, unable.Error())
	}
	if spec.Encoder == encoderAuto {
		why = []string{"no graphics device answers here; koda doctor says why"}
	}
	return hardware{note: "libx264 encoded it: " + why[0]}, nil
}

// inUse tells how a wish for quality was understood.
func inUse(name string, crf int) string {
	setting, value := ffmpeg.Quality(name, crf)
	note := fmt.Sprintf("encoded by %s, whose %s %d stands for crf %d", name, setting, value, crf)
	if crf == 0 {
		note += "; it is not lossless there"
	}
	if !ffmpeg.HasEffort(name) {
		note += "; it knows no encoder presets"
	}
	return note
}

// encoder is what an mp4 was encoded by; "" for other formats.
func (p plan) encoder() string {
	switch {
	case formats[p.spec.Format].codec != ffmpeg.H264:
		return ""
	case p.hardware.name != "":
		return p.hardware.name
	}
	return encoderX264
}

// encoderHint says what to do when an encoder of a graphics device failed on the
// way: devices take few videos at a time.
func (j *job) encoderHint(err error) string {
	if j.plan.hardware.name != "" && koda.CodeOf(err) == koda.CodeEncodeFailed {
		return "run it again with --workers 1, as some devices take few videos at a time, or without --encoder " + j.plan.spec.Encoder
	}
	return koda.HintOf(err)
}
