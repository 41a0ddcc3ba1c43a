package theme_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/tui/theme"
)

// written is the part of a text that reaches the terminal.
func written(t interface{ Fatal(...any) }, text string) string {
	var b strings.Builder
	if n, err := theme.NewWriter(&b).Write([]byte(text)); err != nil || n != len(text) {
		t.Fatal(n, err)
	}
	return b.String()
}

// hostile maps texts that would steer a terminal, or deceive its reader, to the texts
// that are written.
var hostile = map[string]string{
	"plain\ntext\tand 漢字":          "plain\ntext\tand 漢字",
	"\x1b[31mred\x1b[0m":           "red",
	"\x1b[1;38;5;78mgreen\x1b[m":   "green",
	"\x1b]0;title\x07a\x1b[2Jb":    "]0;titleab",
	"\x1b]8;;http://x\x1b\\link":   "]8;;http://x\\link",
	"never ended \x1b]0;":          "never ended ]0;",
	"never ended \x1b[":            "never ended [",
	"never ended \x1b[3":           "never ended [3",
	"a\rb\bc\x7fe\u0085f\x00":      "abcef",
	"C1 \u009b31mred":              "C1 31mred",
	"raw C1 \x9b31mred":            "raw C1 \uFFFD31mred",
	"user\u202etxt.exe\u2066":      "usertxt.exe",
	"\u2028line\u2029":             "line",
	"bad \xff byte":                "bad \uFFFD byte",
	"half \xe6\xbc":                "half \uFFFD",
	"emoji 👩‍🎨 keep their joiners": "emoji 👩‍🎨 keep their joiners",
	"\x1b\x1b[31m[0mx":             "[0mx",
	"\x1b[\x1b[0m31mx":             "[31mx",
}

func TestWriter_ForeignText(t *testing.T) {
	t.Parallel()
	for in, want := range hostile {
		if got := written(t, in); got != want {
			t.Errorf("%q is written as %q, want %q", in, got, want)
		}
		if got := theme.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
}

// The sequences that koda composes come out; the sequences in the foreign text
// between them do not.
func TestWriter_OwnSequences(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{Colors: theme.Colors16, UTF8: true})
	got := written(t, theme.ClearLine()+th.Good.Render("a\x1b[31mb\x1b[2J")+th.Title.Render("c")+"\x1b[32md\n")
	if want := "\r\x1b[2K\x1b[32mab\x1b[0m\x1b[1mc\x1b[0md\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := written(t, "x\n"+theme.LineStart()+"y\x1b[1G"), "x\n\x1b[1Gy"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	if got, want := written(t, theme.LinesUp(12)+"x"+theme.LinesUp(0)+"\x1b[3A"), "\r\x1b[12Ax"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// A styled text is as wide as the text without style, and can be cut.
	styled := th.Good.Render("漢字") + th.Bad.Render("abc")
	if w := ansi.StringWidth(styled); w != 7 {
		t.Errorf("%d columns", w)
	}
	if got, want := written(t, ansi.Truncate(styled, 5, "…")), "\x1b[32m漢字\x1b[0m\x1b[31m…\x1b[0m"; got != want {
		t.Errorf("cut to %q, want %q", got, want)
	}
	// Clean removes koda's own sequences too.
	if got := written(t, theme.Clean(styled)); got != "漢字abc" {
		t.Errorf("cleaned to %q", got)
	}
}

// However a text is cut into pieces, no control character but newline and tab
// arrives.
func TestWriter_LetsNothingThrough(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.SampledFrom([]string{"\x1b", "[", "31", ";", "m", "K", "A", "\u009b", "\x9b", "\xc2", "]0;", "\x07", "\u202e", "\r"}))
		var b strings.Builder
		w := theme.NewWriter(&b)
		for _, p := range rapid.SliceOf(piece).Draw(t, "pieces") {
			if n, err := w.Write([]byte(p)); err != nil || n != len(p) {
				t.Fatal(n, err)
			}
		}
		for _, r := range b.String() {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q lets %U through", b.String(), r)
			}
		}
	})
}

func TestEscapeJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\x1b[31m", "\u009b2J", "a\x7f", "\u202eb", "\u2028", "\ufffd"})).Draw(t, "text")
		line, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		escaped := theme.EscapeJSON(string(line))
		if got := written(t, escaped); got != escaped {
			t.Errorf("%q is written as %q", escaped, got)
		}
		var back, want string
		if err := json.Unmarshal([]byte(escaped), &back); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &want); err != nil || back != want {
			t.Errorf("%q comes back as %q", want, back)
		}
	})
}
