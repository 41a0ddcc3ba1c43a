package graphics

import (
	"regexp"
	"slices"
	"strings"

	"github.com/koda-video/koda/tui/theme"
)

// What a terminal is asked. The last question is one that every terminal answers, so
// its answer is the end of the others.
const (
	askDrawing    = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" // may a picture be sent?
	askName       = "\x1b[>q"
	askAttributes = "\x1b[c"
)

// Detect finds what a terminal can show. Env looks up an environment variable, tty says
// whether the stream is a terminal, and setting is "auto", "kitty", "iterm2", "sixel",
// "blocks" or "none"; any other word means auto. Probe writes a question to the terminal
// and returns the answer, see [Probe]. Detect calls it only for terminals that are known
// to understand the question, and never if a way is set. It takes an error for an answer
// that says no.
func Detect(env func(string) (string, bool), tty bool, setting string, probe func(query string) (reply string, err error)) Caps {
	e := environment(func(name string) string {
		v, _ := env(name)
		return v
	})
	if !tty || setting == None.String() {
		return Caps{}
	}
	caps := Caps{Blocks: theme.New(theme.Detect(env, tty, "auto")).Pixels(), Tmux: e.has("TMUX")}
	switch setting {
	case Kitty.String():
		caps.Mode = Kitty
	case ITerm2.String():
		caps.Mode = ITerm2
	case Sixel.String():
		caps.Mode = Sixel
	case HalfBlocks.String():
		caps.Mode, caps.Blocks = HalfBlocks, true
	default:
		return caps.detect(e, probe)
	}
	return caps
}

// detect finds the best way without a word of the person.
func (c Caps) detect(e environment, probe func(string) (string, error)) Caps {
	if e.has("NO_COLOR") || slices.Contains([]string{"", "dumb", "linux"}, e("TERM")) {
		return Caps{}
	}
	if c.Blocks {
		c.Mode = HalfBlocks
	}
	ask := func(questions string) answer {
		reply, err := probe(c.wrap(questions))
		if err != nil {
			return answer{}
		}
		return read(reply)
	}
	switch e.terminal() {
	case drawsKitty:
		// Behind tmux the variables may be those of a terminal that went away, and the
		// one that is there now may print what it does not know. All know this question.
		if c.Tmux && !ask(askName+askAttributes).placeholders() {
			return c
		}
		if a := ask(askDrawing + askName + askAttributes); a.draws && a.placeholders() {
			c.Mode = Kitty
		}
	case drawsITerm2:
		c.Mode = ITerm2
	case drawsSixel:
		if ask(askName + askAttributes).sixel {
			c.Mode = Sixel
		}
	case unknown:
	}
	return c
}

// environment looks up a variable; "" if there is none.
type environment func(string) string

func (e environment) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return e(name) != "" })
}

// kind is what a terminal may draw, as far as the environment tells.
type kind int

const (
	unknown     kind = iota
	drawsKitty       // if it says so
	drawsITerm2      // surely
	drawsSixel       // if it says so
)

// terminal guesses which terminal this is. Over SSH only TERM and LC_TERMINAL come from
// the terminal. A variable such as KITTY_WINDOW_ID is inherited by a terminal that was
// started in another, so a name in TERM or TERM_PROGRAM counts more.
func (e environment) terminal() kind {
	term, program, remote := e("TERM"), e("TERM_PROGRAM"), e.has("SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT")
	switch {
	case e.has("STY", "ZELLIJ"): // they draw the screen themselves, and no placeholders
		return unknown
	case e.has("TMUX"):
		if !remote && e.has("KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR") {
			return drawsKitty
		}
		return unknown
	case strings.HasPrefix(term, "screen"), strings.HasPrefix(term, "tmux"): // on another machine
		return unknown
	case term == "xterm-kitty", term == "xterm-ghostty":
		return drawsKitty
	case strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "mlterm"), strings.HasPrefix(term, "contour"):
		return drawsSixel
	case e("LC_TERMINAL") == "iTerm2" && (remote || program == "iTerm.app"):
		return drawsITerm2
	case remote:
		return unknown
	}
	switch program {
	case "ghostty":
		return drawsKitty
	case "iTerm.app", "WezTerm", "mintty":
		return drawsITerm2
	case "":
		switch {
		case e.has("XTERM_VERSION"):
			return drawsSixel
		case e.has("KITTY_WINDOW_ID") && !e.has("VTE_VERSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID", "WT_SESSION"):
			return drawsKitty
		}
	}
	return unknown
}

// answer is what a terminal said.
type answer struct {
	draws bool   // it takes pictures of kitty's protocol
	name  string // what it calls itself, in lower case, without its version
	sixel bool
}

// placeholders reports whether the terminal is one whose placeholders work.
func (a answer) placeholders() bool { return a.name == "kitty" || a.name == "ghostty" }

var (
	drawing    = regexp.MustCompile(`\x1b_Gi=31;([^\x1b]*)\x1b\\`)
	name       = regexp.MustCompile(`\x1bP>\|([A-Za-z0-9]+)[^\x1b]*\x1b\\`)
	attributes = regexp.MustCompile(`\x1b\[\?([0-9;]*)c`)
)

// answered reports whether the last question is answered.
func answered(reply string) bool { return attributes.MatchString(reply) }

// read takes an answer apart. Nothing after the attributes counts.
func read(reply string) answer {
	end := attributes.FindStringSubmatchIndex(reply)
	if end == nil {
		return answer{}
	}
	kinds := strings.Split(reply[end[2]:end[3]], ";")
	a := answer{sixel: slices.Contains(kinds[1:], "4")} // the first is the terminal's class
	if m := drawing.FindStringSubmatch(reply[:end[0]]); m != nil {
		a.draws = strings.HasPrefix(m[1], "OK")
	}
	if m := name.FindStringSubmatch(reply[:end[0]]); m != nil {
		a.name = strings.ToLower(m[1])
	}
	return a
}
