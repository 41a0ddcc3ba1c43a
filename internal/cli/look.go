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
	color, background := "auto", "auto"
	if a.deps.Settings != nil {
		if _, cfg, err := a.settings(); err == nil {
			color, background = cfg.Color, cfg.Theme
		}
	}
	detect := func(tty bool) theme.Options {
		o := theme.Detect(a.io.Env, tty, color)
		if background != "auto" {
			o.Light = background == "light"
		}
		return o
	}
	onErr := detect(a.io.ErrTTY)
	a.looks = &look{
		out:  theme.New(detect(a.io.OutTTY)),
		err:  theme.New(onErr),
		live: a.io.ErrTTY && onErr.Colors != theme.None,
	}
	return a.looks
}
