package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/strip"
	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// widestFrame is the most columns of a picture of a video.
const widestFrame = 120

// PlayOptions are the arguments of `koda play`.
type PlayOptions struct {
	Project string
}

type playResult struct {
	head
	Project koda.Project `json:"project"`
	Version int          `json:"version"`
	Preview string       `json:"preview"` // absolute path of the video
}

func (r *playResult) made() []made {
	return appendMade(nil, made{Kind: "preview", Path: r.Preview, Version: r.Version})
}

func newPlayCmd(a *app, runF func(context.Context, *PlayOptions) error) *cobra.Command {
	if runF == nil {
		runF = func(ctx context.Context, o *PlayOptions) error { return runPlay(ctx, a, o) }
	}
	return &cobra.Command{
		Use:     "play [PROJECT]",
		Short:   "Play the preview in the terminal",
		GroupID: groupLook,
		Long: `Play the preview of a project in the terminal, at its own speed, and print the
path of the video. Any key ends it. It needs a terminal with 256 colours and
UTF-8; elsewhere only the path is printed. Terminals that know kitty graphics
show whole pictures, others half blocks.`,
		Example: "  koda play bouncing-ball",
		Args:    between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runF(cmd.Context(), &PlayOptions{Project: first(args)})
		},
		ValidArgsFunction: a.completeProjects,
	}
}

// strip finds what of a project can be shown in a terminal.
func (a *app) strip(ctx context.Context, ref string) (s engine.Strip, err error) {
	err = a.withEngine(ctx, func(ctx context.Context, e Engine) error {
		p, err := a.findOrTakeUp(ctx, e, ref)
		if err != nil {
			return err
		}
		s, err = e.Strip(ctx, p.ID, 0)
		s.Project = p
		return err
	})
	return s, err
}

func runPlay(ctx context.Context, a *app, o *PlayOptions) error {
	s, err := a.strip(ctx, o.Project)
	if err != nil && s.Video == "" {
		return err
	}
	th := a.look().out
	if plays := a.io.OutTTY && !a.json && !a.quiet; plays && th.Pixels() {
		if err != nil {
			return err
		}
		if err := a.play(ctx, th, s); err != nil {
			return err
		}
	} else if plays {
		a.say("", "this terminal shows no pictures: they need 256 colours and UTF-8")
	}
	a.result = &playResult{Project: s.Project, Version: s.Version, Preview: s.Video}
	if a.json || s.Video == "" {
		return nil
	}
	_, err = fmt.Fprintln(a.io.Out, s.Video)
	return err
}

// showFrame shows one frame of the preview.
func (a *app) showFrame(ctx context.Context, o *ShowOptions) (err error) {
	instead := fmt.Sprintf("koda still %s --at %s draws the frame as a file", cmp.Or(o.Project, "PROJECT"), number(float64(o.Frame)))
	if a.json {
		return usage(instead, "--frame shows a picture, and --json has none")
	}
	way := a.way()
	if way.Mode == graphics.None {
		return usage(instead, "pictures need a terminal with 256 colours and UTF-8")
	}
	s, err := a.strip(ctx, o.Project)
	if err != nil {
		return err
	}
	pictures, closed, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed()) }()
	if end := pictures.Info().Duration; o.Frame < 0 || float64(o.Frame) > end {
		return usage(fmt.Sprintf("give 0 to %s", number(end)), "--frame %g is outside the preview", float64(o.Frame))
	}
	still, at, err := pictures.At(float64(o.Frame))
	if err != nil {
		return err
	}
	th := a.look().out
	columns, under := a.room(th, s, still, at, pictures.Info().Duration)
	_, err = fmt.Fprint(a.io.Out, a.pictured(way, still, columns)+under+"\n")
	return err
}

// shownFrame is a frame as a terminal shows it.
type shownFrame struct {
	lines []string
	under string
}

// text is the frame, with the cursor at the start of the line below it, in a raw terminal too.
func (f shownFrame) text() string {
	next := "\n" + theme.LineStart()
	return strings.Join(f.lines, next) + "\n" + theme.ClearLine() + f.under + next
}

