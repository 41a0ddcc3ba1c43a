package cli

import (
	"github.com/koda-video/koda/internal/config"
	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
)

// look is how koda draws text on the two streams.
type look struct {
	out, err theme.Theme
	live     bool          // the last line of Err may be redrawn in place
	options  theme.Options // of out
}

// look finds out once how to draw, from the terminal and the setting "color". If the
// settings cannot be read, commands that need them report it.
func (a *app) look() *look {
	if a.looks != nil {
		return a.looks
	}
	cfg := config.Config{Color: "auto", Theme: "auto", Glyphs: "auto"}
	if a.deps.Settings != nil {
		if _, read, err := a.settings(); err == nil {
			cfg = read
		}
	}
	aloud := a.aloud()
	detect := func(tty bool) theme.Options {
		o := theme.Detect(a.io.Env, tty, cfg.Color)
		if cfg.Theme != "auto" {
			o.Light = cfg.Theme == "light"
		}
		if cfg.Glyphs != "auto" {
			o.UTF8 = cfg.Glyphs == "unicode"
		}
		o.NoPictures = cfg.Pictures == graphics.None.String() || aloud
		return o
	}
	onOut, onErr := detect(a.io.OutTTY), detect(a.io.ErrTTY)
	a.looks = &look{
		out:     theme.New(onOut),
		err:     theme.New(onErr),
		live:    a.io.ErrTTY && onErr.Colors != theme.None && !aloud,
		options: onOut,
	}
	return a.looks
}

// screen is how koda draws on the whole screen. There the terminal may be asked for its
// background: what it answers is not seen.
func (a *app) screen(background string) theme.Theme {
	o := a.look().options
	if known, _ := a.io.Env("COLORFGBG"); background == "auto" && known == "" && o.Colors > theme.Colors16 {
		o.Light = graphics.LightBackground(a.io.Env, a.probe())
	}
	return theme.New(o)
}

// aloud reports whether a program reads the terminal to the person: then koda talks in
// lines, and never draws over what it said.
func (a *app) aloud() bool {
	setting := "auto"
	if a.deps.Settings != nil {
		if _, cfg, err := a.settings(); err == nil {
			setting = cfg.ScreenReader
		}
	}
	known, _ := a.io.Env("ACCESSIBLE")
	return setting == "on" || setting == "auto" && known != ""
}
