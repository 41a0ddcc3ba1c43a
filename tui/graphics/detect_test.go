package graphics_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/tui/graphics"
)

// What is asked, and what terminals answer.
const (
	drawing    = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
	name       = "\x1b[>q"
	attributes = "\x1b[c"

	ok        = "\x1b_Gi=31;OK\x1b\\"
	isKitty   = "\x1bP>|kitty(0.43.1)\x1b\\"
	isGhostty = "\x1bP>|ghostty 1.2.3\x1b\\"
	isWezTerm = "\x1bP>|WezTerm 20240203-110809-5046fc22\x1b\\"
	isFoot    = "\x1bP>|foot(1.16.2)\x1b\\"
	plain     = "\x1b[?62;22c"
	sixels    = "\x1b[?62;4;22c"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	all := drawing + name + attributes
	blocks := graphics.Caps{Mode: graphics.HalfBlocks, Blocks: true}
	best := func(mode graphics.Mode) graphics.Caps { return graphics.Caps{Mode: mode, Blocks: true} }
	tmux := func(mode graphics.Mode) graphics.Caps {
		return graphics.Caps{Mode: mode, Blocks: true, Tmux: true}
	}
	inTmux := "TERM=tmux-256color TERM_PROGRAM=tmux COLORTERM=truecolor TMUX=/tmp/x,1,0"
	for _, c := range []struct {
		what    string
		env     string
		setting string
		reply   string // "" is an error
		want    graphics.Caps
		asked   []string
	}{
		{"kitty", "TERM=xterm-kitty COLORTERM=truecolor KITTY_WINDOW_ID=1", "auto", ok + isKitty + plain, best(graphics.Kitty), []string{all}},
		{"no word", "TERM=xterm-kitty COLORTERM=truecolor", "", ok + isKitty + plain, best(graphics.Kitty), []string{all}},
		{"kitty over SSH", "TERM=xterm-kitty SSH_TTY=/dev/pts/1", "auto", ok + isKitty + plain, graphics.Caps{Mode: graphics.Kitty}, []string{all}},
		{"kitty with another TERM", "TERM=xterm-256color KITTY_WINDOW_ID=1", "auto", ok + isKitty + plain, best(graphics.Kitty), []string{all}},
		{"ghostty", "TERM=xterm-ghostty TERM_PROGRAM=ghostty COLORTERM=truecolor", "auto", ok + isGhostty + sixels, best(graphics.Kitty), []string{all}},
		{"ghostty with another TERM", "TERM=xterm-256color TERM_PROGRAM=ghostty", "auto", ok + isGhostty + plain, best(graphics.Kitty), []string{all}},
		{"kitty says no", "TERM=xterm-kitty COLORTERM=truecolor", "auto", "\x1b_Gi=31;EINVAL:no\x1b\\" + isKitty + plain, blocks, []string{all}},
		{"kitty is silent", "TERM=xterm-kitty COLORTERM=truecolor", "auto", "", blocks, []string{all}},
		{"another answers", "TERM=xterm-kitty COLORTERM=truecolor", "auto", ok + isWezTerm + plain, blocks, []string{all}},
		{"no name", "TERM=xterm-kitty COLORTERM=truecolor", "auto", ok + plain, blocks, []string{all}},
		{"attributes come first", "TERM=xterm-kitty COLORTERM=truecolor", "auto", plain + ok + isKitty, blocks, []string{all}},
		{"no attributes", "TERM=xterm-kitty COLORTERM=truecolor", "auto", ok + isKitty, blocks, []string{all}},
		{"another's picture", "TERM=xterm-kitty COLORTERM=truecolor", "auto", "\x1b_Gi=30;OK\x1b\\" + isKitty + plain, blocks, []string{all}},

		{"WezTerm", "TERM=xterm-256color TERM_PROGRAM=WezTerm COLORTERM=truecolor", "auto", "", best(graphics.ITerm2), nil},
		{"iTerm2", "TERM=xterm-256color TERM_PROGRAM=iTerm.app LC_TERMINAL=iTerm2 COLORTERM=truecolor", "auto", "", best(graphics.ITerm2), nil},
		{"iTerm2 over SSH", "TERM=xterm-256color LC_TERMINAL=iTerm2 SSH_CONNECTION=x", "auto", "", best(graphics.ITerm2), nil},
		{"Apple Terminal", "TERM=xterm-256color TERM_PROGRAM=Apple_Terminal", "auto", "", blocks, nil},
		{"Apple Terminal out of kitty", "TERM=xterm-256color TERM_PROGRAM=Apple_Terminal KITTY_WINDOW_ID=1", "auto", "", blocks, nil},
		{"VTE out of kitty", "TERM=xterm-256color VTE_VERSION=7600 KITTY_WINDOW_ID=1", "auto", "", blocks, nil},
		{"unknown over SSH", "TERM=xterm-256color SSH_TTY=/dev/pts/1 SSH_CLIENT=x", "auto", "", blocks, nil},
		{"variables over SSH", "TERM=xterm-256color SSH_TTY=/dev/pts/1 KITTY_WINDOW_ID=1 TERM_PROGRAM=ghostty", "auto", "", blocks, nil},
		{"unknown", "TERM=xterm-256color", "auto", "", blocks, nil},
		{"few colours", "TERM=xterm", "auto", "", graphics.Caps{}, nil},
		{"no UTF-8", "TERM=xterm-256color LANG=C", "auto", "", graphics.Caps{}, nil},

		{"foot", "TERM=foot COLORTERM=truecolor", "auto", isFoot + sixels, best(graphics.Sixel), []string{name + attributes}},
		{"foot without", "TERM=foot-extra COLORTERM=truecolor", "auto", isFoot + plain, blocks, []string{name + attributes}},
		{"xterm", "TERM=xterm-256color XTERM_VERSION=XTerm(390)", "auto", "\x1b[?64;1;4c", best(graphics.Sixel), []string{name + attributes}},
		{"a class of 4", "TERM=xterm-256color XTERM_VERSION=XTerm(390)", "auto", "\x1b[?4c", blocks, []string{name + attributes}},

		{"tmux", inTmux, "auto", "", tmux(graphics.HalfBlocks), nil},
		{"tmux in kitty, passing on", inTmux + " KITTY_WINDOW_ID=1", "auto", ok + isKitty + plain, tmux(graphics.Kitty), []string{wrapped(name + attributes), wrapped(all)}},
		{"tmux in ghostty, passing on", inTmux + " GHOSTTY_RESOURCES_DIR=/x", "auto", ok + isGhostty + plain, tmux(graphics.Kitty), []string{wrapped(name + attributes), wrapped(all)}},
		{"tmux in kitty, passing nothing on", inTmux + " KITTY_WINDOW_ID=1", "auto", "", tmux(graphics.HalfBlocks), []string{wrapped(name + attributes)}},
		{"tmux that was in kitty", inTmux + " KITTY_WINDOW_ID=1", "auto", "\x1b[?1;2c", tmux(graphics.HalfBlocks), []string{wrapped(name + attributes)}},
		{"tmux over SSH", inTmux + " KITTY_WINDOW_ID=1 SSH_TTY=/dev/pts/1", "auto", "", tmux(graphics.HalfBlocks), nil},
		{"screen", "TERM=screen-256color STY=1.pts KITTY_WINDOW_ID=1", "auto", "", blocks, nil},
		{"zellij", "TERM=xterm-kitty ZELLIJ=0 COLORTERM=truecolor KITTY_WINDOW_ID=1", "auto", "", blocks, nil},
		{"SSH out of tmux", "TERM=tmux-256color SSH_TTY=/dev/pts/1", "auto", "", blocks, nil},

		{"dumb", "TERM=dumb COLORTERM=truecolor KITTY_WINDOW_ID=1", "auto", "", graphics.Caps{}, nil},
		{"no TERM", "KITTY_WINDOW_ID=1", "auto", "", graphics.Caps{}, nil},
		{"console", "TERM=linux", "auto", "", graphics.Caps{}, nil},
		{"NO_COLOR", "TERM=xterm-kitty COLORTERM=truecolor NO_COLOR=1", "auto", "", graphics.Caps{}, nil},
		{"no terminal", "TERM=xterm-kitty COLORTERM=truecolor", "no terminal", "", graphics.Caps{}, nil},

		{"set to kitty", "TERM=xterm-256color", "kitty", "", best(graphics.Kitty), nil},
		{"set to kitty in tmux", inTmux, "kitty", "", tmux(graphics.Kitty), nil},
		{"set to iterm2", "TERM=xterm-256color", "iterm2", "", best(graphics.ITerm2), nil},
		{"set to sixel", "TERM=xterm-256color NO_COLOR=1", "sixel", "", best(graphics.Sixel), nil},
		{"set to blocks", "TERM=xterm-kitty", "blocks", "", blocks, nil},
		{"set to none", "TERM=xterm-kitty COLORTERM=truecolor", "none", "", graphics.Caps{}, nil},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			var asked []string
			env := append(strings.Fields(c.env), "LC_CTYPE="+localeOf(c.env))
			got := graphics.Detect(lookup(env), c.setting != "no terminal", c.setting, func(query string) (string, error) {
				asked = append(asked, query)
				if c.reply == "" {
					return "", errors.New("no answer")
				}
				return c.reply, nil
			})
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if diff := cmp.Diff(c.asked, asked); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// wrapped is a question as tmux passes it on.
func wrapped(query string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(query, "\x1b", "\x1b\x1b") + "\x1b\\"
}

func localeOf(env string) string {
	if strings.Contains(env, "LANG=C") {
		return ""
	}
	return "C.UTF-8"
}

func lookup(env []string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		i := slices.IndexFunc(env, func(v string) bool { return strings.HasPrefix(v, name+"=") })
		if i < 0 {
			return "", false
		}
		return env[i][len(name)+1:], true
	}
}

// A set way is not asked about, and a terminal that cannot be asked is nil to Detect.
func TestDetect_SetAsksNothing(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"kitty", "iterm2", "sixel", "blocks", "none"} {
		got := graphics.Detect(lookup([]string{"TERM=xterm-kitty", "COLORTERM=truecolor"}), true, setting, nil)
		if got.Mode.String() != setting {
			t.Errorf("%s: got %v", setting, got.Mode)
		}
	}
}

func TestCaps_Within(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		caps graphics.Caps
		want graphics.Mode
	}{
		{graphics.Caps{}, graphics.None},
		{graphics.Caps{Mode: graphics.Sixel}, graphics.None},
		{graphics.Caps{Mode: graphics.ITerm2, Blocks: true}, graphics.HalfBlocks},
		{graphics.Caps{Mode: graphics.HalfBlocks, Blocks: true}, graphics.HalfBlocks},
		{graphics.Caps{Mode: graphics.Kitty}, graphics.Kitty},
	} {
		if got := c.caps.Within(); got != c.want {
			t.Errorf("%+v: got %v, want %v", c.caps, got, c.want)
		}
	}
}
