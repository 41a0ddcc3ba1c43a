package widget

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

// VersionRow is a version as History shows it.
type VersionRow struct {
	Number, Parent int // 1 for v1, 2 for v2, …; Parent 0: no parent
	Current        bool
	Title          string   // what the person asked for
	Facts          []string // when, what changed, by whom, for how much
	Picture        string   // path of the thumbnail; "" none
	Marked         bool     // the person is at this row
	Beside         []string // a small picture before the text; all rows have one of the same size, or none
}

// laneRoom bounds the columns of the branches: the width divided by laneRoom. Wider
// branches are not drawn; "from v2" among the facts still says where a version
// comes from.
const laneRoom = 3

// History is the tree of versions, the newest first:
//
//	● v4  Make the ball bigger (current)
//	│     just now · 2 files changed · from v1 · recipe · free
//	│     renders/ball-v4.jpg
//	│ ○ v3  …
//	│ ○ v2  …
//	○─╯ v1  …
//
// A version whose parent is not the one before it has "from vN" among its facts.
// The path of a picture is never broken, so that it can be copied.
func History(th theme.Theme, rows []VersionRow, width int) string {
	var lines []string
	for _, row := range HistoryRows(th, rows, width) {
		lines = append(lines, row...)
	}
	return join(lines)
}

// HistoryRows are the lines of each version in [History], the newest version first.
func HistoryRows(th theme.Theme, rows []VersionRow, width int) (lines [][]string) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b VersionRow) int { return b.Number - a.Number })
	g := graphOf(th)
	if g.widest(rows)*laneRoom > width {
		g.flat = true
	}
	for _, row := range rows {
		head := g.node(row)
		rest := g.rest()
		if w := ansi.StringWidth(head) - ansi.StringWidth(rest); w > 0 {
			rest += strings.Repeat(" ", w)
		}
		lines = append(lines, versionLines(th, row, head, rest, width))
	}
	return lines
}

// versionLines are the lines of one row: the title behind head, all other lines
// behind rest. Head and rest are equally wide.
func versionLines(th theme.Theme, row VersionRow, head, rest string, width int) []string {
	label := "v" + strconv.Itoa(row.Number)
	title, mark := th.Text, ""
	if row.Current {
		title, mark = th.Title, " (current)"
	}
	if row.Marked {
		title = th.Accent
	}
	lane := rest
	if len(row.Beside) > 0 {
		head += row.Beside[0] + " "
	}
	head += title.Render(label) + "  "
	rest += strings.Repeat(" ", max(ansi.StringWidth(head)-ansi.StringWidth(rest), 0))
	room := width - ansi.StringWidth(head)
	if room < len(mark)+4 { // the node also marks the current version
		mark = ""
	}
	text := Cut(Line(row.Title), room-len(mark), th.Glyphs.Ellipsis)
	lines := []string{strings.TrimRight(head+title.Render(text)+th.Accent.Render(mark), " ")}
	facts := slices.Clone(row.Facts)
	if row.Parent != 0 && row.Parent != row.Number-1 {
		facts = slices.Insert(facts, min(2, len(facts)), "from v"+strconv.Itoa(row.Parent))
	}
	dot := " " + th.Glyphs.Dot + " "
	var line string
	for _, fact := range facts {
		fact = Cut(Line(fact), room, th.Glyphs.Ellipsis)
		if line != "" && ansi.StringWidth(line+dot+fact) > room {
			lines = append(lines, rest+th.Muted.Render(line))
			line = ""
		}
		if line != "" {
			line += dot
		}
		line += fact
	}
	if line != "" {
		lines = append(lines, rest+th.Muted.Render(line))
	}
	if row.Picture != "" {
		lines = append(lines, rest+th.Muted.Render(Line(row.Picture)))
	}
	for i := 1; i < len(row.Beside); i++ {
		before := lane + row.Beside[i]
		if i == len(lines) {
			lines = append(lines, before)
			continue
		}
		lines[i] = before + ansi.TruncateLeft(lines[i], ansi.StringWidth(before), "")
	}
	return lines
}

// graph draws the lines between versions from the newest down. A lane runs from
// a version to its parent.
type graph struct {
	th    theme.Theme
	lanes []int // the parent each lane leads to; 0: no lane there
	flat  bool  // no lanes
}

func graphOf(th theme.Theme) *graph { return &graph{th: th} }

// widest is the greatest number of columns that the lanes take in a row.
func (g *graph) widest(rows []VersionRow) int {
	probe, most := graphOf(g.th), 0
	for _, row := range rows {
		probe.node(row)
		most = max(most, 2*len(probe.lanes))
	}
	return most
}

// node is the text before the label of a version. From then on the version's lane
// leads to its parent, and all other lanes that led to the version end.
func (g *graph) node(row VersionRow) string {
	mark := g.th.Muted.Render(g.th.Glyphs.Node)
	if row.Current {
		mark = g.th.Accent.Render(g.th.Glyphs.NodeHere)
	}
	if g.flat {
		return mark + " "
	}
	at := slices.Index(g.lanes, row.Number)
	if at < 0 {
		if at = slices.Index(g.lanes, 0); at < 0 {
			at, g.lanes = len(g.lanes), append(g.lanes, 0)
		}
	}
	last := at // the last lane that ends here
	for i, to := range g.lanes {
		if to == row.Number {
			last = max(last, i)
		}
	}
	var b strings.Builder
	for i, to := range g.lanes {
		cell, joint := " ", " "
		if i >= at && i < last {
			joint = g.th.Glyphs.LaneAcross
		}
		switch {
		case i == at:
			cell = ""
			b.WriteString(mark)
		case i == last:
			cell = g.th.Glyphs.LaneEnd
		case to == row.Number:
			cell = g.th.Glyphs.LaneJoin
		case to != 0 && i > at && i < last:
			cell = g.th.Glyphs.LaneCross
		case to != 0:
			cell = g.th.Glyphs.Lane
		case i > at && i < last:
			cell = g.th.Glyphs.LaneAcross
		}
		b.WriteString(g.th.Muted.Render(cell + joint))
	}
	for i, to := range g.lanes {
		if to == row.Number {
			g.lanes[i] = 0
		}
	}
	g.lanes[at] = row.Parent
	for n := len(g.lanes); n > 0 && g.lanes[n-1] == 0; n-- {
		g.lanes = g.lanes[:n-1]
	}
	return b.String()
}

// rest is the text before all other lines of a version.
func (g *graph) rest() string {
	if g.flat {
		return "  "
	}
	var b strings.Builder
	for _, to := range g.lanes {
		if to == 0 {
			b.WriteString("  ")
			continue
		}
		b.WriteString(g.th.Glyphs.Lane + " ")
	}
	return g.th.Muted.Render(b.String())
}
