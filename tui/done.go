package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/tui/widget"
)

// doneScreen shows the finished videos of a project, and makes more.
type doneScreen struct {
	of      pick
	album   album
	title   string
	facts   []widget.Fact
	videos  []Video
	presets []Preset // to choose from; nil: the list is closed
	at      int      // the marked preset
	ahead   bool     // a redo comes back to a later version
	in      line
}

func (s doneScreen) key(k tea.KeyMsg) (screen, intent) {
	return remark(s, k)
}

func (s doneScreen) send(text string) (screen, intent) {
	s.in = s.in.cleared()
	return s, change{what: text}
}

// move marks another preset.
func (s doneScreen) move(name string) (screen, intent) {
	s.at = moved(name, s.at, len(s.presets))
	return s, nil
}

// take makes the video of the marked preset, if it can be made.
func (s doneScreen) take(string) (screen, intent) {
	if p := s.presets[s.at]; p.Wrong != "" {
		return s, tell{p.Wrong}
	}
	return s, render{s.presets[s.at].Name}
}

// point marks a preset, or takes the marked one.
func (s doneScreen) point(row int) (screen, intent) {
	if row == s.at {
		return s.take("")
	}
	s.at = row
	return s, nil
}

// shut closes the list of presets.
func (s doneScreen) shut(string) (screen, intent) {
	s.presets = nil
	return s, nil
}

func (s doneScreen) view(c canvas) string {
	parts := []string{heading(c, c.th.Good.Render(c.th.Glyphs.OK), s.title)}
	for _, v := range s.videos {
		rows := widget.Wrap(v.Path, c.width)
		for _, l := range widget.Wrap(describe(v), c.width-2) {
			rows = append(rows, "  "+c.th.Muted.Render(l))
		}
		parts = append(parts, strings.Join(rows, "\n"))
	}
	if len(s.facts) > 0 {
		parts = append(parts, widget.FactsWithin(c.th, s.facts, c.width))
	}
	if s.presets != nil {
		used := strings.Count(strings.Join(parts, "\n\n"), "\n") + 3
		list := s.list(c, max(c.height-used, 4))
		switch { // the list matters more
		case used+strings.Count(list, "\n") <= c.height:
		case c.height < airyLines:
			return s.list(c, c.height)
		default:
			parts = parts[:1]
		}
		parts = append(parts, list)
	}
	if room := c.height - strings.Count(strings.Join(parts, "\n\n"), "\n") - 2; room >= leastStill && s.presets == nil {
		if still := shown(c, s.album[s.of].img, c.width, room); still != nil {
			parts = append(parts, strings.Join(still, "\n"))
		}
	}
	return fit(strings.Join(parts, "\n\n"), c.height, false)
}

// leastStill is how many rows a still of the video needs.
const leastStill = 6

func (s doneScreen) wants(c canvas) []pick {
	if s.of.version == 0 || !c.th.Pixels() {
		return nil
	}
	return []pick{s.of}
}

func (s doneScreen) hung() album { return s.album }

func (s doneScreen) hang(a album) screen {
	s.album = a
	return s
}

// heading is a title with a mark, on as many lines as it needs.
func heading(c canvas, mark, title string) string {
	indent := strings.Repeat(" ", ansi.StringWidth(mark)+1)
	var head []string
	for i, l := range widget.Wrap(title, c.width-len(indent)) {
		if i == 0 {
			head = append(head, mark+" "+c.th.Title.Render(l))
			continue
		}
		head = append(head, indent+c.th.Title.Render(l))
	}
	return strings.Join(head, "\n")
}

// describe is what there is to know of a video, on one line.
func describe(v Video) string {
	text := fmt.Sprintf("%dx%d, %s fps, %s s, %s", v.Width, v.Height, v.FPS, trim(float64(int(v.Seconds*100+0.5))/100), widget.Size(v.Size))
	if v.Took > 0 {
		text += ", made in " + trim(float64(v.Took.Round(100*time.Millisecond).Milliseconds())/1000) + " s"
	}
	if v.Version > 0 {
		text += fmt.Sprintf(", v%d", v.Version)
	}
	if v.Preset != "" {
		text += ", " + v.Preset
	}
	return text
}

