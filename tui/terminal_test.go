package tui_test

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
)

// asProgram makes this test binary a program that runs the studio in its terminal. The
// value names what its session does.
const asProgram = "TUI_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if what := os.Getenv(asProgram); what != "" {
		if err := program(what); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		fmt.Println("left")
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// program runs the studio as internal/cli does: the terminal is asked first.
func program(what string) error {
	caps := graphics.Detect(os.LookupEnv, true, "auto", graphics.Probe(os.Stdin, os.Stdout, 10*time.Second))
	cfg := tui.Config{
		Theme: theme.New(theme.Detect(os.LookupEnv, true, map[bool]string{true: "never", false: "auto"}[os.Getenv("NO_COLOR") != ""])), Terminal: tui.DetectTerminal(os.LookupEnv, "auto", caps),
		Now: func() time.Time { return now }, Project: "p1",
	}
	s := &script{next: previewed(), clip: &clip{}, still: stripes(64, 36)}
	switch what {
	case "question":
		s.next = asking()
		for i := range s.next.State.Question.Question.Options {
			s.next.State.Question.Question.Options[i].Recipe = "ball"
		}
	case "whole":
		cfg.Project, cfg.Begin = "", true
	case "work":
		s.next = planned()
		s.next.Busy = true
		s.next.State.Execution = &koda.Execution{Todos: todos}
	}
	told := make(chan koda.Event, 1)
	cfg.Session = &session{s, told, []tui.Standing{asking(), planned(), previewed(), complete()}}
	_, err := tui.Run(context.Background(), cfg, os.Stdin, os.Stdout, func(show func(koda.Event)) func() {
		done := make(chan struct{})
		go func() {
			defer close(done)
			for ev := range told {
				show(ev)
			}
		}()
		return func() {
			close(told)
			<-done
		}
	})
	return err
}

// session is a session that goes the whole way. It can also break, or tell how far a render
// is.
type session struct {
	*script
	told chan<- koda.Event
	way  []tui.Standing
}

func (s *session) step() (tui.Standing, error) {
	s.next, s.way = s.way[0], s.way[1:]
	return s.next, nil
}

func (s *session) New(context.Context, tui.Brief) (tui.Standing, error) { return s.step() }
func (s *session) Answer(context.Context, string, koda.Seen, koda.Answer) (tui.Standing, error) {
	return s.step()
}
func (s *session) Accept(context.Context, string, koda.Seen, ...string) (tui.Standing, error) {
	return s.step()
}
func (*session) Undo(context.Context, string) (tui.Standing, error) { panic("broken") }

// Frames are pictures that cannot be packed into one chunk.
func (s *session) Frames(context.Context, string, int) (tui.Frames, error) { return noise{s.clip}, nil }

type noise struct{ *clip }

func (noise) At(t float64) (image.Image, error) {
	img := image.NewRGBA(image.Rect(0, 0, 64, 36))
	random := rand.New(rand.NewPCG(uint64(t*1e6), 1))
	for i := range img.Pix {
		img.Pix[i] = byte(random.Uint32())
	}
	return img, nil
}

func (s *session) Say(context.Context, string, string) error {
	s.told <- koda.Event{Project: "p1", Type: koda.EventRenderProgress, Payload: koda.Progress{Kind: "preview", Frame: 45, Frames: 75}}
	return nil
}

// stripes is a picture.
func stripes(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i >> 4)
	}
	return img
}

// emulator is a terminal that answers as kitty does, and keeps what is written to it.
type emulator struct {
	t        testing.TB
	master   *os.File
	patience *time.Timer // ends the program
	mu       sync.Mutex
	more     *sync.Cond
	got      []byte
	gone     bool
	ended    chan struct{}
}

// open starts the program in a terminal of its own.
func open(t testing.TB, what string, env ...string) *emulator {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append([]string{"TERM=xterm-kitty", "COLORTERM=truecolor", "LC_CTYPE=C.UTF-8", "CI=1", asProgram + "=" + what}, env...)
	return start(t, cmd)
}

// start starts a command in a terminal of its own.
func start(t testing.TB, cmd *exec.Cmd) *emulator {
	t.Helper()
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 100})
	if err != nil {
		t.Fatal(err)
	}
	e := &emulator{
		t: t, master: master, ended: make(chan struct{}),
		patience: time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }), //nolint:errcheck // a test that waits for ever says what it got
	}
	e.more = sync.NewCond(&e.mu)
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.read()
	}()
	t.Cleanup(func() {
		e.patience.Stop()
		_ = cmd.Process.Kill() //nolint:errcheck // it has ended, if all went well
		<-done
		_ = master.Close() //nolint:errcheck // the program is gone
	})
	go func() {
		_ = cmd.Wait() //nolint:errcheck // what was written says how it ended
		close(e.ended)
	}()
	return e
}