// frame draws a still as large as the terminal allows, with scene and time below it. A terminal places the pictures of
// sixel and iTerm2 as it likes, so one that is drawn over another is made of half blocks there.
func (a *app) frame(caps graphics.Caps, th theme.Theme, s engine.Strip, still image.Image, at, end float64) shownFrame {
	columns, under := a.room(th, s, still, at, end)
	if caps.Within() == graphics.Kitty {
		if sent, lines := caps.Kitty(1, graphics.Smaller(still, columns), columns, graphics.Rows(still.Bounds().Size(), columns)); sent != "" {
			lines[0] = sent + lines[0]
			return shownFrame{lines, under}
		}
	}
	return shownFrame{widget.Halves(th, still, columns), under}
}

// room is how wide the terminal allows a still to be, and the line below it.
func (a *app) room(th theme.Theme, s engine.Strip, still image.Image, at, end float64) (columns int, below string) {
	width := a.io.Columns()
	columns = min(width, widestFrame)
	if a.io.Height != nil && a.io.Height() > 0 {
		// The line below the picture and the line of the cursor need room too. A line shows
		// two rows of pixels.
		size := still.Bounds().Size()
		columns = min(columns, 2*max(1, a.io.Height()-2)*size.X/max(1, size.Y))
	}
	under := fmt.Sprintf("%s / %s", clock(at), clock(end))
	if title := sceneAt(s.Scenes, at); title != "" {
		under += " " + th.Glyphs.Dot + " " + title
	}
	return max(2, columns), th.Muted.Render(widget.Cut(under, max(1, width-1), th.Glyphs.Ellipsis))
}

// sceneAt is the title of the scene at a time; "" if the scene has none.
func sceneAt(scenes []koda.SceneStart, at float64) (title string) {
	if n := koda.SceneAt(scenes, at); n > 0 {
		title = cmp.Or(widget.Line(scenes[n-1].Title), fmt.Sprintf("scene %d", n))
	}
	return title
}

// clock writes seconds as people do, with tenths.
func clock(seconds float64) string {
	tenths := int(seconds*10 + 0.05)
	return fmt.Sprintf("%d:%02d.%d", tenths/600, tenths/10%60, tenths%10)
}

// play plays a strip in place until its end, a key or the end of ctx. Frames for which
// the terminal is too slow are left out.
func (a *app) play(ctx context.Context, th theme.Theme, s engine.Strip) (err error) {
	pictures, closed, err := s.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed()) }()
	caps := a.way() // asks the terminal: before keys are read
	pressed, restore := a.io.key()
	defer restore()
	p := player{a: a, caps: caps, th: th, strip: s, pictures: pictures}
	began, end := a.deps.Now(), pictures.Info().Duration
	for {
		at := a.deps.Now().Sub(began).Seconds()
		if at >= end {
			return p.draw(pictures.Len() - 1)
		}
		i := pictures.Index(at)
		if err := p.draw(i); err != nil {
			return err
		}
		next := end
		if i+1 < pictures.Len() {
			next = pictures.Time(i + 1)
		}
		// Rounded up: a clock that stands just before the next still would be asked again.
		wait := time.Duration((next-a.deps.Now().Sub(began).Seconds())*float64(time.Second)) + time.Microsecond
		select {
		case <-a.io.After(max(wait, 0)):
		case <-pressed:
			return nil
		case <-ctx.Done():
			return nil // whoever ends the playing has seen what they wanted
		}
	}
}

// player draws the stills of a strip over each other.
type player struct {
	a        *app
	caps     graphics.Caps
	th       theme.Theme
	strip    engine.Strip
	pictures *strip.Strip
	drawn    int // one more than the still on the screen
	lines    int // of it; 0: nothing is on the screen
	columns  int // of the terminal then
}

func (p *player) draw(i int) error {
	if p.drawn == i+1 {
		return nil
	}
	still, err := p.pictures.Still(i)
	if err != nil {
		return err
	}
	if columns := p.a.io.Columns(); columns != p.columns { // what is on the screen may be broken into other lines
		p.columns, p.lines = columns, 0
	}
	f := p.a.frame(p.caps, p.th, p.strip, still, p.pictures.Time(i), p.pictures.Info().Duration)
	_, err = fmt.Fprint(p.a.io.Out, theme.LinesUp(p.lines)+f.text())
	p.drawn, p.lines = i+1, len(f.lines)+1
	return err
}
