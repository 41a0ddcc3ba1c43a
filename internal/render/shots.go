package render

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/koda"
)

// Pixels read from a browser are checked. If the pixels of a segment are not what
// the page shows, the video does not fail: the segment is drawn from its start by
// screenshots, under the name it has on a machine where no pixels can be read. A
// note under its original name lets later renders find it there.

// of is the plan for one segment.
func (p plan) of(s segment) plan {
	if s.shots {
		p.view.Raw, p.facts.Capture.Method = false, koda.MethodBeginFrame
	}
	return p
}

// distrust lets a segment whose pixels were wrong be drawn by screenshots from now
// on. Keys, if not "", are the keys of its frames.
func (j *job) distrust(i int, keys string) error {
	seg := j.plan.segments[i]
	j.segments.distrust(seg.page)
	if name, ok := seg.nameBy(keys); ok {
		j.segments.distrust(name)
	}
	return j.byShots(i)
}

// byShots makes a segment a segment drawn by screenshots.
func (j *job) byShots(i int) error {
	seg := segment{Span: j.plan.segments[i].Span, shots: true}
	s, err := j.plan.of(seg).segment(seg.Span)
	if err != nil {
		return err
	}
	s.shots = true
	j.plan.segments[i] = s
	return nil
}

// foundLate counts a segment that was found during the drawing as reused.
func (j *job) foundLate(i int) {
	n := j.plan.segments[i].Len()
	j.mu.Lock()
	j.reused += n
	j.mu.Unlock()
	j.progress.found(i, n)
}

// noteShot remembers, for a warning, that a segment was drawn by screenshots.
func (j *job) noteShot(seg segment) {
	if seg.shots {
		j.mu.Lock()
		j.shot = append(j.shot, koda.Range{First: seg.Start, Last: seg.End - 1})
		j.mu.Unlock()
	}
}

// distrust notes that the pixels of the segment with a name were wrong.
func (s store) distrust(name string) {
	// Without the note the pixels are read again, and found wrong again.
	_ = atomicfile.Write(filepath.Join(s.dir, name+shotExt), nil, 0o644) //nolint:errcheck // see above
}

func (s store) distrusted(name string) bool {
	_, ok := s.note(filepath.Join(s.dir, name+shotExt))
	return ok
}

// withoutRaw is the plan for a system that does not let koda read pixels, whatever
// koda knew before: the machine is asked again.
func (r *Renderer) withoutRaw(ctx context.Context, p plan, why error) (plan, error) {
	facts, err := r.cfg.Drawer.Facts(ctx, koda.FactsJob{Spec: p.spec, View: viewOf(p.spec), Anew: true})
	if err != nil {
		return plan{}, err
	}
	if facts.Capture.Method == koda.MethodFramebuffer { // the machine contradicts itself
		facts.Capture.Method = koda.MethodBeginFrame
	}
	p.facts, p.refused = facts.For(p.page), koda.Sentence(why)
	return r.decide(ctx, p)
}

// told are all warnings.
func (j *job) told() []string {
	all := slices.Concat(j.plan.page.Warnings, sentences(j.mishaps))
	if why := j.emptiness(); why != "" {
		all = append(all, why)
	}
	if j.plan.refused != "" {
		all = append(all, "all frames are drawn by screenshots, which takes several times as long: "+j.plan.refused)
	}
	for _, what := range j.plan.changed {
		all = append(all, what+" while the video was drawn: all of it was drawn again")
	}
	slices.SortFunc(j.shot, func(a, b koda.Range) int { return a.First - b.First })
	var frames []string
	for _, r := range j.shot {
		frames = append(frames, fmt.Sprintf("%d-%d", r.First, r.Last))
	}
	if len(frames) > 0 {
		all = append(all, fmt.Sprintf("frames %s were drawn by screenshots, which takes several times as long: %v", strings.Join(frames, ", "), koda.ErrRawWrong))
	}
	if j.stripless != nil {
		all = append(all, "the preview cannot be shown in the terminal, because its strip was not made: "+koda.Sentence(j.stripless))
	}
	return append(all, j.movesTold()...)
}
