package render

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/failpoint"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// A page without frame keys may show a time by what it showed before, and each
// segment begins on a fresh page. So a segment is drawn for one frame longer than
// it is, and that frame is compared with the first of the next segment. Where they
// differ the page depends on the frames before: then all of its segments are
// drawn forward, through all frames before them. What is compared is kept beside
// the segments, so that those found in the cache are compared too.

// edge is what a segment shows at its ends, small enough to be kept.
type edge struct {
	First []byte `json:"first"` // its first frame; see means
	Past  []byte `json:"past"`  // the frame after its last; nil at the end of the animation
	// Moves names what moves in the page by itself; "" when nothing is seen to.
	Moves string `json:"moves,omitempty"`

	start int // the number of its first frame
}

const (
	// edgeBlock is the side of the squares of pixels that are compared by their
	// mean, which noise at the edges of shapes hardly changes.
	edgeBlock = 16
	// edgeNoise is by how many of 255 levels two means may differ. Letters that were
	// drawn turned before differ by 7 from those of a fresh page; what moves by itself
	// for the length of a segment differs by far more.
	edgeNoise = 12
)

// means are the mean colours of the squares of a picture, row by row, as bytes.
// Raw pixels have the width given, a PNG its own.
func means(picture []byte, width int) ([]byte, error) {
	pix, stride, order := picture, 4*width, [3]int{2, 1, 0}
	if bytes.HasPrefix(picture, pngStart) {
		img, err := png.Decode(bytes.NewReader(picture))
		if err != nil {
			return nil, fmt.Errorf("read picture: %w", err)
		}
		rgba, ok := img.(*image.RGBA)
		if !ok {
			rgba = image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
			draw.Draw(rgba, rgba.Rect, img, img.Bounds().Min, draw.Src)
		}
		pix, stride, order = rgba.Pix, rgba.Stride, [3]int{0, 1, 2}
	}
	if stride < 4 || len(pix) < stride || len(pix)%stride != 0 {
		return nil, fmt.Errorf("read picture: it has %d bytes", len(pix))
	}
	var all []byte
	sums := make([]int, (stride/4+edgeBlock-1)/edgeBlock*len(order))
	for y := 0; y < len(pix); {
		clear(sums)
		rows := 0
		for ; rows < edgeBlock && y < len(pix); rows, y = rows+1, y+stride {
			for x := 0; x < stride; x += 4 {
				at := x / 4 / edgeBlock * len(order)
				for c, of := range order {
					sums[at+c] += int(pix[y+x+of])
				}
			}
		}
		for i, sum := range sums {
			n := rows * min(edgeBlock, stride/4-i/len(order)*edgeBlock)
			all = append(all, byte((sum+n/2)/n))
		}
	}
	return all, nil
}

// differs reports whether two pictures, by their means, are not the same.
func differs(a, b []byte) bool {
	if len(a) != len(b) {
		return true
	}
	for i := range a {
		if max(a[i], b[i])-min(a[i], b[i]) > edgeNoise {
			return true
		}
	}
	return false
}

// means are those of a picture of a segment.
func (j *job) means(seg segment, picture []byte) ([]byte, error) {
	return means(picture, j.plan.of(seg).encoding("").RawWidth)
}

// endsOf notes what a segment shows at its ends, after all of its frames were
// drawn; first is of its first. What cannot be had is left out: a check fails no
// video.
func (j *job) endsOf(ctx context.Context, tab Tab, seg segment, first []byte) *edge {
	if seg.End >= timeline.Frames(j.plan.spec.Duration, j.plan.spec.FPS) {
		return &edge{First: first}
	}
	picture, err := tab.Capture(ctx, seg.End)
	if err != nil {
		return &edge{First: first}
	}
	e := &edge{First: first}
	if e.Past, err = j.means(seg, picture); err == nil {
		e.Moves, err = tab.Moves(ctx)
	}
	if err != nil {
		return &edge{First: first}
	}
	return e
}

