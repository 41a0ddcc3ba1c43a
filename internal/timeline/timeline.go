// Package timeline is frame arithmetic in integers and rationals.
//
// It owns the relation between frames and time: how many frames a duration has,
// when each frame is shown, and with which frame a scene starts. It refuses
// floating point wherever rounding could move a frame, because one moved frame
// makes another file.
package timeline

import (
	"math"
	"math/big"

	"github.com/koda-video/koda/internal/koda"
)

// Frames is max(1, round(duration × fps)): the number of frames of a video of
// that many seconds. Halves round away from zero.
func Frames(duration float64, fps koda.FPS) int {
	if math.IsNaN(duration) || math.IsInf(duration, 0) || duration <= 0 || fps.Num <= 0 || fps.Den <= 0 {
		return 1
	}
	return max(1, below(halves(duration), fps, unit(fps)/2))
}

// FirstAt is the first frame that is shown at a time or after it: a scene that
// starts at that time starts with this frame. A time up to half a microsecond
// before a frame counts as the frame's time, because people and programs round
// times. Times below 0 count as 0.
func FirstAt(seconds float64, fps koda.FPS) int {
	if math.IsNaN(seconds) || math.IsInf(seconds, 0) || seconds <= 0 || fps.Num <= 0 || fps.Den <= 0 {
		return 0
	}
	return below(halves(seconds)-1, fps, unit(fps)-1)
}

// halves is a time in half microseconds. The time is rounded to the microsecond
// first: people write times in decimals, so 0.1+0.2 seconds must be 0.3 seconds.
func halves(seconds float64) int64 { return 2 * int64(math.Round(seconds*1e6)) }

// unit is the length of a frame in units of half a microsecond divided by fps.Num.
func unit(fps koda.FPS) int64 { return 2_000_000 * int64(fps.Den) }

// below is the number of whole frames in a time and extra units.
func below(halves int64, fps koda.FPS, extra int64) int {
	n := big.NewInt(halves)
	n.Mul(n, big.NewInt(int64(fps.Num))).Add(n, big.NewInt(extra))
	return int(n.Div(n, big.NewInt(unit(fps))).Int64())
}

// Seconds is the time at which frame n is shown, n/fps. It is the float64 nearest
// to the exact quotient, so equal frames at equal rates have equal times.
func Seconds(n int, fps koda.FPS) float64 {
	return float64(n) * float64(fps.Den) / float64(fps.Num)
}

// Ticks is the time at which frame n is shown, in whole microseconds rounded down.
func Ticks(n int, fps koda.FPS) int64 {
	return int64(n) * int64(fps.Den) * 1_000_000 / int64(fps.Num)
}
