package ffmpeg_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/needs"
)

// A sound longer than the video is cut to the sample. It fades in within 5 ms and
// fades out within the last half second; in between nothing changes. One channel
// becomes two channels of half its power.
func TestSoundFades(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	const level, total, in, out = 0.5, 144_000, 240, 24_000
	source := wav(t, 48_000, 4*48_000, func(int) float64 { return level })
	for start, loop := range map[int64]bool{0: false, 30_000: false, 100_000: true} {
		s := ffmpeg.Sound{Input: source, Output: "-", Format: "mp4", Samples: total, Start: start, Loop: loop}
		args := ffmpeg.SoundArgs(s, ffmpeg.Gain{})
		raw := filepath.Join(t.TempDir(), "raw.wav")
		ask(t, "ffmpeg", append(args[:len(args)-7], "-c:a", "pcm_f32le", raw)...)
		all := samples(t, raw)
		if len(all) != total {
			t.Fatalf("from %d: %d samples", start, len(all))
		}
		for i, v := range all {
			want := level * math.Sqrt2 / 2 * min(1, float64(i)/in, float64(total-i)/out)
			if math.Abs(v-want) > 0.005 {
				t.Errorf("from %d: sample %d is %g, want %g", start, i, v, want)
				break
			}
		}
	}
}
