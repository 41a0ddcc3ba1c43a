package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/proc"
)

// terminal is a tmux of its own with one window.
type terminal struct{ tmux, socket string }

func (t *terminal) run(ctx context.Context, args ...string) ([]byte, error) {
	return proc.Output(ctx, proc.Spec{Path: t.tmux, Args: append([]string{"-S", t.socket, "-f", "/dev/null"}, args...), Env: []string{"LC_ALL=C.UTF-8", "TERM=xterm-256color"}})
}

func (t *terminal) start(ctx context.Context, dir string, command ...string) error {
	_, err := t.run(ctx, append([]string{"new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), "-c", dir, "--"}, command...)...)
	if err == nil {
		_, err = t.run(ctx, "set", "-g", "status", "off")
	}
	return err
}

func (t *terminal) end() error {
	_, err := t.run(context.Background(), "kill-server")
	return err
}

// screen is what is on the screen, as text that draws it on another one.
func (t *terminal) screen(ctx context.Context) ([]byte, error) {
	text, err := t.run(ctx, "capture-pane", "-p", "-e", "-N", ";", "display-message", "-p", "#{cursor_flag} #{cursor_x} #{cursor_y}")
	if err != nil {
		return nil, err
	}
	text, last, _ := cutLast(bytes.TrimSuffix(text, []byte("\n")), "\n")
	var on, x, y int
	if _, err := fmt.Sscan(string(last), &on, &x, &y); err != nil {
		return nil, fmt.Errorf("read the cursor: %w", err)
	}
	var b bytes.Buffer
	b.WriteString("\x1b[?25l\x1b[0m\x1b[2J\x1b[H")
	b.Write(bytes.ReplaceAll(text, []byte("\n"), []byte("\x1b[0m\r\n")))
	fmt.Fprintf(&b, "\x1b[0m\x1b[%d;%dH", y+1, x+1)
	if on == 1 {
		b.WriteString("\x1b[?25h")
	}
	return b.Bytes(), nil
}

func cutLast(text []byte, sep string) (before, after []byte, found bool) {
	if i := bytes.LastIndex(text, []byte(sep)); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, nil, false
}

// camera films a terminal: what is on the screen after every step of the clock.
type camera struct {
	terminal *terminal
	frames   []frame
	at       float64 // seconds of the film
	last     []byte
}

type frame struct {
	at     float64
	screen []byte
}

// tick is the time between two looks at the screen.
const tick = time.Second / fps

// roll films a person at the terminal.
func (c *camera) roll(ctx context.Context, play func(*person)) error {
	p := &person{ctx: ctx, camera: c, clock: time.NewTicker(tick)}
	defer p.clock.Stop()
	play(p)
	return p.err
}

// look looks at the screen when the clock ticks; the film goes on by a tick, or by a part
// of it while it hurries.
func (c *camera) look(ctx context.Context, clock <-chan time.Time, hurry float64) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-clock:
	}
	screen, err := c.terminal.screen(ctx)
	if err != nil {
		return err
	}
	c.at += tick.Seconds() / hurry
	if bytes.Equal(screen, c.last) {
		return nil
	}
	c.last = screen
	if n := len(c.frames); n > 0 && c.at-c.frames[n-1].at < tick.Seconds()*0.99 {
		c.frames[n-1].screen = screen // nobody would see the one before
		return nil
	}
	c.frames = append(c.frames, frame{c.at, screen})
	return nil
}

// write writes the film as an asciicast of version 2.
func (c *camera) write(file string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	lines := []any{map[string]any{"version": 2, "width": columns, "height": rows, "idle_time_limit": 10}}
	for _, f := range c.frames {
		lines = append(lines, []any{f.at, "o", string(f.screen)})
	}
	for _, line := range append(lines, []any{c.at, "o", ""}) {
		if err := enc.Encode(line); err != nil {
			return err
		}
	}
	return atomicfile.Write(file, b.Bytes(), 0o644)
}

// person is who sits at the terminal. After an error the person does nothing more.
type person struct {
	ctx    context.Context //nolint:containedctx // a person lives for one film
	camera *camera
	clock  *time.Ticker
	err    error
}

// seconds is the time of the film.
func (p *person) seconds() float64 { return p.camera.at }

// looks looks at the screen for so many ticks.
func (p *person) looks(ticks int) {
	for i := 0; i < ticks && p.err == nil; i++ {
		p.err = p.camera.look(p.ctx, p.clock.C, 1)
	}
}

// waits waits until the screen shows a pattern.
func (p *person) waits(pattern string) { p.hurries(1, pattern) }

// hurries waits as waits does, and the film runs so many times faster.
func (p *person) hurries(times float64, pattern string) {
	want, until := regexp.MustCompile(pattern), time.Now().Add(patience)
	for p.err == nil && !want.Match(plain(p.camera.last)) {
		if p.err = p.camera.look(p.ctx, p.clock.C, times); p.err == nil && time.Now().After(until) {
			p.err = fmt.Errorf("the screen never showed %q:\n%s", pattern, plain(p.camera.last))
		}
	}
}

const patience = 3 * time.Minute

var sequence = regexp.MustCompile(`\x1b\[[0-9;:?]*[a-zA-Z]`)

// plain is a screen without its colours.
func plain(screen []byte) []byte { return sequence.ReplaceAll(screen, nil) }

// presses presses a key, by the name that tmux has for it.
func (p *person) presses(key string) { p.sends(key) }

// types types a text, two letters a tick.
func (p *person) types(text string) {
	for i, letter := range text {
		p.sends("-l", string(letter))
		p.looks(i % 2)
	}
}

func (p *person) sends(keys ...string) {
	if p.err == nil {
		_, p.err = p.camera.terminal.run(p.ctx, append([]string{"send-keys"}, keys...)...)
	}
}
