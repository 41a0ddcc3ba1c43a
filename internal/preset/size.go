package preset

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Size is pixels.
type Size struct {
	Width, Height int
}

// String gives "1920x1080".
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Width, s.Height) }

// Short is the shorter side.
func (s Size) Short() int { return min(s.Width, s.Height) }

// Resolution is a size as people write it: in pixels, or by the short side, which
// leaves the shape open. The zero Resolution asks for nothing.
type Resolution struct {
	size  Size
	short int
}

// named are the words for short sides.
var named = map[string]int{"sd": 480, "hd": 720, "fhd": 1080, "full-hd": 1080, "fullhd": 1080, "qhd": 1440, "2k": 1440, "4k": 2160, "uhd": 2160, "8k": 4320}

// ParseResolution reads "1280x720", or "720p", "1080p", "4k", … which name the
// short side. If said is no size, the error is USAGE.
func ParseResolution(s string) (Resolution, error) {
	word := strings.ToLower(strings.TrimSpace(s))
	if short, ok := named[word]; ok {
		return Resolution{short: short}, nil
	}
	if digits, ok := strings.CutSuffix(word, "p"); ok {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return Resolution{}, badResolution(s)
		}
		if err := checkSide(s, n); err != nil {
			return Resolution{}, err
		}
		return Resolution{short: n}, nil
	}
	ws, hs, ok := strings.Cut(strings.NewReplacer("×", "x", "*", "x", ":", "x").Replace(word), "x")
	if !ok {
		return Resolution{}, badResolution(s)
	}
	w, errW := strconv.Atoi(strings.TrimSpace(ws))
	h, errH := strconv.Atoi(strings.TrimSpace(hs))
	if errW != nil || errH != nil {
		return Resolution{}, badResolution(s)
	}
	if err := CheckSize(Size{w, h}); err != nil {
		return Resolution{}, err
	}
	return Resolution{size: Size{w, h}}, nil
}

// In is the size that r means for a picture of the given shape, with even sides. If
// r is in pixels, In is that size, whatever the shape.
func (r Resolution) In(shape Size) (Size, error) {
	switch {
	case r.short == 0 && r.size == Size{}:
		return shape, CheckSize(shape)
	case r.short == 0:
		return r.size, nil
	}
	long := even(float64(r.short) * float64(max(shape.Width, shape.Height)) / float64(shape.Short()))
	size := Size{long, r.short}
	if shape.Width < shape.Height {
		size = Size{r.short, long}
	}
	return size, CheckSize(size)
}

// CheckSize refuses sizes that no video can have. The hint names the nearest possible
// size.
func CheckSize(s Size) error {
	for _, side := range []int{s.Width, s.Height} {
		if err := checkSide(s.String(), side); err != nil {
			return err
		}
	}
	if s.Width%2 != 0 || s.Height%2 != 0 {
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("size %v is odd", s),
			Hint: fmt.Sprintf("video sizes are even: the nearest is %v", Size{s.Width + s.Width%2, s.Height + s.Height%2}),
		}
	}
	return nil
}

func checkSide(said string, n int) error {
	switch {
	case n < koda.MinSide:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("size %s is too small", said),
			Hint: fmt.Sprintf("each side has at least %d pixels", koda.MinSide),
		}
	case n > koda.MaxSide:
		return &koda.Error{
			Code: koda.CodeUsage, Op: fmt.Sprintf("size %s is too large", said),
			Hint: fmt.Sprintf("each side has at most %d pixels", koda.MaxSide),
		}
	}
	return nil
}

func badResolution(s string) error {
	return &koda.Error{
		Code: koda.CodeUsage, Op: fmt.Sprintf("resolution %q is not understood", s),
		Hint: "give pixels such as 1280x720, or a short side such as 720p, 1080p or 4k",
	}
}

// even rounds to the nearest even number, at least 2.
func even(v float64) int { return max(2, 2*int(math.Round(v/2))) }

// sameShape reports whether a is b scaled and rounded to even sides.
func sameShape(a, b Size) bool {
	if a == b {
		return true
	}
	scaled := float64(a.Height) * float64(b.Width) / float64(b.Height)
	other := float64(a.Width) * float64(b.Height) / float64(b.Width)
	return math.Abs(scaled-float64(a.Width)) < 1.5 || math.Abs(other-float64(a.Height)) < 1.5
}
