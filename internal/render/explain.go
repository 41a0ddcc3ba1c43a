package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
)

// cause is a fact that all bytes of a video depend on.
type cause struct {
	reason koda.DrawReason
	value  string
	why    string // why the video was drawn again when the value changed; %s: the two values
}

// causes lists the facts that the keys of all segments have in common, apart from
// the page.
func (p plan) causes() []cause {
	s := p.spec
	return []cause{
		{koda.DrawnKoda, fmt.Sprint(captureVersion), "this koda draws frames in another way"},
		{koda.DrawnSize, fmt.Sprintf("%dx%d of %dx%d", s.Width, s.Height, s.PageWidth, s.PageHeight), "the size changed: it is %s, and was %s"},
		{koda.DrawnRate, s.FPS.String(), "the frame rate changed: it is %s, and was %s"},
		{koda.DrawnParameters, string(s.Props), "the parameters of the page changed"},
		{koda.DrawnEncoding, strings.TrimSpace(strings.Join(ffmpeg.Args(p.encoding()), " ") + " " + p.facts.Encoder.Device), "it is encoded in another way"},
		{koda.DrawnBrowser, p.facts.Capture.Build, "the browser is another: it is %s, and was %s"},
		{koda.DrawnMethod, p.facts.Capture.Method + ", WebGL " + p.gl(), "frames are captured in another way: by %s, and before by %s"},
		{koda.DrawnFFmpeg, p.facts.FFmpeg, "ffmpeg is another build"},
		{koda.DrawnFonts, p.facts.Fonts, "the fonts of this machine changed"},
	}
}

// lastRender is the note about the last successful render of a video, to say what
// is different now.
type lastRender struct {
	Facts map[koda.DrawReason]string `json:"facts"`
	Page  string                     `json:"page"`
	Code  string                     `json:"code"`
	Spans []string                   `json:"spans"`
}

func (p plan) lastRender() lastRender {
	l := lastRender{Facts: map[koda.DrawReason]string{}, Page: p.page.Digest, Code: p.page.Code}
	for _, f := range p.causes() {
		l.Facts[f.reason] = f.value
	}
	for _, s := range p.segments {
		l.Spans = append(l.Spans, s.String())
	}
	return l
}

// last is the file that notes the last render. There is a file for each preset of
// an animation and each directory of its videos.
func (s store) last(p plan) string {
	id := fmt.Sprintf("%q %q %q %q", filepath.Dir(p.spec.Output), p.name, p.spec.Kind, p.spec.Preset)
	sum := sha256.Sum256([]byte(id))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:])+lastExt)
}

// noteRender notes a successful render.
func (j *job) noteRender() {
	data, err := json.Marshal(j.plan.lastRender())
	if err != nil || j.plan.spec.NoCache {
		return
	}
	_ = atomicfile.Write(j.segments.last(j.plan), data, 0o644) //nolint:errcheck // the next render only says less about its reasons
}

// explain says of every segment whether it will be drawn, and why. The segments of
// todo are drawn.
func (j *job) explain(todo []int) []koda.Range {
	var before *lastRender
	if text, ok := j.segments.note(j.segments.last(j.plan)); ok {
		before = &lastRender{}
		if json.Unmarshal([]byte(text), before) != nil {
			before = nil
		}
	}
	var ranges []koda.Range
	for i, s := range j.plan.segments {
		r := koda.Range{First: s.Start, Last: s.End - 1}
		switch {
		case slices.Contains(todo, i):
			r.Reason, r.Why = j.plan.whyDrawn(s, before)
		case j.byKeys[i]:
			r.Reused, r.Reason, r.Why = true, koda.ReusedKeys, "the page or its parameters changed, but neither its code nor a frame key here"
		default:
			r.Reused, r.Reason, r.Why = true, koda.ReusedSame, "the same was drawn before"
		}
		if n := len(ranges); n > 0 && ranges[n-1].Reason == r.Reason && ranges[n-1].Reused == r.Reused {
			ranges[n-1].Last = r.Last
			continue
		}
		ranges = append(ranges, r)
	}
	return ranges
}

// whyDrawn compares the plan with the last render; before is nil when there was no
// last render.
func (p plan) whyDrawn(s segment, before *lastRender) (koda.DrawReason, string) {
	switch {
	case p.spec.NoCache:
		return koda.DrawnNoCache, "--no-cache was given"
	case before == nil:
		return koda.DrawnFirst, "it was not drawn before"
	}
	for _, f := range p.causes() {
		if old := before.Facts[f.reason]; old != f.value {
			if strings.Contains(f.why, "%s") {
				return f.reason, fmt.Sprintf(f.why, f.value, old)
			}
			return f.reason, f.why
		}
	}
	switch {
	case !slices.Contains(before.Spans, s.String()):
		return koda.DrawnCuts, "the video is cut elsewhere, as its length or its scenes changed"
	case before.Page == p.page.Digest:
		return koda.DrawnGone, "its file is damaged, or gone from the cache"
	case p.page.Code == "":
		return koda.DrawnPage, "the page changed, and does not say which frames that concerns"
	case before.Code != p.page.Code:
		return koda.DrawnCode, "the code of the page changed"
	}
	return koda.DrawnKeys, "frame keys here changed, or the one of what the page shows first"
}
