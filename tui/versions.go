package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/widget"
)

// Versions is the past of projects, and what is made of it. Checkout, Fork and Delete may
// take long; the studio makes one such call at a time.
type Versions interface {
	History(ctx context.Context, id string) (History, error)
	// Diff compares the files of two versions; to 0 are the files in place.
	Diff(ctx context.Context, id string, from, to int) (Diff, error)
	// Checkout goes to a version.
	Checkout(ctx context.Context, id string, version int) (Standing, error)
	// Fork makes a project that begins with a version, 0: the current one. It returns where
	// the new project stands; if there is none, nothing.
	Fork(ctx context.Context, id string, version int, name string) (Standing, error)
	// Delete removes a project, and returns the files that koda did not make: they stay.
	Delete(ctx context.Context, id string) (left []string, err error)
}

// History are the versions of a project.
type History struct {
	Rows  []widget.VersionRow
	Loose bool // the files in place are in no version
}

// Diff is what differs between the files of two versions.
type Diff struct {
	Title string // which two, and how much differs
	Files []FileDiff
}

// FileDiff is how a file differs. Text is in unified format; "" for a binary file.
type FileDiff struct {
	Path, Status, Size string
	Added, Deleted     int // lines
	Text               string
}

// The intents of the past.
type (
	recall   struct{ mark int } // show the versions; 0: mark the current one
	checkout struct{ version int }
	fork     struct {
		id      string
		version int
		name    string
	}
	diff    struct{ from, to int }
	compare struct{ from, to, mark int } // as pictures
	tell    struct{ text string }        // why something cannot be
)

// versionsScreen is the tree of versions.
type versionsScreen struct {
	id      string
	past    History // the newest version first
	ready   bool
	mark    int // the version to mark when it is ready
	at      int // the marked row
	album   album
	ahead   bool // there is something to redo
	forking bool
	in      line
}

// learn takes the versions in.
func (s versionsScreen) learn(h History) versionsScreen {
	h.Rows = slices.Clone(h.Rows)
	slices.SortStableFunc(h.Rows, func(a, b widget.VersionRow) int { return b.Number - a.Number })
	s.past, s.ready = h, true
	s.at = max(slices.IndexFunc(h.Rows, func(r widget.VersionRow) bool {
		return r.Number == s.mark || s.mark == 0 && r.Current
	}), 0)
	return s
}

// marked is the marked version.
func (s versionsScreen) marked() (widget.VersionRow, bool) {
	if s.at >= len(s.past.Rows) {
		return widget.VersionRow{}, false
	}
	return s.past.Rows[s.at], true
}

func (s versionsScreen) key(k tea.KeyMsg) (screen, intent) {
	if s.forking {
		row, _ := s.marked()
		next, sent, back := s.in.typing(k)
		s.in, s.forking = next, !back
		if sent != "" {
			return s, fork{s.id, row.Number, sent}
		}
		return s, nil
	}
	return pressed(s, k)
}

// move marks another version.
func (s versionsScreen) move(name string) (screen, intent) {
	s.at = moved(name, s.at, len(s.past.Rows))
	return s, nil
}

// point marks the version of a row, or checks out the marked one.
func (s versionsScreen) point(row int) (screen, intent) {
	if marked, ok := s.marked(); ok && row == s.at {
		return s, checkout{marked.Number}
	}
	s.at = row
	return s, nil
}

// name begins a line for the name of a fork.
func (s versionsScreen) name(string) (screen, intent) {
	s.forking, s.in = true, newName("a name for the new project")
	return s, nil
}

// against compares the marked version with another one, as text or as pictures.
func (s versionsScreen) against(key string) (screen, intent) {
	row, _ := s.marked()
	from, to := s.pair(row)
	switch {
	case key == "d" && row.Current && s.past.Loose:
		return s, diff{row.Number, 0}
	case from == 0:
		return s, tell{fmt.Sprintf("v%d was made from no other version: mark another one to compare the two.", row.Number)}
	case key == "p":
		return s, compare{from, to, row.Number}
	}
	return s, diff{from, to}
}

// pair are the two versions to compare when one is marked, the older first: it and the
// current one, or the current one and the one that it was made from. From is 0 if there is
// none.
func (s versionsScreen) pair(marked widget.VersionRow) (from, to int) {
	for _, r := range s.past.Rows {
		if r.Current && !marked.Current {
			return min(r.Number, marked.Number), max(r.Number, marked.Number)
		}
	}
	return marked.Parent, marked.Number
}

// moved is where a key moves the mark of a list of n rows.
func moved(key string, at, n int) int {
	last := max(n-1, 0)
	by := map[string]int{"up": -1, "shift+tab": -1, "down": 1, "tab": 1, "pgup": -10, "pgdown": 10, "home": -at, "end": last}
	return min(max(at+by[key], 0), last)
}

// The small pictures beside the rows.
const (
	smallColumns = 10
	smallRows    = 3
	leastSmall   = 64 // columns of the list, to have them
	nearRows     = 12 // rows around the mark that have one
)

// small reports whether there is room for small pictures beside the rows.
func (s versionsScreen) small(c canvas) bool {
	list, panel := panelRoom(c)
	return c.th.Pixels() && panel.width > 0 && list.width >= leastSmall
}

func (s versionsScreen) wants(c canvas) (all []pick) {
	if row, ok := s.marked(); ok && c.th.Pixels() {
		all = append(all, pick{s.id, row.Number})
	}
	if s.small(c) {
		for _, row := range s.past.Rows[max(s.at-nearRows, 0):min(s.at+nearRows, len(s.past.Rows))] {
			all = append(all, pick{s.id, row.Number})
		}
	}
	return all
}

