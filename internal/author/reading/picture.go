package reading

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/wish"
)

// Picture is what a text says of the picture and the file; zero where it says nothing.
type Picture struct {
	Width, Height     int // pixels; both or neither
	FPS               koda.FPS
	Format            string
	Loop, Transparent bool
}

// usual is the short side of a picture whose shape alone is named, in pixels.
const usual = 1080

// read reads what concerns the picture and the file. side is the short side of a picture whose shape alone is named.
func (q *Picture) read(wishes []wish.Wish, side int) (notes []string) {
	short, ratio, usual := 0, "", false
	for i := range wishes {
		w := &wishes[i]
		if w.Not {
			continue
		}
		switch w.Kind {
		case wish.Shape:
			if ratio != "" && w.Usual() && !usual { // "square for tiktok"
				continue
			}
			if ratio != "" && ratio != w.Value && usual == w.Usual() {
				notes = append(notes, fmt.Sprintf("Two shapes are named, %s and %s: the second counts.", ratio, w.Value))
			}
			ratio, usual = w.Value, w.Usual()
		case wish.Scale:
			short = whole(w.Value)
		case wish.Size:
			x, y, _ := strings.Cut(w.Value, "x")
			q.Width, q.Height = whole(x), whole(y)
		case wish.Rate:
			if fps, err := koda.ParseFPS(w.Value); err == nil {
				q.FPS = fps
			} else {
				notes = append(notes, fmt.Sprintf("%s frames a second are not possible: %s.", w.Value, koda.HintOf(err)))
			}
		case wish.Format:
			q.Format = w.Value
		case wish.Loop:
			q.Loop = true
		case wish.Transparent:
			q.Transparent = true
		}
	}
	switch {
	case q.Transparent && q.Format == "":
		q.Format = "webm" // an mp4 cannot be transparent
	case q.Transparent && q.Format == "mp4":
		notes = append(notes, "An mp4 is not transparent: `koda render --preset webm` makes such a file of the finished project.")
	}
	if q.Width > 0 || short == 0 && ratio == "" {
		return notes
	}
	a, b, _ := strings.Cut(cmp.Or(ratio, "16:9"), ":")
	x, y, least := float64(whole(a)), float64(whole(b)), float64(cmp.Or(short, side))
	if x <= 0 || y <= 0 {
		return notes
	}
	even := func(v float64) int { return int(math.Round(v/2)) * 2 }
	if x >= y {
		q.Width, q.Height = even(least*x/y), even(least)
	} else {
		q.Width, q.Height = even(least), even(least*y/x)
	}
	return notes
}

func whole(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
