package graphics

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const askBackground = "\x1b]11;?\x1b\\"

var background = regexp.MustCompile(`\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})`)

// LightBackground asks a terminal whether its background is light; an unknown background
// counts as dark. Env and probe are those of [Detect]. A terminal on another machine is not
// asked: its answer may come so late that the studio takes it for typed text.
func LightBackground(env func(string) (string, bool), probe func(query string) (reply string, err error)) bool {
	e := environment(func(name string) string {
		v, _ := env(name)
		return v
	})
	term := e("TERM")
	if slices.Contains([]string{"", "dumb", "linux"}, term) || strings.HasPrefix(term, "screen") && !e.has("TMUX") ||
		e.has("STY", "ZELLIJ", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT") {
		return false
	}
	reply, err := probe(askBackground + askAttributes)
	if err != nil {
		return false
	}
	m := background.FindStringSubmatch(reply)
	if m == nil {
		return false
	}
	bright := 0.0 // as the eye sees it, from 0 to 1
	for i, part := range []float64{0.2126, 0.7152, 0.0722} {
		v, _ := strconv.ParseUint(m[i+1], 16, 16) //nolint:errcheck // the pattern lets numbers through
		bright += part * float64(v) / float64(uint(1)<<(4*len(m[i+1]))-1)
	}
	return bright > 0.5
}
