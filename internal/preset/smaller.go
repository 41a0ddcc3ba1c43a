package preset

import (
	"fmt"
	"math"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// Smaller is a spec of the same video that asks less of the machine: half the size,
// half the frames a second, one browser. False: there is no smaller spec.
func Smaller(s koda.RenderSpec) (koda.RenderSpec, bool) {
	size := Size{even(float64(s.Width) / 2), even(float64(s.Height) / 2)}
	if size.Width < koda.MinSide || size.Height < koda.MinSide {
		return s, false
	}
	s.Width, s.Height, s.Workers = size.Width, size.Height, 1
	if half := halved(s.FPS); s.Format != GIF && half.Num >= half.Den {
		s.FPS = half
		whole := timeline.Frames(s.Duration, half)
		s.First = min(s.First/2, whole-1)
		s.Frames = max(1, min(int(math.Round(float64(s.Frames)/2)), whole-s.First))
	}
	return s, true
}

func halved(f koda.FPS) koda.FPS {
	if f.Num%2 == 0 {
		return koda.FPS{Num: f.Num / 2, Den: f.Den}
	}
	return koda.FPS{Num: f.Num, Den: 2 * f.Den}
}

// SuggestSmaller adds to the error of a final that could not be drawn a hint with
// the command that draws it smaller: koda does not lower the quality of a final by
// itself. Target is how people name the project or directory. Other errors stay as
// they are. So does the error of a page whose scripts took too much memory, as they
// would at any size.
func SuggestSmaller(err error, s koda.RenderSpec, target string) error {
	c := koda.CodeOf(err)
	small, ok := Smaller(s)
	helps := c == koda.CodeRenderFailed || c == koda.CodeOutOfMemory && !koda.Lasting(err)
	if s.Kind != koda.RenderFinal || !helps || !ok {
		return err
	}
	hint := "a smaller one asks less of the machine: " + command(s, target, Size{small.Width, small.Height})
	if h := koda.HintOf(err); h != "" {
		hint = h + "; " + hint
	}
	return &koda.Error{Code: c, Err: err, Hint: hint}
}

// command is the shell command that draws spec s at the size of another spec.
func command(s koda.RenderSpec, target string, size Size) string {
	if strings.ContainsFunc(target, func(r rune) bool { return !strings.ContainsRune(plain, r) }) {
		target = "'" + strings.ReplaceAll(target, "'", `'\''`) + "'"
	}
	c := "koda render " + target
	if s.Preset != "" && s.Preset != Final {
		c += " --preset " + s.Preset
	}
	if p, err := Lookup(s.Preset); err != nil || p.Format != s.Format {
		c += " --format " + s.Format
	}
	if s.Frames < timeline.Frames(s.Duration, s.FPS) {
		c += fmt.Sprintf(" --from %g --to %g", timeline.Seconds(s.First, s.FPS), timeline.Seconds(s.First+s.Frames, s.FPS))
	}
	return c + fmt.Sprintf(" --resolution %v --workers 1", size)
}

// plain matches words that a shell takes without quotes.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
