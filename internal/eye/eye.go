package eye

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"strings"
)

//go:embed eye.js
var script string

// The scripts of the eye, to be run in a page at a frame. Texts tells a [View] as JSON.
// The others hide something until the next of them: the texts, all but the backdrop of
// koda's own stage, nothing.
var (
	Texts       = asked("tell")
	HideTexts   = asked("texts")
	HideStage   = asked("stage")
	HideNothing = asked("nothing")
)

func asked(what string) string {
	return "(" + strings.TrimSuffix(strings.TrimSpace(script), ";") + "\n)('" + what + "')"
}

// Sight is a frame as the eye saw it.
type Sight struct {
	Seconds      float64
	Picture      *image.NRGBA
	View         View
	Bare, Ground *image.NRGBA // without texts, and the backdrop alone; nil: not looked at
}

// View is what a page tells of a frame.
type View struct {
	Texts         []Text
	Changing      bool // a scene takes the place of another one
	Ground        bool // the page has a backdrop
	Scene         string
	Width, Height float64
}

// Text is a piece of text, on one line.
type Text struct {
	Text          string
	Ink, Seen     Rect // what its letters fill, and what is not clipped of that
	Font, Opacity float64
	Fill          string
	Weight        float64
	Line, Block   int
}

// Bounds of what a page may tell.
const (
	mostTexts = 400
	mostText  = 60 // characters of a text
)

// ReadView reads what a page told.
func ReadView(told string) (v View, err error) {
	if err := json.Unmarshal([]byte(told), &v); err != nil {
		return View{}, fmt.Errorf("read what the page shows: %w", err)
	}
	if !(v.Width >= 1 && v.Height >= 1) {
		return View{}, fmt.Errorf("read what the page shows: it is %g × %g", v.Width, v.Height)
	}
	v.Texts = v.Texts[:min(len(v.Texts), mostTexts)]
	for i := range v.Texts {
		v.Texts[i].Text = clip(v.Texts[i].Text)
	}
	return v, nil
}

func clip(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > mostText {
		return string(r[:mostText-1]) + "…"
	}
	return text
}

// frame is all that a video shows.
func (v View) frame() Rect { return Rect{0, 0, v.Width, v.Height} }

// line is a text, or the whole word where the text is one of its letters.
func (v View) line(t Text) string {
	if letter(t) {
		return v.letters(t.Block)
	}
	return t.Text
}

// letter reports whether a text is a letter or two, which may be a part of a word.
func letter(t Text) bool { return len([]rune(t.Text)) <= 2 }

// letters are the letters of a block, put together.
func (v View) letters(block int) string {
	var all strings.Builder
	for _, t := range v.Texts {
		if t.Block == block && letter(t) {
			all.WriteString(t.Text)
		}
	}
	return clip(all.String())
}

// Rect is a rectangle, in CSS pixels.
type Rect struct{ Left, Top, Right, Bottom float64 }

func (r Rect) area() float64 { return max(r.Right-r.Left, 0) * max(r.Bottom-r.Top, 0) }

func (r Rect) meet(o Rect) Rect {
	return Rect{max(r.Left, o.Left), max(r.Top, o.Top), min(r.Right, o.Right), min(r.Bottom, o.Bottom)}
}

func (r Rect) join(o Rect) Rect {
	return Rect{min(r.Left, o.Left), min(r.Top, o.Top), max(r.Right, o.Right), max(r.Bottom, o.Bottom)}
}

func (r Rect) far(o Rect) float64 {
	return max(math.Abs(r.Left-o.Left), math.Abs(r.Top-o.Top), math.Abs(r.Right-o.Right), math.Abs(r.Bottom-o.Bottom))
}

// rgb is the colour of a pixel.
func rgb(p *image.NRGBA, x, y int) [3]int {
	i := p.PixOffset(x, y)
	return [3]int{int(p.Pix[i]), int(p.Pix[i+1]), int(p.Pix[i+2])}
}
