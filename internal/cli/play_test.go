package cli_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/strip"
)

// cinema is a face whose project has a preview of a second with four stills, at a
// terminal whose clock goes on only while koda waits, and by slow for each look at it.
func cinema(t *testing.T, slow time.Duration) *face {
	t.Helper()
	f := newFace(t)
	dir := t.TempDir()
	var stills [][]byte
	info := strip.Info{Width: 16, Height: 8, Duration: 1, FPS: 4, Times: []float64{0, 0.25, 0.5, 0.75}}
	for range info.Times {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 16, 8)), nil); err != nil {
			t.Fatal(err)
		}
		stills = append(stills, b.Bytes())
	}
	var b bytes.Buffer
	if err := strip.Write(&b, info, stills); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "ball.strip")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	p := ball
	p.Dir = dir
	f.engine.projects = []koda.Project{p}
	f.engine.strip = engine.Strip{
		Project: p, Version: 2, Path: path, Video: "/ball-v2.mp4", Scenes: []koda.SceneStart{{Title: "Drop\x1b[2J"}, {Start: 0.5}},
	}
	at := now
	f.deps.Now = func() time.Time { at = at.Add(slow); return at }
	f.io.After = func(d time.Duration) <-chan time.Time {
		at = at.Add(d)
		c := make(chan time.Time, 1)
		c <- at
		return c
	}
	f.types()
	f.io.Width, f.io.Height = 60, func() int { return 12 }
	return f
}

var (
	under = regexp.MustCompile(`\d:\d\d\.\d / .*\n`)
	up    = regexp.MustCompile(`\x1b\[(\d+)A`)
)

// bare are the lines below the pictures, without colours.
func bare(out string) string {
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(strings.Join(under.FindAllString(out, -1), ""), "")
}

func TestPlay(t *testing.T) {
	t.Parallel()
	f := cinema(t, 0)
	if got := f.run("play", "ball"); got != 0 {
		t.Fatalf("status %d: %s", got, f.err.String())
	}
	out := f.out.String()
	if want := "0:00.0 / 0:01.0 · Drop\n0:00.2 / 0:01.0 · Drop\n0:00.5 / 0:01.0 · scene 2\n0:00.7 / 0:01.0 · scene 2\n"; bare(out) != want {
		t.Errorf("under the pictures is\n%swant\n%s", bare(out), want)
	}
	// Ten lines of pixel pairs are as wide as 40 columns, and the line below: each picture goes up
	// over the one before.
	if ups := up.FindAllString(out, -1); len(ups) != 3 || ups[0] != "\x1b[11A" || strings.Count(out, "▀") != 4*40*10 || strings.Contains(out, "\x1b[2J") {
		t.Errorf("%q: %q", ups, out)
	}
	if !strings.HasSuffix(out, "\n\x1b[1G/ball-v2.mp4\n") {
		t.Errorf("it ends %q", out[len(out)-40:])
	}

	// A slow terminal sees fewer frames, and the last.
	f = cinema(t, 190*time.Millisecond)
	f.run("play", "ball")
	if got := bare(f.out.String()); strings.Count(got, "\n") >= 4 || !strings.HasSuffix(got, "0:00.7 / 0:01.0 · scene 2\n") {
		t.Errorf("slowly: %s", got)
	}
	// A low terminal sees a smaller picture.
	f = cinema(t, 0)
	f.io.Height = func() int { return 4 }
	if f.run("play", "ball"); strings.Count(f.out.String(), "▀") != 4*8*2 {
		t.Errorf("in four lines: %q", f.out.String())
	}
}

