package guest

import (
	"bytes"
	"errors"
	"image/jpeg"
	"image/png"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// What a guest says of drawings is checked before anybody believes it: what is not a name,
// a number or a picture of the job is refused, or left out where nothing depends on it.

var (
	namePattern   = regexp.MustCompile(`^[\w./:+ -]{0,200}$`)
	colourPattern = regexp.MustCompile(`^#[0-9a-f]{6}([0-9a-f]{2})?$`)
)

func strange(what string) error {
	return &koda.Error{Code: koda.CodeProviderError, Op: "the sandbox does not answer as it should: it sent " + what, Hint: tryAgain}
}

// checkFacts refuses facts that cannot be.
func checkFacts(f koda.Facts) error {
	c := f.Capture
	names := []string{c.Browser, c.Build, c.Method, c.GL, c.Sandbox, f.FFmpeg, f.Fonts, f.Encoder.Name, f.Encoder.Device}
	if slices.ContainsFunc(names, func(s string) bool { return !namePattern.MatchString(s) }) || c.Build == "" || c.Method == "" || f.FFmpeg == "" || f.Fonts == "" {
		return strange("facts that cannot be")
	}
	if k := f.Capacity; k.CPUs < 0 || k.CPUs > 1<<14 || min(k.Memory, k.Worker, k.WebGL, k.Raw) < 0 || max(k.Worker, k.WebGL, k.Raw) > 1<<50 {
		return strange("a capacity that cannot be")
	}
	if f.Fonts == koda.OwnFonts || max(len(c.Why), len(c.SandboxWhy), len(c.SandboxFix), len(f.Encoder.Note)) > most {
		return strange("facts that cannot be")
	}
	return nil
}

// digestOf reports whether a text is a digest or missing.
func digestOf(s string) bool { return s == "" || sumPattern.MatchString(s) }

func checkInspected(job koda.InspectJob, seen koda.Inspected) error {
	if len(seen.Keys) != len(job.Keys) || slices.ContainsFunc(seen.Keys, func(k string) bool { return !digestOf(k) }) {
		return strange("keys that cannot be")
	}
	return nil
}

// plausible is the progress of a segment as it can be. What is shown of it is checked,
// and no more.
func plausible(p koda.SegmentProgress, job koda.SegmentJob) koda.SegmentProgress {
	p.Drawn, p.Passed = min(max(p.Drawn, 0), job.Span.Len()), min(max(p.Passed, 0), job.Span.Start)
	p.Try = min(max(p.Try, 0), max(job.Tries, 1))
	if !slices.Contains([]koda.Doing{koda.DoingStart, koda.DoingForward, koda.DoingDraw, koda.DoingEncode}, p.Doing) {
		p.Doing = ""
	}
	if g := p.Glimpse; g != nil {
		size, err := jpeg.DecodeConfig(bytes.NewReader(g.JPEG))
		if err != nil || max(size.Width, size.Height) > koda.GlimpseSide || g.Frame < job.Span.Start || g.Frame >= job.Span.End || !job.Spec.Glimpses {
			p.Glimpse = nil
			return p
		}
		g.Time = timeline.Seconds(g.Frame, job.Spec.FPS)
	}
	return p
}

// mostMishaps bounds the mishaps of a page in one segment.
const mostMishaps = 50

func checkMishaps(all []koda.Mishap) []koda.Mishap {
	all = all[:min(len(all), mostMishaps)]
	for i, m := range all {
		all[i] = koda.Mishap{What: clip(m.What), Times: min(max(m.Times, 1), math.MaxInt32)}
	}
	return all
}

// checkDrawn leaves out what cannot be: a check that misses its picture fails no video.
func checkDrawn(d koda.Drawn, job koda.SegmentJob) koda.Drawn {
	d.Mishaps = checkMishaps(d.Mishaps)
	d.Retries = d.Retries[:min(len(d.Retries), job.Tries)]
	for i, text := range d.Retries {
		d.Retries[i] = clip(text)
	}
	if !digestOf(d.Keys) {
		d.Keys = ""
	}
	if !colourPattern.MatchString(d.Flat) {
		d.Flat = ""
	}
	if d.Edge != nil {
		d.Edge.Moves = clip(d.Edge.Moves)
	}
	return d
}

func checkLooked(job koda.LookJob, seen koda.Looked) error {
	if job.Bench != nil {
		bad := func(name string, rates ...float64) bool {
			return !namePattern.MatchString(name) || slices.Min(rates) < 0
		}
		b := seen.Bench
		if b.Frames < 1 || b.Frames > job.Bench.Spec.Frames || len(b.Stages) > 100 || len(b.Limits) > 100 ||
			slices.ContainsFunc(b.Stages, func(s koda.BenchStage) bool { return bad(s.Name, s.MS, s.PerFrame) }) ||
			slices.ContainsFunc(b.Limits, func(l koda.BenchLimit) bool { return bad(l.Name, l.Rate) }) {
			return strange("measurements that cannot be")
		}
		return nil
	}
	decode := png.DecodeConfig
	if job.Exam {
		decode = jpeg.DecodeConfig
		if err := checkExam(job, seen); err != nil {
			return err
		}
	}
	size, err := decode(bytes.NewReader(seen.PNG))
	columns, rows, gaps := 1, 1, 0
	if job.Columns > 0 { // a sheet has gaps, which are smaller than its pictures
		columns = min(job.Columns, len(job.Frames))
		rows, gaps = (len(job.Frames)+columns-1)/columns, 1+job.Width/10
	}
	if beyond := func(got, count, each int) bool { return got < count*each || got > count*each+(count+1)*gaps }; err == nil &&
		(beyond(size.Width, columns, job.Width) || beyond(size.Height, rows, job.Height)) {
		err = errors.New("its size is another")
	}
	if err != nil {
		return strange("a picture that cannot be: " + strings.ToLower(err.Error()))
	}
	return nil
}

// Bounds of what an exam tells.
const (
	mostFindings = 200
	mostTexts    = 100 // of a frame
)

// checkExam refuses what cannot be seen of frames, and clips texts.
func checkExam(job koda.LookJob, seen koda.Looked) error {
	if len(seen.Sights) != len(job.Frames) || len(seen.Findings) > mostFindings {
		return strange("an exam that cannot be")
	}
	for i, s := range seen.Sights {
		if s.Seconds != timeline.Seconds(job.Frames[i], job.View.FPS) || !(s.Changed >= 0 && s.Changed <= 1) || len(s.Texts) > mostTexts || len(s.Colours) > mostTexts ||
			slices.ContainsFunc(s.Colours, func(c string) bool { return !colourPattern.MatchString(c) }) {
			return strange("a frame that cannot be")
		}
		seen.Sights[i].Scene = ""
		for k, t := range s.Texts {
			s.Texts[k].Text = clip(t.Text)
		}
	}
	for i, f := range seen.Findings {
		if !namePattern.MatchString(string(f.Kind)) || !(f.Seconds >= 0 && f.Seconds <= koda.MaxDuration) {
			return strange("a finding that cannot be")
		}
		seen.Findings[i].About = clip(f.About)
	}
	return nil
}
