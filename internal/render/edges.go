package render

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// A page without frame keys may show a time by what it showed before, and each
// segment begins on a fresh page. So a segment is drawn for one frame longer than
// it is, and that frame is compared with the first of the next segment. Where they
// differ the page depends on the frames before: then all of its segments are
// drawn forward, through all frames before them. What is compared is kept beside
// the segments, so that those found in the cache are compared too.

// edgeNoise is by how many of 255 levels two means may differ. Letters that were
// drawn turned before differ by 7 from those of a fresh page; what moves by itself
// for the length of a segment differs by far more.
const edgeNoise = 12

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

// withAside appends what is kept beside a segment to the digest of its file.
func withAside(a koda.Aside, to []byte) []byte {
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
func (s store) aside(seg segment) koda.Aside {
	text, err := os.ReadFile(s.path(seg) + sumExt)
	if err != nil || len(text) <= sumLen {
		return koda.Aside{}
	}
	var a koda.Aside
	const most = 1 << 24 // of pictures of any size
	if json.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(text[sumLen:])), most)).Decode(&a) != nil {
		return koda.Aside{}
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
		j.uneven = append(j.uneven, j.plan.segments[k].Start)
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