// aside is what is kept beside a segment, for every render that has it in its video.
type aside struct {
	Edge    *edge         `json:"edge,omitempty"`    // nil for a page with frame keys
	Flat    string        `json:"flat,omitempty"`    // the one colour of all frames, "" where there are more
	Mishaps []koda.Mishap `json:"mishaps,omitempty"` // of the page
}

// encode appends it to the digest of a segment.
func (a aside) encode(to []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		err = errors.Join(json.NewEncoder(w).Encode(a), w.Close())
	}
	if err != nil {
		return to // its cuts are not compared
	}
	return append(to, b.Bytes()...)
}

// aside is what is kept beside a segment; empty where that is damaged.
func (s store) aside(seg segment) aside {
	text, err := os.ReadFile(s.path(seg) + sumExt)
	if err != nil || len(text) <= sumLen {
		return aside{}
	}
	var a aside
	const most = 1 << 24 // of pictures of any size
	if json.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(text[sumLen:])), most)).Decode(&a) != nil {
		return aside{}
	}
	return a
}

// errMoves ends the drawing of a plan whose segments begin on a fresh page: what
// the page shows depends on the frames before.
var errMoves = errors.New("the page depends on the frames before")

// take takes a finished segment into the video: it notes what is to be told of it, and
// compares it with those beside it that are finished too.
func (j *job) take(i int) error {
	seg := j.plan.segments[i]
	a := j.segments.aside(seg)
	j.warn(a.Mishaps)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.flat[i] = a.Flat
	e := a.Edge
	if e == nil {
		return nil
	}
	e.start = seg.Start
	if e.Moves != "" {
		j.moving = e.Moves
	}
	j.edges[i] = e
	for k := max(1, i); k <= min(i+1, len(j.edges)-1); k++ {
		before, after := j.edges[k-1], j.edges[k]
		if before == nil || after == nil || before.Past == nil || !differs(before.Past, after.First) {
			continue
		}
		if !j.plan.forward() {
			return errMoves
		}
		j.uneven = append(j.uneven, after.start)
	}
	return nil
}

// forward reports whether segments are reached through all frames before them.
func (p plan) forward() bool { return p.page.Plays || p.moves }

// ahead is how many frames a segment's page is brought forward through.
func (p plan) ahead(seg segment) int {
	if p.forward() {
		return seg.Start
	}
	return 0
}

// inForward is a plan whose page was found to depend on the frames before: it is
// noted, and the segments are drawn through those, all of them, so that which cut
// was compared first is in no byte.
func (r *Renderer) inForward(p plan) (plan, error) {
	if err := r.note(p, byMoves, true); err != nil {
		return plan{}, err
	}
	p.moves = true
	return p, p.cut()
}

// movesTold are the sentences about a page that depends on the frames before.
func (j *job) movesTold() []string {
	var told []string
	if j.plan.moves {
		what := ""
		if j.moving != "" {
			what = " (" + j.moving + ")"
		}
		told = append(told, "the page moves by itself between seeks"+what+": what it shows depends on the frames before, so its parts were drawn "+
			`through all frames before them; write "play": true into koda.json to let it play, or have window.__exportSeekTo show each time by itself`)
	}
	slices.Sort(j.uneven)
	var frames []string
	for _, n := range slices.Compact(j.uneven) {
		frames = append(frames, fmt.Sprint(n))
	}
	if len(frames) > 0 {
		told = append(told, fmt.Sprintf("at frame %s the video may jump: drawn in two ways, the page showed two pictures; "+
			"what is random, or runs by the machine's own clock, such as workers, cannot be drawn twice alike", strings.Join(frames, ", ")))
	}
	return told
}

// bringForward shows a page the frames before a segment, undrawn.
func (j *job) bringForward(ctx context.Context, tab Tab, i int) error {
	ahead := j.plan.ahead(j.plan.segments[i])
	for n := range ahead {
		if n == ahead/2 {
			failpoint.Hit("render.forward")
		}
		if err := tab.Pass(ctx, n); err != nil {
			return err
		}
		j.progress.pass(i, n+1)
	}
	return nil
}
