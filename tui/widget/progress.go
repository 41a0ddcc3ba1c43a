package widget

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/theme"
)

const (
	minBar = 8
	maxBar = 40
)

// Progress is one line about a render:
//
//	preview  ████████████░░░░░░░░  45/75 frames  38 fps  about 1 s left
//
// When room is short it leaves out the word "frames", the rate, the time left, the
// bar and the label, in that order; the count stays. Figures keep their place from
// one report to the next.
func Progress(th theme.Theme, label string, p koda.Progress, width int) string {
	label = Line(label)
	if p.Frames <= 0 {
		return Cut(th.Text.Render(label)+"  "+th.Muted.Render(string(p.Stage)), width, th.Glyphs.Ellipsis)
	}
	done := min(max(p.Frame, 0), p.Frames)
	digits := len(fmt.Sprint(p.Frames))
	count := fmt.Sprintf("%*d/%d", digits, done, p.Frames)
	full := []string{count + " frames", passed(p), rate(p), left(p)}
	for _, facts := range [][]string{full, {count, full[1], full[2], full[3]}, {count, full[1], full[3]}, {count, full[3]}, {count, strings.TrimPrefix(full[3], "about ")}, {count}} {
		tail := joinFacts(facts)
		room := width - ansi.StringWidth(label) - ansi.StringWidth(tail) - 4
		if room >= minBar {
			return th.Text.Render(label) + "  " + bar(th, part(p, done), min(room, maxBar)) + "  " + styleFacts(th, tail)
		}
	}
	if ansi.StringWidth(label)+2+len(count) <= width {
		return th.Text.Render(label) + "  " + styleFacts(th, count)
	}
	return styleFacts(th, Cut(count, width, th.Glyphs.Ellipsis))
}

// Summary is Progress for a stream that cannot be redrawn; it has no bar.
//
//	preview: 45/75 frames, 38 fps, about 1 s left
func Summary(label string, p koda.Progress) string {
	facts := []string{}
	for _, f := range []string{fmt.Sprintf("%d/%d frames", min(max(p.Frame, 0), p.Frames), p.Frames), passed(p), strings.TrimSpace(rate(p)), strings.TrimSpace(left(p))} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	if p.Frames <= 0 {
		facts = []string{string(p.Stage)}
	}
	return Line(label) + ": " + strings.Join(facts, ", ")
}

func joinFacts(facts []string) string {
	kept := facts[:0:0]
	for _, f := range facts {
		if f != "" {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, "  ")
}

func styleFacts(th theme.Theme, tail string) string {
	count, rest, found := strings.Cut(tail, "  ")
	if !found {
		return th.Text.Render(count)
	}
	return th.Text.Render(count) + th.Muted.Render("  "+rest)
}

func bar(th theme.Theme, part float64, width int) string {
	full := int(math.Floor(part * float64(width)))
	if part > 0 && full == 0 {
		full = 1
	}
	return th.Accent.Render(strings.Repeat(th.Glyphs.BarFull, full)) +
		th.Muted.Render(strings.Repeat(th.Glyphs.BarRest, width-full))
}

// passed says how far pages that play by themselves have been brought forward; ""
// when no page is to be brought forward any more.
func passed(p koda.Progress) string {
	if p.Passed >= p.ToPass {
		return ""
	}
	return fmt.Sprintf("%d/%d played", p.Passed, p.ToPass)
}

// part is how much of a render is done. Bringing pages forward counts as work
// beside drawing frames.
func part(p koda.Progress, done int) float64 {
	if p.ToPass > 0 {
		return min(max(p.Percent, 0), 100) / 100
	}
	return float64(done) / float64(p.Frames)
}

// rate is "38 fps" or "4.2 fps", six columns at least; "" while the rate is unknown.
func rate(p koda.Progress) string {
	switch {
	case !(p.Rate > 0) || math.IsInf(p.Rate, 0):
		return ""
	case p.Rate < 9.95:
		return fmt.Sprintf("%.1f fps", p.Rate)
	}
	return fmt.Sprintf("%3.0f fps", p.Rate)
}

// left is the time left, rounded up so that it never promises too much. Once all
// frames are drawn, left names the work that follows.
func left(p koda.Progress) string {
	if p.Stage == koda.StageEncoding || p.Stage == koda.StageUploading {
		if p.Frame >= p.Frames {
			return map[koda.Stage]string{koda.StageEncoding: "encoding", koda.StageUploading: "publishing"}[p.Stage]
		}
	}
	if p.Remaining <= 0 {
		return ""
	}
	return About(p.Remaining) + " left"
}

// About is how long something takes that is known roughly, rounded up: "about 4 s",
// "about 20 s", "about 1 min 20 s", "about 1 h 5 min".
func About(d time.Duration) string {
	up := func(step time.Duration) time.Duration { return (d + step - 1) / step * step }
	switch {
	case d <= 10*time.Second:
		d = up(time.Second)
	case d <= time.Minute:
		d = up(5 * time.Second)
	case d <= 10*time.Minute:
		d = up(10 * time.Second)
	case d <= time.Hour:
		d = up(time.Minute)
	case d < 1000*time.Hour:
		d = up(5 * time.Minute)
	}
	text := "about"
	for _, part := range []struct {
		of   time.Duration
		unit string
	}{{time.Hour, "h"}, {time.Minute, "min"}, {time.Second, "s"}} {
		if n := d / part.of; n > 0 {
			text += fmt.Sprintf(" %d %s", n, part.unit)
			d -= n * part.of
		}
	}
	return text
}
