package theme_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/tui/theme"
)

const page = "# The plan\n\n- *one* with `code`\n- **two** <b>bold</b> 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字\n\n1. first\n2. second\n\n" +
	"> said\n\n```go\nx := \"<b>\"\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nA [link](https://example.com), \x1b]0;evil\a\x1b[31mred\x1b[0m.\n"

// TestMarkdown: the text is laid out within the width, and nothing in it steers the terminal.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, o := range []theme.Options{{}, {UTF8: true}, {Colors: theme.Colors16, UTF8: true}, {Colors: theme.TrueColor, UTF8: true, Light: true}} {
		th := theme.New(o)
		for _, width := range []int{1, 10, 24, 60, 140} {
			for _, l := range th.Markdown(page, width) {
				if got := ansi.StringWidth(l); got > max(width, 2) {
					t.Errorf("%+v, %d columns: a line of %d: %q", o, width, got, l)
				}
				if o.Colors == theme.None && strings.Contains(l, "\x1b") {
					t.Errorf("a sequence without colours: %q", l)
				}
			}
		}
	}
	th := theme.New(theme.Options{})
	want := "The plan\n\n* one with code\n* two <b>bold</b>\n漢字漢字漢字漢字漢字漢字漢字\n漢字漢字漢字\n\n1. first\n2. second\n\n" +
		"| said\n\n x := \"<b>\"\n\n a           | b\n-------------+------------\n 1           | 2\n\nA link https://example.com,\n]0;evilred."
	var got []string
	for _, l := range th.Markdown(page, 28) {
		got = append(got, strings.TrimRight(l, " "))
	}
	if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := th.Markdown("", 20); len(got) != 1 || got[0] != "" {
		t.Errorf("an empty text: %q", got)
	}
}

// TestSwatches: a code of a colour gets a square in the colour, and no other text changes.
func TestSwatches(t *testing.T) {
	t.Parallel()
	th := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true})
	text := "yellow #FFcf3f, not #ffcf3f0 nor #fff"
	if got, want := th.Squares(text), "yellow ■#FFcf3f, not #ffcf3f0 nor #fff"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := theme.Open(th.Swatches(th.Squares(text))), "yellow \x1b[38;2;255;207;63m■\x1b[39m#FFcf3f, not #ffcf3f0 nor #fff"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	plain := theme.New(theme.Options{UTF8: true})
	bright := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true, Light: true})
	for code, framed := range map[string][2]bool{"#100810": {true, false}, "#fffff0": {false, true}, "#2463eb": {}} { // on dark, on light
		for i, th := range []theme.Theme{th, bright} {
			got := theme.Open(th.Swatches("■" + code))
			if strings.Contains(got, ";48;2;128;128;128m■\x1b[39;49m") != framed[i] {
				t.Errorf("the square of %s: %q", code, got)
			}
		}
	}
	if got := plain.Swatches(plain.Squares(text)); got != text {
		t.Errorf("without colours: %q", got)
	}
}
