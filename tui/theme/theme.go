package theme

import (
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Colors is how many colours a terminal shows.
type Colors int

// The kinds of terminal. None writes no escape sequences.
const (
	None Colors = iota
	Colors16
	Colors256
	TrueColor
)

// Options describe a terminal. The zero value is a plain ASCII terminal.
type Options struct {
	Colors Colors
	Light  bool // the background is light
	UTF8   bool // glyphs beyond ASCII may be written

	NoPictures bool // the person wants none
}

// Theme is a set of styles and glyphs. It may be copied.
type Theme struct {
	Title  Style // headings
	Text   Style // what is read first
	Muted  Style // what is read last
	Accent Style // what moves or can be chosen
	Good   Style
	Warn   Style
	Bad    Style
	Glyphs Glyphs

	colors   Colors
	utf8     bool
	light    bool
	blank    bool // no pictures
	pictures Pictures
}

// Style is how a text looks. The zero value leaves a text as it is.
type Style struct{ look *lipgloss.Style }

// Render returns a text in the style, to be written to a [Writer].
func (s Style) Render(text string) string {
	if s.look == nil || text == "" {
		return text
	}
	return sealAll(s.look.Render(Clean(text)))
}

// Look is the style for a component of another library, whose text [Adopt] seals.
func (s Style) Look() lipgloss.Style {
	if s.look == nil {
		return lipgloss.NewStyle()
	}
	return *s.look
}

// Cursor is the style of a cursor that a component draws. It is reversed in every theme:
// that is no colour, and without it nobody sees where they type.
func Cursor() lipgloss.Style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	return r.NewStyle()
}

// Glyphs are the marks of a theme. Marks of one kind have the same width.
type Glyphs struct {
	Pending, Done    string
	LeftOut          string   // of a todo that nobody did
	Spinner          []string // one mark per tick
	OK, Warn, Bad    string
	BarFull, BarRest string // one column each
	Range            string // between two times
	Dash             string // before an afterthought
	Bullet, Arrow    string
	Ellipsis         string
	Dot              string // between facts
	Times            string // between width and height

	// The tree of versions; one column each.
	Node, NodeHere                                 string
	Lane, LaneAcross, LaneEnd, LaneJoin, LaneCross string
}

var drawn = Glyphs{
	Pending: "○", Done: "✓", LeftOut: "–", Spinner: []string{"◐", "◓", "◑", "◒"},
	OK: "✓", Warn: "!", Bad: "✗",
	BarFull: "█", BarRest: "░", Range: "–", Dash: "—", Bullet: "•", Arrow: "→", Ellipsis: "…",
	Dot: "·", Times: "×", Node: "○", NodeHere: "●", Lane: "│", LaneAcross: "─", LaneEnd: "╯", LaneJoin: "┴", LaneCross: "┼",
}

var typed = Glyphs{
	Pending: "[ ]", Done: "[x]", LeftOut: "[!]", Spinner: []string{"[|]", "[/]", "[-]", `[\]`},
	OK: "ok     ", Warn: "warning", Bad: "missing",
	BarFull: "#", BarRest: ".", Range: "-", Dash: "-", Bullet: "*", Arrow: "->", Ellipsis: "...",
	Dot: "-", Times: "x", Node: "o", NodeHere: "*", Lane: "|", LaneAcross: "-", LaneEnd: "'", LaneJoin: "'", LaneCross: "+",
}

// New makes the theme for a terminal.
func New(o Options) Theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(map[Colors]termenv.Profile{
		None: termenv.Ascii, Colors16: termenv.ANSI, Colors256: termenv.ANSI256, TrueColor: termenv.TrueColor,
	}[o.Colors])
	look := func(s lipgloss.Style) Style {
		if o.Colors == None {
			return Style{}
		}
		return Style{&s}
	}
	// The light colour has a contrast of at least 4.5:1 on white, the dark colour on
	// black.
	style := func(light, dark, ansi string) Style {
		color := dark
		switch {
		case o.Colors == Colors16:
			color = ansi
		case o.Light:
			color = light
		}
		return look(r.NewStyle().Foreground(lipgloss.Color(color)))
	}
	t := Theme{
		Title:  look(r.NewStyle().Bold(true)),
		Muted:  style("#6b7280", "#9ca3af", "8"),
		Accent: style("#a21caf", "#e879f9", "5"),
		Good:   style("#15803d", "#4ade80", "2"),
		Warn:   style("#a16207", "#facc15", "3"),
		Bad:    style("#b91c1c", "#f87171", "1"),
		Glyphs: typed,
		colors: o.Colors,
		utf8:   o.UTF8,
		light:  o.Light,
		blank:  o.NoPictures,
	}
	if o.UTF8 {
		t.Glyphs = drawn
	}
	return t
}

// ASCII reports whether the terminal has no characters beyond ASCII.
func (t Theme) ASCII() bool { return !t.utf8 }

// Spin is the spinner's mark at a tick; any tick is allowed.
func (t Theme) Spin(tick int) string {
	n := len(t.Glyphs.Spinner)
	return t.Glyphs.Spinner[(tick%n+n)%n]
}

// Detect finds the options for a stream. Env looks up an environment variable,
// tty says whether the stream is a terminal, and color is "auto", "always" or
// "never" (the setting of that name).
func Detect(env func(string) (string, bool), tty bool, color string) Options {
	get := func(name string) string {
		v, _ := env(name)
		return v
	}
	o := Options{UTF8: utf8Locale(get), Light: lightBackground(get("COLORFGBG"))}
	term := get("TERM")
	switch {
	case color == "never":
	case color != "always" && (!tty || term == "dumb" || term == ""):
	case isOneOf(get("COLORTERM"), "truecolor", "24bit"):
		o.Colors = TrueColor
	case strings.Contains(term, "256color"):
		o.Colors = Colors256
	default:
		o.Colors = Colors16
	}
	if term == "linux" { // the console of Linux lacks most glyphs
		o.UTF8 = false
	}
	return o
}

// utf8Locale looks at the first variable that names a locale. If no variable does,
// as in containers and services, it assumes UTF-8.
func utf8Locale(get func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := get(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// lightBackground reads COLORFGBG ("15;0", "0;default;15"), whose last number is
// the background's colour. An unknown background counts as dark.
func lightBackground(v string) bool {
	n, err := strconv.Atoi(v[strings.LastIndexByte(v, ';')+1:])
	return err == nil && (n == 7 || n >= 9 && n <= 15)
}

func isOneOf(word string, words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(word, w) {
			return true
		}
	}
	return false
}
