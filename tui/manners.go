package tui

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/widget"
)

// Terminal is what is known of the terminal that the studio paints. The zero value is a
// terminal that is only painted.
type Terminal struct {
	Graphics graphics.Caps
	Title    bool   // it has a title
	Progress bool   // it shows how far work is, beside the text
	Calls    string // how a person is called: "", "bell", or with the bell a note by sequence "9", "99" or "777"
	Remote   bool   // it is on another machine
	Tmux     bool   // it is behind tmux
}

// DetectTerminal finds out what a terminal can do beside showing text. Env looks up an
// environment variable; notify is the setting of this name: auto, bell or off.
func DetectTerminal(env func(string) (string, bool), notify string, caps graphics.Caps) Terminal {
	get := func(name string) string {
		v, _ := env(name)
		return v
	}
	term, program := get("TERM"), get("TERM_PROGRAM")
	inside := get("TMUX")+get("STY")+get("ZELLIJ") != "" || strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux")
	vte, _ := strconv.Atoi(get("VTE_VERSION")) //nolint:errcheck // another text is no version
	t := Terminal{Graphics: caps, Title: term != "linux", Tmux: get("TMUX") != "", Remote: get("SSH_TTY")+get("SSH_CONNECTION")+get("SSH_CLIENT") != ""}
	kitty, ghostty := term == "xterm-kitty", term == "xterm-ghostty" || program == "ghostty"
	// Elsewhere the sequence of progress pops a note up, with figures in it.
	t.Progress = !inside && (kitty || ghostty || vte > 0 || get("WT_SESSION") != "" || get("ConEmuANSI") == "ON")
	switch {
	case notify == "off":
	case notify == "bell" || inside:
		t.Calls = "bell"
	case kitty:
		t.Calls = "99"
	case program == "iTerm.app", program == "WezTerm":
		t.Calls = "9"
	case ghostty, strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt-unicode"):
		t.Calls = "777"
	default:
		t.Calls = "bell"
	}
	return t
}

// title is the sequence that changes the title. The title before koda is kept by the
// terminal, if it can; else the terminal has none at the end.
func (t Terminal) title(from, to string) string {
	switch {
	case !t.Title || from == to:
		return ""
	case from == "":
		return "\x1b[22;2t" + ansi.SetWindowTitle(inSequence(to))
	case to == "":
		return ansi.SetWindowTitle("") + "\x1b[23;2t"
	}
	return ansi.SetWindowTitle(inSequence(to))
}

// progress is how far work is.
type progress struct {
	works   bool
	percent int // 0: it is not known
}

// progress is the sequence that shows how far work is.
func (t Terminal) progress(from, to progress) string {
	switch {
	case !t.Progress || from == to:
		return ""
	case !to.works:
		return ansi.ResetProgressBar
	case to.percent > 0:
		return ansi.SetProgressBar(to.percent)
	}
	return ansi.SetIndeterminateProgressBar
}

// call is the sequence that calls a person.
func (t Terminal) call(text string) string {
	text = inSequence(text)
	switch t.Calls {
	case "9":
		return "\a" + ansi.Notify(text)
	case "99":
		return "\a\x1b]99;i=koda;" + text + "\x1b\\"
	case "777":
		return "\a\x1b]777;notify;koda;" + text + "\x1b\\"
	case "bell":
		return "\a"
	}
	return ""
}

// inSequence is a text that may stand in a control sequence: one line, with no character
// that ends the sequence or one of its parts.
func inSequence(text string) string {
	return widget.Cut(strings.ReplaceAll(widget.Line(text), ";", ","), 100, "...")
}
