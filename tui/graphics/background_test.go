package graphics_test

import (
	"errors"
	"testing"

	"github.com/koda-video/koda/tui/graphics"
)

func TestLightBackground(t *testing.T) {
	t.Parallel()
	const white, black = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b]11;rgb:0000/0000/0000\a"
	for what, tt := range map[string]struct {
		env   map[string]string
		reply string
		err   error
		want  bool
	}{
		"white":          {env: map[string]string{"TERM": "xterm-256color"}, reply: white + plain, want: true},
		"a byte each":    {env: map[string]string{"TERM": "xterm-256color"}, reply: "\x1b]11;rgb:fd/f6/e3\x1b\\" + plain, want: true},
		"with alpha":     {env: map[string]string{"TERM": "xterm-256color"}, reply: "\x1b]11;rgba:fdfd/f6f6/e3e3/ffff\x1b\\" + plain, want: true},
		"black":          {env: map[string]string{"TERM": "xterm-256color"}, reply: black + plain},
		"blue":           {env: map[string]string{"TERM": "xterm-256color"}, reply: "\x1b]11;rgb:0000/0000/ffff\x1b\\" + plain},
		"says nothing":   {env: map[string]string{"TERM": "xterm-256color"}, reply: plain},
		"late":           {env: map[string]string{"TERM": "xterm-256color"}, err: errors.New("late")},
		"far away":       {env: map[string]string{"TERM": "xterm-256color", "SSH_TTY": "/dev/pts/3"}, reply: white + plain},
		"a console":      {env: map[string]string{"TERM": "linux"}, reply: white + plain},
		"within tmux":    {env: map[string]string{"TERM": "screen-256color", "TMUX": "/tmp/tmux"}, reply: white + plain, want: true},
		"within screen":  {env: map[string]string{"TERM": "screen-256color"}, reply: white + plain},
		"not a terminal": {reply: white + plain},
	} {
		env := func(name string) (string, bool) { v, ok := tt.env[name]; return v, ok }
		if got := graphics.LightBackground(env, func(string) (string, error) { return tt.reply, tt.err }); got != tt.want {
			t.Errorf("%s: light is %t", what, got)
		}
	}
}
