package theme_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/koda-video/koda/tui/theme"
)

// pictures are sequences that terminals draw pictures from.
var pictures = []string{
	"\x1b_Ga=T,U=1,i=7;AAAA\x1b\\",
	"\x1b_Ga=d,d=I,i=7\x1b\\",
	"\x1b_Gm=1;AAAA\x1b\\\x1b_Gm=0;BBBB\x1b\\",
	"\x1b]1337;File=inline=1:AAAA\a",
	"\x1bP0;1q\"1;1;2;2#0;2;0;0;0~~-\x1b\\",
	"\x1bPq\x1b\\",
	ansi.TmuxPassthrough("\x1b_Ga=q;AAAA\x1b\\"),
	ansi.TmuxPassthrough("\x1b_Gm=1;AAAA\x1b\\") + ansi.TmuxPassthrough("\x1b_Gm=0;AAAA\x1b\\"),
	ansi.TmuxPassthrough("\x1b]1337;File=inline=1:AAAA\a"),
}

// A sealed picture reaches the terminal byte for byte, has no columns, and is cut or
// cleaned away as a whole.
func TestSeal(t *testing.T) {
	t.Parallel()
	for _, p := range pictures {
		sealed := theme.Seal(p)
		if got := written(t, "a"+sealed+"\x1b[31mb"+sealed); got != "a"+p+"b"+p {
			t.Errorf("%q is written as %q", p, got)
		}
		if w, l := ansi.StringWidth(sealed), lipgloss.Width(sealed); w != 0 || l != 0 {
			t.Errorf("%q has %d and %d columns", p, w, l)
		}
		if got := written(t, ansi.Truncate("ab"+sealed+"cd", 3, "")); got != "ab"+p+"c" {
			t.Errorf("cut to %q", got)
		}
		if got := written(t, ansi.Truncate("abcd"+sealed, 3, "")); got != "abc"+p && got != "abc" {
			t.Errorf("cut to %q", got)
		}
		if got := theme.Clean("a" + sealed + "b"); got != "ab" {
			t.Errorf("cleaned to %q", got)
		}
		if got := ansi.Strip("a" + sealed + "b"); got != "ab" {
			t.Errorf("stripped to %q", got)
		}
	}
}

// What is no picture is not sealed: nothing but pictures can come out of a seal.
func TestSeal_Refuses(t *testing.T) {
	t.Parallel()
	whole := pictures[0]
	for _, text := range []string{
		"", "text", "\x1b[31m", "\x1b[2J", "\x1b]0;title\a", "\x1b]52;c;AAAA\a", "\x1b]1337;SetMark\a",
		"\x1bP+q544e\x1b\\", "\x1bP$qm\x1b\\", "\x1b_Xa\x1b\\", "\x1b^a\x1b\\",
		whole + "\n", "a" + whole, whole + "\x1b[2J", whole[:len(whole)-1], whole + whole[:5],
		"\x1b_Ga=T\x1b[2J\x1b\\", "\x1b_Ga=T;\u009c\x1b\\", "\x1b_Ga=T;ä\x1b\\", "\x1b_Ga=T;\x9c\x1b\\", "\x1b_Ga=T;\x07", "\x1b_Ga=T;\x18\x1b\\",
		"\x1b]1337;File=inline=1:AAAA\x1b\\", "\x1bP0;1q~\x1b",
		ansi.TmuxPassthrough("\x1b[2J"), ansi.TmuxPassthrough("\x1b]52;c;AAAA\a"), ansi.TmuxPassthrough(whole + "\x1b[2J"),
		ansi.TmuxPassthrough(ansi.TmuxPassthrough(whole)), ansi.TmuxPassthrough(""), ansi.TmuxPassthrough(whole) + "x",
		"\x1bPtmux;" + whole, "\x1bPtmux;\x1b\x1b_Ga=q\x1b\x1b\\", "\x1bPtmux;\x1b", "\x1bPtmux;",
	} {
		if got := theme.Seal(text); got != "" {
			t.Errorf("%q is sealed", text)
		}
	}
}

// Whatever bytes are offered, what a seal lets through is what was offered, or nothing.
func TestSeal_Any(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.SampledFrom(pictures), rapid.SampledFrom([]string{"\x1b", "\\", "P", "tmux;", "_G", "q", "]1337;File=", "\a", "[2J", "é"}))
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		sealed := theme.Seal(text)
		if got := written(t, sealed); got != "" && got != text || (got == "") != (sealed == "") {
			t.Fatalf("%q is written as %q", text, got)
		}
	})
}

// A text from outside has no picture of its own, even one that has the form of a mark
// with a key of its author's choice, or what follows the key of a mark.
func TestSeal_Forged(t *testing.T) {
	t.Parallel()
	for _, p := range pictures {
		sealed := theme.Seal(p)
		_, rest, ok := strings.Cut(sealed, ";")
		if !ok {
			t.Fatal("a mark without a key")
		}
		for _, forged := range []string{
			p, "\x1b[" + rest, "\x1b[;" + rest, "\x1b[340282366920938463463374607431768211455;" + rest,
			sealed[1:], sealed[:len(sealed)-1], // its ends are missing
		} {
			if got := written(t, forged); strings.ContainsRune(got, '\x1b') {
				t.Errorf("%q is written as %q", forged, got)
			}
		}
	}
}

// A mark that was cut lends its key to what follows: that yields no sequence which is no
// picture.
func TestSeal_Cut(t *testing.T) {
	t.Parallel()
	sealed := theme.Seal(pictures[0])
	key := sealed[:strings.Index(sealed, ";")+1]
	for _, parameters := range []string{"1;5=324:z", "1;5", "z", "1z", "<z", "1;5=324:", "?1049h", "2J", "=m", "<K", ":m"} {
		if got := written(t, key+parameters); strings.ContainsRune(got, '\x1b') {
			t.Errorf("%q is written as %q", parameters, got)
		}
	}
}

// A text in a colour of the palette is clean, and as wide as it was.
func TestIndexed(t *testing.T) {
	t.Parallel()
	text := theme.Indexed(7, "a\x1b[2Jb")
	if got, want := written(t, text), "\x1b[38;5;7mab\x1b[39m"; got != want || ansi.StringWidth(text) != 2 {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkWriter_Picture(b *testing.B) {
	sealed := []byte(theme.Seal("\x1b_G;" + strings.Repeat("A", 1<<20) + "\x1b\\"))
	w := theme.NewWriter(discard{})
	b.SetBytes(1 << 20)
	for b.Loop() {
		if _, err := w.Write(sealed); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
