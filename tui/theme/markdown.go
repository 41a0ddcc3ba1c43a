package theme

import (
	"regexp"
	"strings"

	"github.com/charmbracelet/glamour"
	md "github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Markdown draws a Markdown text of people or models in lines of at most width columns, to be
// written to a [Writer]. The text is cleaned first. HTML in it is shown, not obeyed; pictures
// and links are shown as their words.
func (t Theme) Markdown(text string, width int) []string {
	text = strings.Trim(Clean(text), "\n")
	r, err := glamour.NewTermRenderer(glamour.WithStyles(t.markdown()), glamour.WithWordWrap(max(width, 1)), glamour.WithColorProfile(termenv.TrueColor))
	if err == nil {
		var drawn string
		if drawn, err = r.Render(showTags(text)); err == nil {
			text = drawn
		}
	}
	if t.colors == None || err != nil {
		text = ansi.Strip(text)
	}
	var lines []string
	for l := range strings.SplitSeq(strings.Trim(ansi.Hardwrap(text, max(width, 1), true), "\n"), "\n") {
		lines = append(lines, sealAll(trailing.ReplaceAllString(l, "$1")))
	}
	return lines
}

// trailing are the blanks with which a line is filled up.
var trailing = regexp.MustCompile(`(\x1b\[0m)?(?:\x1b\[[0-9;]*m| )*$`)

var tag = regexp.MustCompile("</?[A-Za-z!][^\n]*?>")

// showTags escapes what looks like HTML, which would be left out, except in code.
func showTags(text string) string {
	var out []string
	fenced := false
	for l := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), "```") {
			fenced = !fenced
		}
		if parts := strings.Split(l, "`"); !fenced {
			for i := 0; i < len(parts); i += 2 {
				parts[i] = tag.ReplaceAllStringFunc(parts[i], func(s string) string { return `\` + s })
			}
			l = strings.Join(parts, "`")
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

// markdown are the looks of Markdown in this theme.
func (t Theme) markdown() md.StyleConfig {
	yes, one, none := true, uint(1), uint(0)
	in := func(s Style) *string {
		if s.look == nil {
			return nil
		}
		c, ok := s.look.GetForeground().(lipgloss.Color)
		if !ok {
			return nil
		}
		text := string(c)
		return &text
	}
	across, beside, cross := t.Glyphs.LaneAcross, t.Glyphs.Lane, t.Glyphs.LaneCross
	quote := t.Glyphs.Lane + " "
	c := md.StyleConfig{
		Document:       md.StyleBlock{Margin: &none},
		BlockQuote:     md.StyleBlock{StylePrimitive: md.StylePrimitive{Color: in(t.Muted)}, Indent: &one, IndentToken: &quote},
		List:           md.StyleList{LevelIndent: 2},
		Heading:        md.StyleBlock{StylePrimitive: md.StylePrimitive{Bold: &yes, BlockSuffix: "\n"}},
		Strong:         md.StylePrimitive{Bold: &yes},
		Emph:           md.StylePrimitive{Italic: &yes},
		Strikethrough:  md.StylePrimitive{CrossedOut: &yes},
		HorizontalRule: md.StylePrimitive{Color: in(t.Muted), Format: "\n" + strings.Repeat(across, 8) + "\n"},
		Item:           md.StylePrimitive{BlockPrefix: t.Glyphs.Bullet + " "},
		Enumeration:    md.StylePrimitive{BlockPrefix: ". "},
		Task:           md.StyleTask{Ticked: t.Glyphs.Done + " ", Unticked: t.Glyphs.Pending + " "},
		Link:           md.StylePrimitive{Color: in(t.Muted), Underline: &yes},
		LinkText:       md.StylePrimitive{Bold: &yes},
		Image:          md.StylePrimitive{Color: in(t.Muted), Underline: &yes},
		Code:           md.StyleBlock{StylePrimitive: md.StylePrimitive{Color: in(t.Accent)}},
		CodeBlock:      md.StyleCodeBlock{StyleBlock: md.StyleBlock{StylePrimitive: md.StylePrimitive{Color: in(t.Accent)}, Margin: &one}},
		Table:          md.StyleTable{CenterSeparator: &cross, ColumnSeparator: &beside, RowSeparator: &across},
	}
	return c
}
