package ffmpeg

import (
	"math"
	"slices"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

// codecs are what the segments of a format are kept in.
var codecs = map[string]Codec{
	preset.MP4: H264, preset.WebM: VP9, preset.MOV: ProRes, preset.GIF: PNG, preset.APNG: PNG, preset.PNG: PNG,
}

// passed are the formats that one pass over all pictures makes, by an encoder of
// the same name.
var passed = []string{preset.GIF, preset.APNG}

// CodecOf is the codec of the segments of a format; false for a format that cannot
// be written.
func CodecOf(format string) (Codec, bool) {
	c, ok := codecs[format]
	return c, ok
}

// Encoding is what a render asks of the encoder of its segments, for pictures of
// a page that is laid out as v says: all but the path of the file. Hardware is
// the encoder of a graphics device in use, or "". The key of a segment and the
// drawer of the segment both ask here.
func Encoding(s koda.RenderSpec, v koda.Viewport, hardware string) Spec {
	w, h := v.Pixels()
	e := Spec{
		Codec: codecs[s.Format], Alpha: v.Transparent, FPS: s.FPS, Width: s.Width, Height: s.Height, CRF: s.CRF, Preset: s.EncoderPreset,
		Hardware: hardware, Scaled: math.Round(w) != float64(s.Width) || math.Round(h) != float64(s.Height),
	}
	if v.Raw {
		e.RawWidth, e.RawHeight = int(w), int(h)
	}
	if e.Codec == PNG { // pictures are kept as they are only where nothing was rounded
		e.Scaled = w != float64(s.Width) || h != float64(s.Height)
	}
	return e
}

// Sounding is what a render asks of the sound under its video; the paths are left
// out.
func Sounding(s koda.RenderSpec, loop bool) Sound {
	return Sound{Format: s.Format, Loop: loop, Start: SoundSamples(s.First, s.FPS), Samples: SoundSamples(s.Frames, s.FPS)}
}

// encoders are the names of what writes a format.
func encoders(format string) []string {
	names := []string{codecs[format].encoder()}
	if slices.Contains(passed, format) {
		names = append(names, format)
	}
	return names
}
