package draw

import (
	"context"
	"errors"
	"fmt"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// chooseEncoder finds out whether the encoder that the spec asks for answers here.
// If it does not, libx264 encodes and the note says why.
func (d *Drawer) chooseEncoder(ctx context.Context, spec koda.RenderSpec) (koda.Encoder, error) {
	var names []string
	switch spec.Encoder {
	case "", koda.EncoderX264:
		return koda.Encoder{}, nil
	case koda.EncoderAuto:
		names = koda.HardwareEncoders()
	default:
		names = []string{spec.Encoder}
	}
	var why []string
	for _, name := range names {
		s := ffmpeg.Spec{FPS: spec.FPS, Width: spec.Width, Height: spec.Height, CRF: spec.CRF, Preset: spec.EncoderPreset, Hardware: name}
		device, err := d.cfg.FFmpeg.Hardware(ctx, s)
		if err == nil {
			return koda.Encoder{Name: name, Device: device, Note: inUse(name, spec.CRF)}, nil
		}
		var unable *koda.Error
		if ctx.Err() != nil || !errors.As(err, &unable) || unable.Code != koda.CodeMissingTool {
			return koda.Encoder{}, err
		}
		why = append(why, unable.Error())
	}
	if spec.Encoder == koda.EncoderAuto {
		why = []string{"no graphics device answers here; koda doctor says why"}
	}
	return koda.Encoder{Note: "libx264 encoded it: " + why[0]}, nil
}

// inUse says how a wish for quality was understood.
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

// encoderHint says what to do when an encoder of a graphics device failed during
// the work: devices take few videos at a time.
func encoderHint(job koda.SegmentJob, err error) string {
	if job.Facts.Encoder.Name != "" && koda.CodeOf(err) == koda.CodeEncodeFailed {
		return "run it again with --workers 1, as some devices take few videos at a time, or without --encoder " + job.Spec.Encoder
	}
	return koda.HintOf(err)
}
