package theatre

import (
	"fmt"
	"math"
	"slices"
)

// Ease is the curve from one keyframe to the next: the two inner control points of a
// cubic Bézier from (0,0) to (1,1), as in CSS.
type Ease [4]float64

var (
	// Linear goes straight from one value to the next.
	Linear = Ease{1. / 3, 1. / 3, 2. / 3, 2. / 3}
	// Hold keeps a value up to the next key.
	Hold = Ease{-1}
)

// Key is a value at a time, in seconds of its sheet, and the curve to the next key.
type Key struct {
	At, Value float64
	Out       Ease
}

// Track is the keys of one property of one object, in order of time.
type Track struct {
	Object, Prop string
	Keys         []Key
}

// Sheet is the tracks of one sheet. Its sequence is Length seconds long.
type Sheet struct {
	ID     string
	Length float64
	Tracks []Track
}

// Motion is all that moves in a project.
type Motion []Sheet

// Add appends a key. Two keys at one time would make a curve without a length, so
// the later key wins. The error says that the key lies before the last one, or that a
// number of the key is not finite.
func (t *Track) Add(k Key) error {
	for _, v := range []float64{k.At, k.Value, k.Out[0], k.Out[1], k.Out[2], k.Out[3]} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s.%s has a key that is not a number", t.Object, t.Prop)
		}
	}
	k.At, k.Value = round(k.At), round(k.Value)
	if n := len(t.Keys); n > 0 && t.Keys[n-1].At >= k.At {
		if t.Keys[n-1].At > k.At {
			return fmt.Errorf("%s.%s goes back from %v s to %v s", t.Object, t.Prop, t.Keys[n-1].At, k.At)
		}
		t.Keys[n-1] = k
		return nil
	}
	t.Keys = append(t.Keys, k)
	return nil
}

// Equal reports whether two motions have the same sheets with the same tracks.
func (m Motion) Equal(other Motion) bool {
	return slices.EqualFunc(m, other, func(a, b Sheet) bool {
		return a.ID == b.ID && a.Length == b.Length && slices.EqualFunc(a.Tracks, b.Tracks, func(s, t Track) bool {
			return s.Object == t.Object && s.Prop == t.Prop && slices.Equal(s.Keys, t.Keys)
		})
	})
}

// round keeps numbers short, and equal on machines that fuse multiply and add.
func round(v float64) float64 {
	r := math.Round(v*1e6) / 1e6
	if r == 0 {
		return 0 // not -0
	}
	return r
}
