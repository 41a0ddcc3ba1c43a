// Package timeline is frame arithmetic in integers and rationals.
//
// It owns the relation between frames and time: how many frames a duration
// has, when each is shown, where segments are cut. It refuses floating point
// wherever a rounding could move a frame, because a frame that moves once is a
// file that differs.
package timeline

import (
	"fmt"
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
	// Durations are written by people in decimals: round to the microsecond
	// first, so that 0.1+0.2 seconds is 0.3.
	us := new(big.Int).SetInt64(int64(math.Round(duration * 1e6)))
	num := us.Mul(us, big.NewInt(int64(fps.Num)))
	den := big.NewInt(int64(fps.Den) * 1_000_000)
	// round(num/den) = floor((2num + den) / 2den)
	num.Mul(num, big.NewInt(2)).Add(num, den)
	num.Div(num, den.Mul(den, big.NewInt(2)))
	if num.Sign() <= 0 {
		return 1
	}
	return int(num.Int64())
}

// Seconds is the time frame n is shown at, n/fps. It is the nearest float64 of
// the exact quotient, so equal frames of equal rates are equal numbers.
func Seconds(n int, fps koda.FPS) float64 {
	return float64(n) * float64(fps.Den) / float64(fps.Num)
}

// Ticks is the time frame n is shown at, in whole microseconds rounded down.
func Ticks(n int, fps koda.FPS) int64 {
	return int64(n) * int64(fps.Den) * 1_000_000 / int64(fps.Num)
}

// Span is the run of frames [Start, End).
type Span struct {
	Start, End int
}

// Len is the number of frames in s.
func (s Span) Len() int { return s.End - s.Start }

// String gives "0-59", inclusive as people count.
func (s Span) String() string { return fmt.Sprintf("%d-%d", s.Start, s.End-1) }

// Grid cuts frames into spans of near-equal length of at most size, additionally
// at every cut. Cuts outside (0, frames) are ignored; order and repeats do not
// matter. The grid depends on its arguments only, so it is the same on every
// machine and for any number of workers.
func Grid(frames, size int, cuts []int) []Span {
	if frames < 1 || size < 1 {
		return nil
	}
	at := map[int]bool{0: true, frames: true}
	for _, c := range cuts {
		if c > 0 && c < frames {
			at[c] = true
		}
	}
	edges := make([]int, 0, len(at))
	for n := 0; n <= frames; n++ {
		if at[n] {
			edges = append(edges, n)
		}
	}
	var grid []Span
	for i := 1; i < len(edges); i++ {
		start, length := edges[i-1], edges[i]-edges[i-1]
		parts := (length + size - 1) / size
		for p := range parts {
			grid = append(grid, Span{start + length*p/parts, start + length*(p+1)/parts})
		}
	}
	return grid
}
