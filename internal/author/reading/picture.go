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

// picture reads what concerns the picture and the file.
func (q *Request) picture(wishes []wish.Wish) {
	short, ratio := 0, ""
	for i := range wishes {
		w := &wishes[i]
		if w.Not {
			continue
		}
		switch w.Kind {
		case wish.Shape:
			ratio = w.Value
		case wish.Scale:
			short = whole(w.Value)
		case wish.Size:
			x, y, _ := strings.Cut(w.Value, "x")
			q.Width, q.Height = whole(x), whole(y)
		case wish.Rate:
			if fps, err := koda.ParseFPS(w.Value); err == nil {
				q.FPS = fps
			} else {
				q.Notes = append(q.Notes, fmt.Sprintf("%s frames a second are not possible: %s.", w.Value, koda.HintOf(err)))
			}
		case wish.Format:
			q.Format = w.Value
		case wish.Loop:
			q.Loop = true
		case wish.Transparent:
			q.Transparent = true
		}
	}
	if q.Width > 0 || short == 0 && ratio == "" {
		return
	}
	a, b, _ := strings.Cut(cmp.Or(ratio, "16:9"), ":")
	x, y, side := float64(whole(a)), float64(whole(b)), float64(cmp.Or(short, 1080))
	if x <= 0 || y <= 0 {
		return
	}
	even := func(v float64) int { return int(math.Round(v/2)) * 2 }
	if x >= y {
		q.Width, q.Height = even(side*x/y), even(side)
	} else {
		q.Width, q.Height = even(side), even(side*y/x)
	}
}

func whole(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