// What terminals are asked, and what kitty answers.
var (
	asks    = regexp.MustCompile(`\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\|\x1b\[>q|\x1b\[>?c`)
	answers = map[string]string{
		"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\": "\x1b_Gi=31;OK\x1b\\", "\x1b[>q": "\x1bP>|kitty(0.43.1)\x1b\\",
		"\x1b[c": "\x1b[?62;c", "\x1b[>c": "\x1b[>1;4000;43c",
	}
)

func (e *emulator) read() {
	b, asked := make([]byte, 1<<16), 0
	for {
		n, err := e.master.Read(b)
		e.mu.Lock()
		e.got = append(e.got, b[:n]...)
		for at := asks.FindIndex(e.got[asked:]); at != nil; at = asks.FindIndex(e.got[asked:]) {
			_, _ = e.master.WriteString(answers[string(e.got[asked+at[0]:asked+at[1]])]) //nolint:errcheck // the program may be gone
			asked += at[1]
		}
		asked = max(asked, len(e.got)-64) // a question may have come in part
		e.gone = err != nil
		e.more.Broadcast()
		e.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// waits waits until something matches that was written after an offset, and returns the
// offset behind it.
func (e *emulator) waits(from int, pattern string) int {
	e.t.Helper()
	want := regexp.MustCompile(pattern)
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if at := want.FindIndex(e.got[from:]); at != nil {
			return from + at[1]
		}
		if e.gone {
			e.t.Fatalf("%s was never written: %q", pattern, e.got[max(from, len(e.got)-1<<14):])
		}
		e.more.Wait()
	}
}

func (e *emulator) types(keys string) {
	e.t.Helper()
	if _, err := e.master.WriteString(keys); err != nil {
		e.t.Fatal(err)
	}
}

// stream is all that was written so far.
func (e *emulator) stream() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return string(e.got)
}

// leave waits for the end, and returns all that was written.
func (e *emulator) leave() string {
	e.t.Helper()
	<-e.ended
	e.mu.Lock()
	defer e.mu.Unlock()
	for !e.gone {
		e.more.Wait()
	}
	return string(e.got)
}

// command is a command of kitty's protocol, whole: all chunks of a picture.
type command struct{ Keys string }

var apc = regexp.MustCompile(`\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\`)

// commands takes a stream of a terminal apart.
func commands(t *testing.T, stream string) (all []command, text string) {
	t.Helper()
	open, last := false, 0
	for _, at := range apc.FindAllStringSubmatchIndex(stream, -1) {
		between := stream[last:at[0]]
		if open && between != "" {
			t.Errorf("%q stands inside of a picture", between)
		}
		if n := at[5] - at[4]; n > 4096 {
			t.Errorf("a chunk of %d bytes", n)
		}
		text, last = text+between, at[1]
		keys := stream[at[2]:at[3]]
		if strings.HasPrefix(keys, "i=31") {
			continue
		}
		if !open {
			all = append(all, command{Keys: strings.TrimSuffix(strings.TrimSuffix(keys, ",m=0"), ",m=1")})
		}
		open = strings.HasSuffix(keys, "m=1")
	}
	return all, text + stream[last:]
}

// TestRun_Kitty: in a terminal that says that it shows pictures, a preview is made of
// placeholders. Each frame takes the place of the one before, no picture is left, and the
// title is that of before.
func TestRun_Kitty(t *testing.T) {
	t.Parallel()
	e := open(t, "preview")
	at := e.waits(0, `\x{10EEEE}`)
	at = e.waits(at, `0:02.{0,20} / 0:02`)
	e.types("\x1b[D")
	at = e.waits(at, `0:01\.9`)
	e.types("here")
	at = e.waits(at, `is scene 2`)
	e.types("\x1b")
	e.waits(at, `accept`)
	e.types("\x03")
	stream := e.leave()
	all, text := commands(t, stream)
	for i, c := range all {
		want := `^a=T,U=1,f=100,t=d,q=2,i=1,c=\d+,r=\d+$`
		if i == len(all)-1 {
			want = `^a=d,d=I,i=1,q=2$`
		}
		if !regexp.MustCompile(want).MatchString(c.Keys) {
			t.Errorf("command %d of %d is %s", i, len(all), c.Keys)
		}
	}
	if !strings.Contains(stream, "\x1b_Gq=2,m=1;") {
		t.Error("no picture was cut into chunks")
	}
	if len(all) < 5 {
		t.Errorf("%d pictures of a preview of 20 frames", len(all)-1)
	}
	for _, frame := range regexp.MustCompile(`\x1b\[\?2026h.*?\x1b\[\?2026l`).FindAllString(text, -1) {
		if frame != "\x1b[?2026h\x1b[?2026l" {
			t.Errorf("text within a picture: %q", frame)
		}
	}
	for _, want := range []string{"\x1b[22;2t\x1b]2;koda", "\x1b]2;koda · bouncing-ball · waits for you\a", "\x1b]2;\a\x1b[23;2t"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q was not written", want)
		}
	}
	if strings.Contains(text, "▀") || !strings.HasSuffix(text, "left\r\n") {
		t.Errorf("the stream ends with %q", text[max(len(text)-200, 0):])
	}
}

// TestRun_Tmux: behind tmux, pictures and placeholders reach the terminal around it.
func TestRun_Tmux(t *testing.T) {
	t.Parallel()
	needs.Program(t, "tmux", "sudo apt-get install tmux")
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(dir, "tmux.conf")
	if err := os.WriteFile(settings, []byte("set -g allow-passthrough on\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "tmux", "-S", filepath.Join(dir, "socket"), "-f", settings, "new-session",
		"env", asProgram+"=preview", "CI=1", "COLORTERM=truecolor", "KITTY_WINDOW_ID=1",
		"sh", "-c", `read line; echo ready; read line; exec "$0"`, self) // while tmux draws all anew, it passes nothing on
	cmd.Env = []string{"TERM=xterm-256color", "LC_CTYPE=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "SHELL=/bin/sh"}
	e := start(t, cmd)
	e.waits(0, "\x1b\\[>q")
	e.types("\r")
	e.waits(0, `ready`)
	e.types("\r")
	e.waits(0, `a=T,U=1,f=100,t=d,q=2,i=1`)
	e.waits(0, `\x{10EEEE}`)
	e.types("\x03")
	e.leave() // the last picture goes as TestRun_Kitty shows, unless tmux draws at that moment and drops the command
}

// TestRun: a whole session, from the prompt to the video, in a terminal without pictures.
func TestRun(t *testing.T) {
	t.Parallel()
	e := open(t, "whole", "TERM=xterm", "COLORTERM=", "NO_COLOR=1", "LC_ALL=C")
	at := e.waits(0, `A new video`)
	e.types("bouncing ball\r")
	at = e.waits(at, `-> 1  Playful`)
	e.types("\x1b[B")
	at = e.waits(at, `-> 2  Smooth`)
	e.types("\r")
	at = e.waits(at, `Plan: 5 s`)
	e.types("\r")
	at = e.waits(at, `previews/bouncing-ball-v1.mp4`)
	e.types("\r")
	e.waits(at, `The video is ready`)
	e.types("quit\r")
	stream := e.leave()
	if !strings.HasSuffix(stream, "left\r\n") {
		t.Errorf("the stream ends with %q", stream[max(len(stream)-200, 0):])
	}
	if colour := regexp.MustCompile(`\x1b\[(?:[0-9;]*[1-689][0-9;]*|[0-9;]*7[0-9;]+)m`).FindString(stream); colour != "" {
		t.Errorf("a colour is written: %q", colour)
	}
	if i := strings.IndexFunc(stream, func(r rune) bool {
		return r > '~' && !strings.ContainsRune("落ち着くそれからボールは静かに止まり、影が薄なっていく。", r)
	}); i >= 0 {
		t.Errorf("beside the words of people there is %q", stream[max(0, i-40):i+20])
	}
}

// TestRun_Light: a text field has the background of the terminal, and a cursor.
func TestRun_Light(t *testing.T) {
	t.Parallel()
	e := open(t, "whole", "COLORFGBG=0;15")
	at := e.waits(0, `A new video`)
	e.types("ball")
	e.waits(at, `ball\x1b\[7m \x1b\[0m`)
	e.types("\x03")
	if ground := regexp.MustCompile(`\x1b\[(?:[0-9;]*;)?4[0-8][0-9;]*m`).FindString(e.leave()); ground != "" {
		t.Errorf("a background is written: %q", ground)
	}
}

// TestRun_Stills: each picture of a screen has its own id, and goes when the screen goes.
func TestRun_Stills(t *testing.T) {
	t.Parallel()
	e := open(t, "question")
	e.waits(0, `Which style`)
	at := e.waits(0, `a=T,U=1,f=100,t=d,q=2,i=3`)
	e.types("\x1b")
	e.waits(at, `no project yet`)
	e.types("\x1b")
	all, _ := commands(t, e.leave())
	var got []string
	for _, c := range all {
		got = append(got, regexp.MustCompile(`i=\d`).FindString(c.Keys)+" "+c.Keys[:3])
	}
	got = got[max(len(got)-3, 0):] // some were sent twice, as the size of the terminal was not known at first
	if diff := cmp.Diff([]string{"i=3 a=d", "i=2 a=d", "i=1 a=d"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestRun_Progress: the terminal shows how far work is, and forgets it when the studio is
// left, however that happens.
func TestRun_Progress(t *testing.T) {
	t.Parallel()
	e := open(t, "work")
	e.waits(0, `Render preview`)
	e.types("faster\r")
	e.waits(0, "\x1b\\]9;4;1;60\a")
	e.waits(0, `drawing 60 %`)
	e.types("\x03")
	stream := e.leave()
	if !strings.Contains(stream[strings.LastIndex(stream, "\x1b]9;4;1;60\a"):], "\x1b]9;4;0\a") {
		t.Error("the progress stays")
	}
}

// TestRun_Broken: if koda itself breaks, the terminal is as before.
func TestRun_Broken(t *testing.T) {
	t.Parallel()
	e := open(t, "preview")
	at := e.waits(0, `\x{10EEEE}`)
	e.types("\x1bu")
	e.waits(at, `broken`)
	stream := e.leave()
	for _, want := range []string{"\x1b[?1049l", "a=d,d=I,i=1", "\x1b[23;2t", "\x1b[?1004l"} {
		if !strings.Contains(stream[at:], want) {
			t.Errorf("%q was not written", want)
		}
	}
}
