package draw

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"time"

	"golang.org/x/image/draw"

	"github.com/koda-video/koda/internal/eye"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

const (
	restTime     = 0.2              // seconds for which a text must stand still to be at rest
	examTime     = 30 * time.Second // after that only the pictures are drawn
	sheetQuality = 85
	passRate     = 15               // frames a second that are shown and not looked at
	passTime     = 10 * time.Second // for all of them
)

// exam draws the frames of a job on one sheet and looks at them. What is looked at besides
// the pictures is left out where the page is too slow, or does not bear it: a picture is
// worth more than no answer.
func (d *Drawer) exam(ctx context.Context, tab Tab, job koda.LookJob) (seen koda.Looked, err error) {
	x := &examination{tab: tab, job: job, until: d.cfg.Now().Add(examTime), now: d.cfg.Now}
	for _, n := range job.Frames {
		if err := x.look(ctx, n); err != nil {
			return seen, err
		}
	}
	if err := x.pass(ctx); err != nil {
		return seen, err
	}
	seen.Findings = eye.JudgeFrames(x.sights, x.before)
	seen.Findings = append(seen.Findings, x.again(ctx)...)
	for _, m := range tab.Mishaps() {
		seen.Findings = append(seen.Findings, koda.Finding{Kind: koda.FindingMishap, About: m.String(), Serious: true})
	}
	for _, m := range tab.Logged() {
		seen.Findings = append(seen.Findings, koda.Finding{Kind: koda.FindingLogged, About: m.String()})
	}
	for i, s := range x.sights {
		var before *eye.Sight
		if i > 0 {
			before = &x.sights[i-1]
		}
		seen.Sights = append(seen.Sights, eye.Tell(s, before))
	}
	seen.PNG, err = x.sheet()
	return seen, err
}

// examination is an exam under way.
type examination struct {
	tab    Tab
	job    koda.LookJob
	now    func() time.Time
	until  time.Time
	sights []eye.Sight
	before []*eye.View
	plain  bool // only pictures are drawn from now on
}

// more reports whether there is time to look closer.
func (x *examination) more(ctx context.Context) bool {
	x.plain = x.plain || ctx.Err() != nil || x.now().After(x.until)
	return !x.plain
}

// look draws a frame and asks the page what it shows.
func (x *examination) look(ctx context.Context, n int) error {
	fps := x.job.View.FPS
	s := eye.Sight{Seconds: timeline.Seconds(n, fps)}
	rest := n - int(math.Ceil(restTime*float64(fps.Num)/float64(fps.Den)))
	var before *eye.View
	if rest >= 0 && !x.job.Page.Plays && x.more(ctx) {
		if v, ok := x.view(ctx, rest); ok {
			before = &v
		}
	}
	var err error
	if s.Picture, err = x.capture(ctx, n); err != nil {
		return err
	}
	if x.more(ctx) {
		s.View, _ = x.view(ctx, n)
	}
	if before != nil && len(s.View.Texts) > 0 && x.more(ctx) {
		if _, err := x.tab.Ask(ctx, n, eye.HideTexts); err == nil {
			s.Bare, _ = x.capture(ctx, n) //nolint:errcheck // then nothing is said of contrasts
		}
		if _, err := x.tab.Ask(ctx, n, eye.HideNothing); err != nil {
			x.plain = true
		}
	}
	x.sights, x.before = append(x.sights, s), append(x.before, before)
	return nil
}

// view is what the page says of a frame. A page that says nonsense is not asked again.
func (x *examination) view(ctx context.Context, n int) (eye.View, bool) {
	told, err := x.tab.Ask(ctx, n, eye.Texts)
	if err == nil {
		var v eye.View
		if v, err = eye.ReadView(told); err == nil {
			return v, true
		}
	}
	x.plain = true
	return eye.View{}, false
}

// pass shows the frames that a preview has, as far as there is time, and draws none: a page
// may throw between the frames that are looked at, and then no video can be made.
func (x *examination) pass(ctx context.Context) error {
	fps := x.job.View.FPS
	until := x.now().Add(passTime)
	for n := 0; n < x.job.Total && !x.job.Page.Plays; n += max(1, fps.Num/(passRate*fps.Den)) {
		if !x.more(ctx) || x.now().After(until) {
			break
		}
		if _, err := x.tab.Ask(ctx, n, "''"); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// again draws each frame a second time, after another part of the animation, and tells
// the first that differs.
func (x *examination) again(ctx context.Context) []koda.Finding {
	if x.job.Page.Plays {
		return nil
	}
	for i, n := range x.job.Frames {
		if !x.more(ctx) {
			return nil
		}
		far := (n + x.job.Total/2) % max(1, x.job.Total)
		if _, err := x.tab.Ask(ctx, far, "''"); err != nil {
			return nil
		}
		picture, err := x.capture(ctx, n)
		if err != nil {
			return nil
		}
		if eye.Apart(x.sights[i].Picture, picture) {
			return []koda.Finding{{
				Seconds: x.sights[i].Seconds, Kind: koda.FindingDiffers, Serious: true,
				About: fmt.Sprintf("shown after second %.2f, the frame is another one; a frame must follow from its time alone", timeline.Seconds(far, x.job.View.FPS)),
			}}
		}
	}
	return nil
}

func (x *examination) capture(ctx context.Context, n int) (*image.NRGBA, error) {
	data, err := x.tab.Capture(ctx, n)
	if err != nil {
		return nil, err
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, failedAt(n, err)
	}
	p := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(p, p.Rect, img, img.Bounds().Min, draw.Src)
	return p, nil
}

// sheet is all pictures on one, as a JPEG.
func (x *examination) sheet() ([]byte, error) {
	job := x.job
	gap := max(1, job.Width/sheetGap)
	columns := max(1, min(job.Columns, len(x.sights)))
	rows := (len(x.sights) + columns - 1) / columns
	all := image.NewRGBA(image.Rect(0, 0, columns*(job.Width+gap)+gap, rows*(job.Height+gap)+gap))
	draw.Draw(all, all.Rect, image.NewUniform(color.Gray{32}), image.Point{}, draw.Src)
	for i, s := range x.sights {
		at := image.Pt(gap+i%columns*(job.Width+gap), gap+i/columns*(job.Height+gap))
		draw.CatmullRom.Scale(all, image.Rectangle{at, at.Add(image.Pt(job.Width, job.Height))}, s.Picture, s.Picture.Rect, draw.Over, nil)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, all, &jpeg.Options{Quality: sheetQuality}); err != nil {
		return nil, fmt.Errorf("make sheet: %w", err)
	}
	return b.Bytes(), nil
}
