package offline_test

import (
	"math"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// at evaluates a track as Theatre.js does.
func at(keys []keyframe, seconds float64) float64 {
	if len(keys) == 0 {
		return math.NaN()
	}
	if seconds <= keys[0].Position {
		return keys[0].Value
	}
	for i := 1; i < len(keys); i++ {
		a, b := keys[i-1], keys[i]
		if seconds >= b.Position {
			continue
		}
		if !a.Connected {
			return a.Value
		}
		x := (seconds - a.Position) / (b.Position - a.Position)
		curve := func(p1, p2, s float64) float64 { return 3*p1*s*(1-s)*(1-s) + 3*p2*s*s*(1-s) + s*s*s }
		low, high := 0.0, 1.0
		for range 60 {
			if mid := (low + high) / 2; curve(a.Handles[2], b.Handles[0], mid) < x {
				low = mid
			} else {
				high = mid
			}
		}
		return a.Value + (b.Value-a.Value)*curve(a.Handles[3], b.Handles[1], low)
	}
	return keys[len(keys)-1].Value
}

// TestBall_physics holds the keyframes to what a ball does.
func TestBall_physics(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		prompt string
		n      int
	}{
		{"bouncing ball, 3 bounces", 3}, {"bouncing ball, once, bounces 1 time, 3 seconds", 1}, {"bouncing ball, 7 bounces, 8 seconds", 7}, {"bouncing ball 12 bounces, 20 seconds", 12},
	} {
		for _, style := range []string{"playful", "smooth", "cinematic"} {
			p := build(t, brief(tt.prompt), koda.Answer{OptionID: style})
			height, speed, squash := p.track(t, "Ball", "height"), p.track(t, "Ball", "speed"), p.track(t, "Ball", "squash")
			var touches, peaks []keyframe
			for i, k := range height {
				if k.Value == 0 && (i == 0 || height[i-1].Value > 0) {
					touches = append(touches, k)
				}
				if i > 0 && k.Value > 0 && height[i-1].Value == 0 {
					peaks = append(peaks, k)
				}
			}
			if len(peaks) != tt.n || len(touches) != tt.n+1 {
				t.Errorf("%s %q: %d flights and %d touches, want %d and one more", style, tt.prompt, len(peaks), len(touches), tt.n)
				continue
			}
			gravity := 0.0
			for i, peak := range peaks {
				start := peak.Position - (touches[i+1].Position - peak.Position)
				flight := touches[i+1].Position - start
				// One gravity for every flight: h = g t² / 8.
				g := 8 * peak.Value / (flight * flight)
				if gravity == 0 {
					gravity = g
				}
				if math.Abs(g/gravity-1) > 1e-3 {
					t.Errorf("%s: flight %d falls with gravity %.4f, the first with %.4f", style, i, g, gravity)
				}
				for s := 0.1; s < 1; s += 0.2 { // y = 4p(1−p)
					if got, want := at(height, start+s*flight), 4*peak.Value*s*(1-s); math.Abs(got-want) > 2e-4 {
						t.Errorf("%s: flight %d is at %.5f at %.1f of it, want %.5f", style, i, got, s, want)
					}
					if got, want := at(speed, start+s*flight), math.Sqrt(peak.Value)*(1-2*s); math.Abs(got-want) > 2e-4 {
						t.Errorf("%s: flight %d has speed %.4f at %.1f of it, want %.4f", style, i, got, s, want)
					}
				}
			}
			for i, touch := range touches {
				before := 1.0
				if i > 0 {
					before = peaks[i-1].Value
				}
				hardest := 0.0
				for s := 0.0; s < 0.13; s += 0.002 {
					hardest = max(hardest, at(squash, touch.Position+s))
				}
				if math.Abs(hardest-math.Sqrt(before)) > 0.02 {
					t.Errorf("%s: blow %d squashes %.3f after a fall from %.3f, want %.3f", style, i, hardest, before, math.Sqrt(before))
				}
			}
		}
	}
}
