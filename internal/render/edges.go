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

// The picture of a page without frame keys may depend on what the page showed
// before, and each segment begins on a fresh page. So a segment is drawn for one
// frame more than it has, and that frame is compared with the first frame of the
// next segment. If the two differ, the page depends on the frames before; then all
// of its segments are drawn forward, through all frames before them. The compared
// pictures are kept beside the segments, so that segments found in the cache are
// compared too.

// edgeNoise is by how many of 255 levels two means may differ. Letters that were
// drawn turned before differ by 7 from the letters of a fresh page. A thing that
// moves by itself for the length of a segment differs by far more.
const edgeNoise = 12

// differs reports whether two pictures differ, by their means.
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

// withAside appends an aside to the digest of a segment's file.
func withAside(a koda.Aside, to []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err == nil {
		err = errors.Join(json.NewEncoder(w).Encode(a), w.Close())
	}
	if err != nil {
		return to // the cuts of the page are not compared
	}
	return append(to, b.Bytes()...)
}

// aside is what is kept beside a segment; empty if that is damaged.
func (s store) aside(seg segment) koda.Aside {
	text, err := os.ReadFile(s.path(seg) + sumExt)
	if err != nil || len(text) <= sumLen {
		return koda.Aside{}
	}
	var a koda.Aside
	const most = 1 << 24 // enough for pictures of any size
	if json.NewDecoder(io.LimitReader(flate.NewReader(bytes.NewReader(text[sumLen:])), most)).Decode(&a) != nil {
		return koda.Aside{}
	}
	return a
}

// errMoves ends the drawing of a plan whose segments begin on a fresh page: the
// picture of the page depends on the frames before.
var errMoves = errors.New("the page depends on the frames before")

// take takes a finished segment into the video: it notes the segment's warnings,
// and compares the segment with its finished neighbours.
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

// forward reports whether the page is brought to each segment through all frames
// before it.
func (p plan) forward() bool { return p.page.Plays || p.moves }

// ahead is how many frames a segment's page is brought forward through.
func (p plan) ahead(seg segment) int {
	if p.forward() {
		return seg.Start
	}
	return 0
}

// inForward is the plan for a page that was found to depend on the frames before.
// It notes that, and draws all segments through the frames before them, so that no
// byte depends on which cut was compared first.
func (r *Renderer) inForward(p plan) (plan, error) {
	if err := r.note(p, byMoves, true); err != nil {
		return plan{}, err
	}
	p.moves = true
	return p, p.cut()
}

// movesTold are the warnings about a page that depends on the frames before.
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