// list are the presets, those around the marked one.
func (s doneScreen) list(c canvas, room int) string {
	rows := []string{c.th.Title.Render("Which video next?")}
	names, facts := 0, 0
	for _, p := range s.presets {
		names, facts = max(names, ansi.StringWidth(p.Name)), max(facts, ansi.StringWidth(p.Facts))
	}
	room = max(room-1, 1)
	from := max(min(s.at-room/2, len(s.presets)-room), 0)
	for i, p := range s.presets[from:min(from+room, len(s.presets))] {
		mark, look := " ", c.th.Text
		if from+i == s.at {
			mark, look = c.th.Accent.Render(c.th.Glyphs.Arrow), c.th.Accent
		}
		about := p.About
		if p.Wrong != "" {
			look, about = c.th.Muted, p.Wrong
		}
		name := look.Render(fmt.Sprintf("%-*s", names, p.Name))
		rows = append(rows, widget.Row(from+i, mark+" "+name+c.th.Muted.Render(widget.Cut(fmt.Sprintf("  %-*s  %s", facts, p.Facts, widget.Line(about)), max(c.width-names-2-ansi.StringWidth(mark), 0), c.th.Glyphs.Ellipsis))))
	}
	return strings.Join(rows, "\n")
}

func (s doneScreen) help() []hint { return table(s) }

func (s doneScreen) bare() []hint {
	if s.presets != nil {
		return []hint{
			{key: "enter", what: "render it", more: "make the video of the marked preset", do: s.take},
			{key: "↑↓", what: "choose", more: "the preset before, the preset after", also: "shift+tab tab pgup pgdown home end", do: s.move},
			{key: "esc", what: "back", also: "p alt+p", do: s.shut}, askKeys(s),
		}
	}
	hints := []hint{
		{key: "enter", what: "render: another preset", more: "make the video in another size or format", also: "alt+p", do: wants(s, choice{})}, toChange,
		{key: "alt+v", what: "versions", more: "show all versions", do: wants(s, recall{})},
		{key: "alt+u", what: "undo", more: "go back to the version before", do: wants(s, undo{})},
	}
	if s.ahead {
		hints = append(hints, hint{key: "ctrl+y", what: "redo", more: "come back to the version after", do: wants(s, redo{})})
	}
	return append(append(hints,
		hint{key: "alt+o", what: "open folder", more: "open the folder of the project", do: wants(s, folder{})},
		hint{key: "alt+y", what: "copy path", more: "copy the path of the video", do: wants(s, copyPath{})},
		hint{key: "alt+n", what: "new video", more: "begin a new video", do: wants(s, begin{})},
		hint{key: "esc", what: "projects", more: "show all projects", do: wants(s, browse{})}), closing(s)...)
}

// finished is the screen of a project that waits for nothing, or for another try.
func finished(s Standing) screen {
	if s.State.Error != nil || s.Waiting == ForRetry {
		return stopped(s)
	}
	d := doneScreen{title: "The video is ready", videos: s.Videos, of: pick{s.Project.ID, s.Version}, ahead: s.Redo, in: newLine(differently)}
	d.facts = []widget.Fact{{Name: "project", Value: s.Project.Name}, {Name: "folder", Value: s.Project.Dir}}
	if s.Version > 0 {
		d.facts = append(d.facts, widget.Fact{Name: "version", Value: fmt.Sprintf("v%d", s.Version)})
	}
	if s.Spent != (koda.Cost{}) {
		d.facts = append(d.facts, widget.Fact{Name: "cost", Value: s.Spent.String()})
	}
	if o := s.State.Output; o != nil {
		for _, out := range append([]koda.Output{*o}, o.Others...) {
			d.videos = withOutput(d.videos, out)
			if out.Copy != "" {
				d.facts = append(d.facts, widget.Fact{Name: "copy", Value: out.Copy})
			}
			for _, w := range out.Warnings {
				d.facts = append(d.facts, widget.Fact{Name: "warning", Value: w})
			}
		}
	}
	return d
}

// withOutput adds a video that the list lacks, as that of an adopted directory.
func withOutput(all []Video, o koda.Output) []Video {
	for _, v := range all {
		if v.Path == o.VideoURL {
			return all
		}
	}
	v := Video{Path: o.VideoURL, Version: o.Version, Format: strings.TrimPrefix(filepath.Ext(o.VideoURL), "."), FPS: o.FPS, Seconds: o.Duration, Size: o.FileSize}
	_, _ = fmt.Sscanf(o.Resolution, "%dx%d", &v.Width, &v.Height) //nolint:errcheck // the size stays 0x0
	return append([]Video{v}, all...)
}