func (s versionsScreen) hung() album { return s.album }

func (s versionsScreen) hang(a album) screen {
	s.album = a
	return s
}

func (s versionsScreen) view(c canvas) string {
	if !s.ready {
		return c.th.Muted.Render("Opening")
	}
	if s.forking {
		row, _ := s.marked()
		return forkView(c, fmt.Sprintf("v%d", row.Number), s.in)
	}
	_, panel := panelRoom(c)
	brief := panel.width == c.width
	return withPanel(c, func(list canvas) string { return s.list(list, s.small(c), brief) }, s.panel)
}

// forkView asks for the name of a fork.
func forkView(c canvas, of string, in line) string {
	head := c.th.Title.Render(widget.Cut("A new project that begins with "+widget.Line(of), c.width, c.th.Glyphs.Ellipsis))
	note := strings.Join(widget.Wrap("It lies beside this one, which stays as it is.", c.width), "\n")
	return head + "\n\n" + in.view(c, 1) + "\n\n" + c.th.Muted.Render(note)
}

func (s versionsScreen) list(c canvas, small, brief bool) string {
	head := c.th.Title.Render(fmt.Sprintf("Versions (%d)", len(s.past.Rows))) + "\n"
	if s.past.Loose {
		text := widget.Wrap("Edited by hand: the files become a version with the next render, undo or checkout.", c.width)
		head += c.th.Warn.Render(strings.Join(text, "\n")) + "\n"
	}
	if len(s.past.Rows) == 0 {
		return head + "\n" + c.th.Muted.Render("There is no version yet.")
	}
	rows := slices.Clone(s.past.Rows)
	for i := range rows {
		if rows[i].Marked = i == s.at; brief {
			rows[i].Facts = nil // the panel below says them of the marked version
		}
		if small {
			rows[i].Beside = beside(c, s.album[pick{s.id, rows[i].Number}])
		}
	}
	var lines []string
	from, to := 0, 0 // the lines of the marked row
	arrow := ansi.StringWidth(c.th.Glyphs.Arrow) + 1
	for i, row := range widget.HistoryRows(c.th, rows, c.width-arrow) {
		if i == s.at {
			from, to = len(lines), len(lines)+len(row)
		}
		for k, l := range row {
			before := strings.Repeat(" ", arrow)
			if i == s.at && k == 0 {
				before = c.th.Accent.Render(c.th.Glyphs.Arrow) + " "
			}
			lines = append(lines, widget.Row(i, before+l))
		}
	}
	room := max(c.height-strings.Count(head, "\n")-1, 1)
	top := max(min((from+to-room)/2, from, len(lines)-room), 0)
	return head + "\n" + strings.Join(lines[top:min(top+room, len(lines))], "\n")
}

// beside is a small picture in a box, empty while there is none.
func beside(c canvas, t thumb) []string {
	lines := shown(c, t.img, smallColumns, smallRows)
	box := make([]string, smallRows+1) // and a gap
	for i := range box {
		if i < len(lines) {
			box[i] = lines[i]
		}
		box[i] = pad(box[i], smallColumns)
	}
	return box
}

// panel is what is known of the marked version.
func (s versionsScreen) panel(c canvas) string {
	row, ok := s.marked()
	if !ok {
		return ""
	}
	t, read := s.album[pick{s.id, row.Number}]
	head := fmt.Sprintf("v%d", row.Number)
	switch {
	case t.duration > 0:
		head += " " + c.th.Glyphs.Dot + " " + widget.Clock(t.duration)
	case read:
		head += " " + c.th.Glyphs.Dot + " no pictures"
	}
	text := []string{c.th.Title.Render(head)}
	words := widget.Wrap(row.Title, c.width)
	text = append(text, words[:min(len(words), 6)]...)
	if facts := strings.Join(row.Facts, " "+c.th.Glyphs.Dot+" "); facts != "" {
		text = append(text, c.th.Muted.Render(strings.Join(widget.Wrap(facts, c.width), "\n")))
	}
	below := strings.Join(text, "\n")
	if picture := shown(c, t.img, c.width, c.height-strings.Count(below, "\n")-2); len(picture) > 2 {
		return strings.Join(picture, "\n") + "\n" + below
	}
	return below
}

func (s versionsScreen) help() []hint {
	if s.forking {
		return s.in.help("make it", "back")
	}
	var hints []hint
	if row, ok := s.marked(); ok {
		hints = []hint{
			{key: "enter", what: "check out", more: "go to the marked version", do: wants(s, checkout{row.Number})},
			{key: "d", what: "diff", more: "compare the files with those of the current version", do: s.against},
			{key: "p", what: "pictures", more: "compare the pictures with those of the current version", do: s.against},
			{key: "f", what: "fork", more: "begin a new project with the marked version", do: s.name},
			{key: "↑↓", what: "choose", more: "the version after, the version before", also: "tab shift+tab pgup pgdown home end", do: s.move},
			{key: "u", what: "undo", more: "go back to the version before", do: wants(s, undo{})},
		}
		if s.ahead {
			hints = append(hints, hint{key: "ctrl+y", what: "redo", more: "come back to the version after", do: wants(s, redo{})})
		}
	}
	return append(hints, hint{key: "esc", what: "back", also: "q v h", do: wants(s, open{s.id})}, askKeys(s))
}
