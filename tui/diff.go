package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
	"github.com/koda-video/koda/tui/widget"
)

// diffScreen shows what differs between the files of two versions.
type diffScreen struct {
	of        diff
	d         Diff
	lines     []widget.DiffLine // of all files
	starts    []int             // the line at which each file begins
	back      versionsScreen
	top, left int
	most      *int // the last line that can be on top, as it was drawn last
}

func newDiff(of diff, d Diff, back versionsScreen) diffScreen {
	s := diffScreen{of: of, d: d, back: back, most: new(int)}
	for _, f := range d.Files {
		s.starts = append(s.starts, len(s.lines))
		text := f.Text
		if text == "" {
			text = fmt.Sprintf("%s %s, %s\n", f.Path, f.Status, f.Size)
		}
		s.lines = append(s.lines, widget.DiffLines(strings.ReplaceAll(theme.Clean(text), "\t", "    "))...)
	}
	*s.most = s.all() - 1
	return s
}

// all is how many lines there are: the list of files, a blank line, and the differences.
func (s diffScreen) all() int { return len(s.starts) + 1 + len(s.lines) }

func (s diffScreen) key(k tea.KeyMsg) (screen, intent) {
	return pressed(s, k)
}

// scroll moves by lines.
func (s diffScreen) scroll(name string) (screen, intent) {
	by := map[string]int{"up": -1, "k": -1, "down": 1, "j": 1, "pgup": -10, "pgdown": 10, "home": -s.all(), "end": s.all()}
	s.top = min(max(min(s.top, *s.most)+by[name], 0), *s.most)
	return s, nil
}

// sideways moves by columns.
func (s diffScreen) sideways(name string) (screen, intent) {
	by := map[string]int{"left": -8, "right": 8}
	s.left = min(max(s.left+by[name], 0), maxTyped)
	return s, nil
}

// file goes to the start of a file.
func (s diffScreen) file(name string) (screen, intent) {
	s.top = min(s.top, *s.most)
	to := 0
	for _, at := range s.starts {
		at += s.all() - len(s.lines)
		if name == "]" && at > s.top {
			s.top = min(at, *s.most)
			return s, nil
		}
		if at < s.top {
			to = at
		}
	}
	if name == "[" {
		s.top = to
	}
	return s, nil
}

// pictures compares the pictures of the two versions.
func (s diffScreen) pictures(string) (screen, intent) {
	if s.of.to == 0 {
		return s, tell{"The files as they are have no pictures yet: koda render makes a version of them."}
	}
	row, _ := s.back.marked()
	return s, compare{s.of.from, s.of.to, row.Number}
}

func (s diffScreen) view(c canvas) string {
	head := widget.Wrap(s.d.Title, c.width)
	head = head[:min(len(head), max(c.height/3, 1))]
	for i := range head {
		head[i] = c.th.Title.Render(head[i])
	}
	rows := append(slices.Clone(head), "")
	room := max(c.height-len(rows), 1)
	names := 0
	for _, f := range s.d.Files {
		names = max(names, ansi.StringWidth(widget.Line(f.Path)))
	}
	names = min(names, max(c.width/2, 8))
	*s.most = max(s.all()-room, 0)
	for i := min(s.top, *s.most); i < s.all() && len(rows) < len(head)+1+room; i++ {
		switch at := i - len(s.d.Files) - 1; {
		case at >= 0:
			rows = append(rows, ansi.Cut(s.lines[at].Render(c.th), s.left, s.left+c.width))
		case at == -1:
			rows = append(rows, "")
		default:
			rows = append(rows, s.row(c, s.d.Files[i], names))
		}
	}
	return strings.Join(rows, "\n")
}

// row is a file in the list: what became of it, its lines and its size.
func (s diffScreen) row(c canvas, f FileDiff, names int) string {
	mark := map[string]string{"added": c.th.Good.Render("+"), "deleted": c.th.Bad.Render("-")}[f.Status]
	if mark == "" {
		mark = c.th.Accent.Render("~")
	}
	name := pad(widget.Cut(widget.Line(f.Path), names, c.th.Glyphs.Ellipsis), names)
	lines := ""
	if f.Added+f.Deleted > 0 {
		lines = c.th.Good.Render(fmt.Sprintf("+%d", f.Added)) + " " + c.th.Bad.Render(fmt.Sprintf("-%d", f.Deleted))
	}
	return widget.Cut(mark+" "+name+"  "+pad(lines, 9)+"  "+c.th.Muted.Render(f.Status+", "+f.Size), c.width, c.th.Glyphs.Ellipsis)
}

func (s diffScreen) help() []hint {
	return []hint{
		{key: "↑↓", what: "scroll", more: "a line up, a line down", also: "k j pgup pgdown home end", do: s.scroll},
		{key: "[ ]", what: "file", more: "the file before, the file after", do: s.file},
		{key: "←→", what: "sideways", more: "to the left, to the right", do: s.sideways},
		{key: "p", what: "pictures", more: "compare the pictures of the two versions", do: s.pictures},
		{key: "esc", what: "versions", also: "q d", do: wants(s.back, nil)},
		askKeys(s),
	}
}
