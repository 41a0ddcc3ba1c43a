package theme_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/theme"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		env   map[string]string
		tty   bool
		color string
		want  theme.Options
	}{
		{"a modern terminal", map[string]string{"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "en_US.UTF-8"}, true, "auto", theme.Options{Colors: theme.TrueColor, UTF8: true}},
		{"256 colours", map[string]string{"TERM": "screen-256color", "LANG": "C.utf8"}, true, "auto", theme.Options{Colors: theme.Colors256, UTF8: true}},
		{"16 colours", map[string]string{"TERM": "xterm", "LANG": "C"}, true, "auto", theme.Options{Colors: theme.Colors16}},
		{"a pipe", map[string]string{"TERM": "xterm-256color"}, false, "auto", theme.Options{UTF8: true}},
		{"a pipe, colours forced", map[string]string{"TERM": "xterm-256color"}, false, "always", theme.Options{Colors: theme.Colors256, UTF8: true}},
		{"no colours", map[string]string{"TERM": "xterm-256color"}, true, "never", theme.Options{UTF8: true}},
		{"dumb", map[string]string{"TERM": "dumb"}, true, "auto", theme.Options{UTF8: true}},
		{"the Linux console", map[string]string{"TERM": "linux", "LANG": "de_DE.UTF-8"}, true, "auto", theme.Options{Colors: theme.Colors16}},
		{"LC_ALL decides", map[string]string{"TERM": "xterm", "LC_ALL": "POSIX", "LANG": "en_US.UTF-8"}, true, "auto", theme.Options{Colors: theme.Colors16}},
		{"a light background", map[string]string{"TERM": "xterm", "COLORFGBG": "0;default;15"}, true, "auto", theme.Options{Colors: theme.Colors16, UTF8: true, Light: true}},
		{"a dark background", map[string]string{"TERM": "xterm", "COLORFGBG": "15;0"}, true, "auto", theme.Options{Colors: theme.Colors16, UTF8: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }
			if got := theme.Detect(env, tt.tty, tt.color); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestNew_Colors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		o    theme.Options
		want string
	}{
		{theme.Options{}, "x"},
		{theme.Options{Colors: theme.Colors16}, "\x1b[32mx\x1b[0m"},
		{theme.Options{Colors: theme.Colors256}, "\x1b[38;5;78mx\x1b[0m"},
		{theme.Options{Colors: theme.TrueColor}, "\x1b[38;2;73;222;128mx\x1b[0m"},
		{theme.Options{Colors: theme.TrueColor, Light: true}, "\x1b[38;2;21;128;60mx\x1b[0m"},
	}
	for _, tt := range tests {
		if got := written(t, theme.New(tt.o).Good.Render("x")); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.o, got, tt.want)
		}
	}
}

func TestNew_PlainWritesNoEscapes(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{})
	for _, s := range []theme.Style{th.Title, th.Text, th.Muted, th.Accent, th.Good, th.Warn, th.Bad} {
		if got := s.Render("x"); got != "x" {
			t.Errorf("got %q", got)
		}
	}
	for _, s := range strings.Split(glyphs(th), "") {
		if s[0] >= 0x80 || s[0] < ' ' {
			t.Errorf("plain theme writes %q", s)
		}
	}
}

// glyphs joins every glyph of a theme, so that the test also covers a new glyph.
func glyphs(th theme.Theme) string {
	var all strings.Builder
	v := reflect.ValueOf(th.Glyphs)
	for i := range v.NumField() {
		switch g := v.Field(i).Interface().(type) {
		case string:
			all.WriteString(g)
		case []string:
			all.WriteString(strings.Join(g, ""))
		}
	}
	return all.String()
}

func TestNew_MarksAlign(t *testing.T) {
	t.Parallel()
	for _, o := range []theme.Options{{}, {UTF8: true}} {
		g := theme.New(o).Glyphs
		for _, marks := range [][]string{append([]string{g.Pending, g.Done, g.LeftOut}, g.Spinner...), {g.OK, g.Warn, g.Bad}, {g.BarFull, g.BarRest, "1"}} {
			for _, m := range marks {
				if m == "" || ansi.StringWidth(m) != ansi.StringWidth(marks[0]) {
					t.Errorf("%q is not as wide as %q", m, marks[0])
				}
			}
		}
	}
}

func TestTheme_Spin(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{UTF8: true})
	if th.Spin(0) != th.Spin(4) || th.Spin(-1) != th.Spin(3) || th.Spin(0) == th.Spin(1) {
		t.Error("the spinner does not go round")
	}
}
