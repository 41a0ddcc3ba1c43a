package ffmpeg_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/needs"
)

// The sound of a part of an animation begins where the part begins, exact to the
// sample, also in a repeated sound.
func TestSoundPart(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	source := wav(t, 48_000, 48_000, func(i int) float64 {
		if i == 40_000 {
			return 0.9
		}
		return 0
	})
	for start, c := range map[int64]struct {
		loop bool
		want []int
	}{
		24_000: {false, []int{16_000}}, 40_000: {true, []int{48_000, 96_000}}, 240_001: {true, []int{39_999, 87_999, 135_999}}, 90_000: {false, nil},
	} {
		s := ffmpeg.Sound{Input: source, Output: "-", Format: "mp4", Samples: 144_000, Start: start, Loop: c.loop}
		args := ffmpeg.SoundArgs(s, ffmpeg.Gain{})
		raw := filepath.Join(t.TempDir(), "raw.wav")
		ask(t, "ffmpeg", append(args[:len(args)-7], "-c:a", "pcm_f32le", raw)...)
		all := samples(t, raw)
		var heard []int
		for i, v := range all {
			if i > 0 && math.Abs(v) > 1e-6 { // the fade mutes what is at its very start
				heard = append(heard, i)
			}
		}
		if len(all) != 144_000 || len(heard) != len(c.want) {
			t.Fatalf("from %d: %d samples, heard at %v, not %v", start, len(all), heard, c.want)
		}
		for i := range heard {
			if heard[i] != c.want[i] {
				t.Errorf("from %d: heard at %v, not %v", start, heard, c.want)
			}
		}
	}
}
