package eye

import (
	"fmt"
	"image"
	"math"

	"github.com/koda-video/koda/internal/koda"
)

const (
	parts     = 3  // rows and columns of colours told of a picture
	square    = 16 // side of the squares in which two drawings are compared, in pixels
	noise     = 12 // of 255 levels by which the mean of a square may differ
	visible   = 8  // levels by which a pixel must differ to be another one
	mostTold  = 20 // lines of text told of a frame
	leastInk  = 0.15
	flatNoise = 2
)

// Tell tells a frame in words: its texts, and how many more there are, the mean colours of nine parts, and
// how much is another than in the frame looked at before it, if there is one.
func Tell(s Sight, before *Sight) koda.Sight {
	told := koda.Sight{Seconds: s.Seconds, Colours: colours(s.Picture)}
	if before != nil && before.Picture.Rect == s.Picture.Rect {
		told.Changed = differing(s.Picture, before.Picture, visible)
	}
	frame := s.View.frame()
	seen := map[string]bool{}
	for _, t := range s.View.Texts {
		if t.Seen.meet(frame).area() == 0 || t.Opacity < leastInk {
			continue
		}
		words, box := t.Text, t.Seen.meet(frame)
		if letter(t) {
			words = s.View.letters(t.Block)
		}
		key := fmt.Sprint(t.Block, words)
		if seen[key] {
			continue
		}
		seen[key] = true
		if len(told.Texts) == mostTold {
			told.More++
			continue
		}
		for _, o := range s.View.Texts {
			if o.Block == t.Block && (letter(t) && letter(o) || o.Text == t.Text) && o.Seen.meet(frame).area() > 0 {
				box = box.join(o.Seen.meet(frame))
			}
		}
		percent := func(v, of float64) int { return int(math.Round(100 * v / of)) }
		told.Texts = append(told.Texts, koda.SeenText{
			Text: words, Left: percent(box.Left, s.View.Width), Right: percent(box.Right, s.View.Width),
			Top: percent(box.Top, s.View.Height), Bottom: percent(box.Bottom, s.View.Height),
		})
	}
	return told
}

// colours are the mean colours of nine parts of a picture, row by row.
func colours(p *image.NRGBA) []string {
	var all []string
	size := p.Rect.Size()
	for row := range parts {
		for column := range parts {
			c := mean(p, image.Rect(column*size.X/parts, row*size.Y/parts, (column+1)*size.X/parts, (row+1)*size.Y/parts))
			all = append(all, fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]))
		}
	}
	return all
}

// mean is the mean colour of a part of a picture.
func mean(p *image.NRGBA, part image.Rectangle) (c [3]int) {
	part = part.Intersect(p.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			v := rgb(p, x, y)
			c[0], c[1], c[2] = c[0]+v[0], c[1]+v[1], c[2]+v[2]
		}
	}
	n := max(1, part.Dx()*part.Dy())
	return [3]int{c[0] / n, c[1] / n, c[2] / n}
}

// Flat reports whether a picture has one colour.
func Flat(p *image.NRGBA) bool {
	first := rgb(p, p.Rect.Min.X, p.Rect.Min.Y)
	for y := p.Rect.Min.Y; y < p.Rect.Max.Y; y++ {
		for x := p.Rect.Min.X; x < p.Rect.Max.X; x++ {
			if c := rgb(p, x, y); max(off(c[0], first[0]), off(c[1], first[1]), off(c[2], first[2])) > flatNoise {
				return false
			}
		}
	}
	return true
}

// Apart reports whether two drawings of one frame differ by more than the noise at the
// edges of shapes.
func Apart(a, b *image.NRGBA) bool {
	if a.Rect != b.Rect {
		return true
	}
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y += square {
		for x := a.Rect.Min.X; x < a.Rect.Max.X; x += square {
			part := image.Rect(x, y, x+square, y+square)
			p, q := mean(a, part), mean(b, part)
			if max(off(p[0], q[0]), off(p[1], q[1]), off(p[2], q[2])) > noise {
				return true
			}
		}
	}
	return false
}
