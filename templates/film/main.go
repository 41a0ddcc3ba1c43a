// Film records the studio for the README: a person at a terminal makes a video of a
// sentence. It runs the real koda in tmux and types, keeps what is on the screen as a
// recording of a terminal, and has koda draw the recording.
//
//	go run ./templates/film -koda bin/koda [-o testdata/readme]
//
// It writes studio.gif, and studio.png, a moment of it. With -cast FILE it keeps the
// recording as well.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"

	"github.com/koda-video/koda/internal/proc"
)

// The screen, and the film of it: cells of 8 by 16 pixels fill it.
const (
	columns, rows = 100, 30
	width, height = 880, 592
	fps           = 10
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	koda := flag.String("koda", "bin/koda", "koda to record and to draw with")
	out := flag.String("o", "testdata/readme", "directory to write")
	keep := flag.String("cast", "", "file to keep the recording in")
	flag.Parse()
	if *koda, err = filepath.Abs(*koda); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "film-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	cast := filepath.Join(work, "studio.cast")
	if *keep != "" {
		cast = *keep
	}
	shown, err := record(ctx, *koda, work, cast)
	if err != nil {
		return err
	}
	return draw(ctx, *koda, work, cast, *out, shown)
}

// record plays the session and writes its recording. shown is the second of the moment
// for the picture.
func record(ctx context.Context, koda, work, file string) (shown float64, err error) {
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		return 0, fmt.Errorf("find tmux: %w", err)
	}
	t := &terminal{tmux: tmux, socket: filepath.Join(work, "tmux")}
	home := filepath.Join(work, "videos")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return 0, err
	}
	err = t.start(ctx, home, "env", "PATH="+filepath.Dir(koda)+":"+os.Getenv("PATH"), "KODA_HOME="+filepath.Join(work, "home"), "TERM=xterm-256color", "COLORTERM=truecolor", "LC_ALL=C.UTF-8", "PS1=$ ", "bash", "--norc", "--noprofile")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, t.end()) }()
	c := &camera{terminal: t}
	if err := c.roll(ctx, func(p *person) { shown = session(p) }); err != nil {
		return 0, err
	}
	return shown, c.write(file)
}

// session is what the person does. It returns the moment for the picture.
func session(p *person) (shown float64) {
	p.waits(`\$ `)
	p.types("koda new")
	p.looks(3)
	p.presses("Enter")
	p.waits("What should the video show")
	p.looks(8)
	p.types(`title "Harvest 2026", then bars: Apples 30, Pears 45, Plums 12, then "Thank you!"`)
	p.looks(5)
	p.presses("Enter")
	p.waits("What style")
	p.looks(16)
	p.presses("Enter")
	p.hurries(2, "enter accept")
	p.looks(24)
	p.presses("Enter")
	p.hurries(16, "space play")
	p.looks(9) // the preview plays
	p.presses("Space")
	p.looks(4)
	p.presses("]")
	p.looks(4)
	for range 5 {
		p.presses("Right")
		p.presses("Right")
		p.looks(1)
	}
	p.looks(5)
	shown = p.seconds()
	p.types("navy background")
	p.looks(4)
	p.presses("Enter")
	p.hurries(16, " v2(?s:.*)space play") // begins at the scene that was criticised
	p.presses("Space")
	for range 10 {
		p.presses("Right")
	}
	p.looks(8)
	p.presses("M-x") // beside the version before
	p.looks(4)
	for range 6 {
		p.presses("<")
		p.looks(1)
	}
	p.looks(6)
	p.presses("Enter")
	p.hurries(48, "another preset")
	p.looks(25)
	return shown
}

// draw has koda draw the recording.
func draw(ctx context.Context, koda, work, cast, out string, shown float64) error {
	out, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	run := func(args ...string) error {
		_, err := proc.Output(ctx, proc.Spec{Path: koda, Args: append(args, "--quiet"), Dir: work, Env: append(os.Environ(), "KODA_HOME="+filepath.Join(work, "home"))})
		if ended := (*proc.ExitError)(nil); errors.As(err, &ended) && ended.Status == waits {
			return nil
		}
		return err
	}
	for _, args := range [][]string{
		{"new", fmt.Sprintf("%dx%d", width, height), "--data", cast, "--name", "film", "--style", "smooth", "--set", "backdrop=plain", "--set", "background=" + behind},
		{"accept", "film"},
		{"render", "film", "--format", "gif", "--fps", strconv.Itoa(fps), "--output", filepath.Join(out, "studio.gif")},
		{"still", "film", "--at", fmt.Sprint(opens + shown), "--output", filepath.Join(out, "studio.png")},
	} {
		if err := run(args...); err != nil {
			return err
		}
	}
	return nil
}

const (
	waits  = 3   // the status of a koda that waits for a person
	opens  = 0.8 // seconds in which the window of the recording opens
	behind = "#3d4a66"
)