// TestPlay_Kitty: a terminal that shows whole pictures gets each frame as one, in the place of the one before.
func TestPlay_Kitty(t *testing.T) {
	t.Parallel()
	f := cinema(t, 0)
	f.env["KODA_HOME"] = t.TempDir()
	if err := os.WriteFile(filepath.Join(f.env["KODA_HOME"], "config.json"), []byte(`{"pictures":"kitty"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := f.run("play", "ball"); got != 0 {
		t.Fatalf("status %d: %s", got, f.err.String())
	}
	out := f.out.String()
	if sent, places := strings.Count(out, "\x1b_Ga=T"), strings.Count(out, "\U0010EEEE"); sent != 4 || places != 4*40*10 || strings.Contains(out, "▀") {
		t.Errorf("%d pictures, %d places: %q", sent, places, out)
	}
	if ups := up.FindAllString(out, -1); len(ups) != 3 || ups[0] != "\x1b[11A" {
		t.Errorf("%q", ups)
	}
}

func TestPlay_NoPictures(t *testing.T) {
	t.Parallel()
	cinema := func(t *testing.T) *face {
		f := cinema(t, 0)
		f.io.Width = 200
		return f
	}
	// Without a terminal, and in one that shows no pictures, there is the path.
	f := cinema(t)
	f.io.OutTTY = false
	if got := f.run("play", "ball"); got != 0 || f.out.String() != "/ball-v2.mp4\n" || f.err.Len() > 0 {
		t.Errorf("status %d: %q, %q", got, f.out.String(), f.err.String())
	}
	f = cinema(t)
	f.env["TERM"] = "xterm"
	if got := f.run("play", "ball"); got != 0 || f.out.String() != "/ball-v2.mp4\n" || !strings.Contains(f.err.String(), "shows no pictures") {
		t.Errorf("status %d: %q, %q", got, f.out.String(), f.err.String())
	}
	if f.run("play", "ball", "--json"); f.result()["preview"] != "/ball-v2.mp4" || f.result()["version"] != 2.0 {
		t.Errorf("%s", f.out.String())
	}
	// A preview without a strip is named where nothing is played.
	f = cinema(t)
	f.engine.noStrip = &koda.Error{Code: koda.CodeNotFound, Op: "no preview that can be shown", Hint: "koda render ball --preset preview"}
	if got := f.run("play", "ball"); got != 10 || !strings.Contains(f.err.String(), "hint: koda render ball --preset preview") {
		t.Errorf("status %d: %q", got, f.err.String())
	}
	f.io.OutTTY = false
	if got := f.run("play", "ball"); got != 0 || f.out.String() != "/ball-v2.mp4\n" {
		t.Errorf("status %d: %q, %q", got, f.out.String(), f.err.String())
	}
	// A damaged strip is no crash.
	f = cinema(t)
	if err := os.WriteFile(f.engine.strip.Path, []byte("koda strip 1\n{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := f.run("play", "ball"); got != 10 || !strings.Contains(f.err.String(), "draw the preview again: koda render ball --preset preview") {
		t.Errorf("status %d: %q", got, f.err.String())
	}
}

func TestShow_Frame(t *testing.T) {
	t.Parallel()
	f := cinema(t, 0)
	if got := f.run("show", "ball", "--frame", "0.6"); got != 0 || strings.Count(f.out.String(), "▀") != 40*10 || bare(f.out.String()) != "0:00.5 / 0:01.0 · scene 2\n" {
		t.Errorf("status %d: %q, %q", got, f.out.String(), f.err.String())
	}
	f.io.Width, f.io.Height = 300, nil
	if f.run("show", "ball", "--frame", "0"); strings.Count(f.out.String(), "▀") != 120*30 {
		t.Errorf("in 300 columns: %d", strings.Count(f.out.String(), "▀"))
	}
	if got := f.run("show", "ball", "--frame", "7"); got != 2 || !strings.Contains(f.err.String(), "--frame 7 is outside the preview\n  hint: give 0 to 1\n") {
		t.Errorf("status %d: %q", got, f.err.String())
	}
	if got := f.run("show", "ball", "--frame", "0.5", "--json"); got != 2 || !strings.Contains(f.out.String(), "koda still ball --at 0.5") {
		t.Errorf("status %d: %q", got, f.out.String())
	}
	f.env["TERM"] = "xterm"
	if got := f.run("show", "ball", "--frame", "0.5"); got != 2 || !strings.Contains(f.err.String(), "koda still ball --at 0.5") || f.out.Len() > 0 {
		t.Errorf("status %d: %q", got, f.err.String())
	}
}

// TestShow_FrameInPixels: a terminal that was told to draw sixels, or the pictures of iTerm2, gets one
// picture of the width of the screen, and the line below it.
func TestShow_FrameInPixels(t *testing.T) {
	t.Parallel()
	for mode, look := range map[string]func(data string) (width, height int){
		"sixel": func(data string) (width, height int) {
			n, err := fmt.Sscanf(data, "\x1bP0;1q\"1;1;%d;%d#", &width, &height)
			if rows := strings.Count(data, "-"); err != nil || n != 2 || rows != (height+5)/6-1 && rows != (height+5)/6 || !strings.HasSuffix(data, "\x1b\\") {
				t.Errorf("%d rows of sixels for %d pixels, %v: %.40q", rows, height, err, data)
			}
			return width, height
		},
		"iterm2": func(data string) (width, height int) {
			_, file, _ := strings.Cut(strings.TrimSuffix(data, "\a"), ":")
			img, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(file)))
			if err != nil {
				t.Fatalf("%v: %.40q", err, data)
			}
			return img.Bounds().Dx(), img.Bounds().Dy()
		},
	} {
		f := cinema(t, 0)
		f.env["KODA_HOME"] = t.TempDir()
		if err := os.WriteFile(filepath.Join(f.env["KODA_HOME"], "config.json"), []byte(`{"pictures":"`+mode+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		got := f.run("show", "ball", "--frame", "0.5")
		data, below, _ := strings.Cut(f.out.String(), "\n")
		if w, h := look(data); got != 0 || w < 16 || w != 2*h || bare(below) != "0:00.5 / 0:01.0 · scene 2\n" {
			t.Errorf("%s: status %d, %d×%d, %q", mode, got, w, h, below)
		}
	}
}

// TestPlay_Keys: ctrl-C is a key while a video plays: a terminal that interprets it throws away the picture that is half
// written, and the path would stand in what is left.
func TestPlay_Keys(t *testing.T) {
	t.Parallel()
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	defer tty.Close()
	before, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	pressed, restore := cli.Key(tty)
	if _, err := person.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	<-pressed
	restore()
	if after, err := term.GetState(int(tty.Fd())); err != nil || !reflect.DeepEqual(after, before) {
		t.Errorf("the terminal was %v and is %v, %v", before, after, err)
	}
}
