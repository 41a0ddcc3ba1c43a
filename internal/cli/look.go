package cli

import (
	"github.com/koda-video/koda/tui/theme"
)

// look is how koda draws text on the two streams.
type look struct {
	out, err theme.Theme
	live     bool // the last line of Err may be redrawn in place
}

// look finds out once how to draw, from the terminal and the setting "color". If the
// settings cannot be read, commands that need them report it.
func (a *app) look() *look {
	if a.looks != nil {
		return a.looks
	}
	color := "auto"
	if a.deps.Settings != nil {
		if _, cfg, err := a.settings(); err == nil {
			color = cfg.Color
		}
	}
	onErr := theme.Detect(a.io.Env, a.io.ErrTTY, color)
	a.looks = &look{
		out:  theme.New(theme.Detect(a.io.Env, a.io.OutTTY, color)),
		err:  theme.New(onErr),
		live: a.io.ErrTTY && onErr.Colors != theme.None,
	}
	return a.looks
}
