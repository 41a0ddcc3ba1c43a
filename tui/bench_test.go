package tui_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/tui"
	"github.com/koda-video/koda/tui/theme"
)

// BenchmarkStudio is an event and the view after it, on a screen of 200 by 50 with 10,000
// events behind it.
func BenchmarkStudio(b *testing.B) {
	busy := planned()
	busy.Busy, busy.Waiting = true, tui.ForRetry
	busy.State.Execution = &koda.Execution{Todos: todos}
	m := tui.New(b.Context(), tui.Config{
		Session: &script{next: busy}, Theme: theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true}), Project: "p1", Now: func() time.Time { return now },
	})
	m.Stop()
	settle(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 50})
	event := func(i int) tea.Msg {
		return tui.Event(koda.Event{Project: "p1", Type: koda.EventMessage, Payload: koda.MessageAdded{Role: "assistant", Content: fmt.Sprintf("Step %d: the ball is placed, and its shadow follows it to the floor.", i)}})
	}
	for i := range 10_000 {
		m.Update(event(i))
	}
	for i := 0; b.Loop(); i++ {
		m.Update(event(i))
		m.View()
	}
}

// BenchmarkStudio_Picture is the view of a preview whose frame changes each time.
func BenchmarkStudio_Picture(b *testing.B) {
	th := theme.New(theme.Options{Colors: theme.TrueColor, UTF8: true})
	m := tui.New(b.Context(), tui.Config{Session: &script{next: previewed(), clip: &clip{}}, Theme: th, Project: "p1", Now: func() time.Time { return now }})
	m.Stop()
	settle(m, m.Init())
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 50})
	_, cmd := m.Update(keyOf(" "))
	settle(m, cmd)
	for b.Loop() {
		_, cmd := m.Update(keyOf("right"))
		settle(m, cmd)
		m.View()
	}
}

// settle runs a command and all that follow from it.
func settle(m *tui.Studio, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, c := range batch {
			settle(m, c)
		}
		return
	}
	_, next := m.Update(msg)
	settle(m, next)
}

// BenchmarkStudio_Key is the time from a key to its answer on a real terminal, while a
// preview plays: with nothing else at work, and while every core is kept busy by programs
// of another session.
func BenchmarkStudio_Key(b *testing.B) {
	for _, bench := range []struct {
		name, term string
		load       func(*testing.B)
	}{
		{"blocks", "TERM=xterm-256color", func(*testing.B) {}},
		{"blocks, busy", "TERM=xterm-256color", spinning}, {"kitty, busy", "TERM=xterm-kitty", spinning},
	} {
		b.Run(bench.name, func(b *testing.B) {
			bench.load(b)
			e := open(b, "preview", bench.term)
			e.waits(0, `0:00.*/ 0:02`)
			e.types("\x1bl+") // it plays for ever
			e.waits(0, `speed 2.*loop`)
			e.times(b, func(i int) (key, answer string) {
				if i%2 == 1 {
					return "-", "speed 2"
				}
				return "+", "speed 4"
			})
		})
	}
}

// BenchmarkStudio_Rendering is the time from a letter that is typed in koda's studio to the
// letter on a real terminal, while this studio renders a video of 1080p60. Browser and
// encoder are its children. Where the kernel shares the processor among sessions, another
// session with a render would tell nothing of the niceness of the children.
func BenchmarkStudio_Rendering(b *testing.B) {
	needs.Chromium(b)
	needs.FFmpeg(b)
	program := filepath.Join(b.TempDir(), "koda")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "../cmd/koda").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for _, bench := range []struct{ name, term string }{{"blocks", "xterm-256color"}, {"kitty", "xterm-kitty"}} {
		b.Run(bench.name, func(b *testing.B) {
			dir := b.TempDir()
			studio := exec.CommandContext(b.Context(), program, "new", "bouncing ball, 30 seconds", "--style", "playful")
			studio.Dir, studio.Env = dir, append(os.Environ(), "KODA_HOME="+filepath.Join(dir, "home"), "TERM="+bench.term, "COLORTERM=truecolor")
			e := start(b, studio)
			e.patience.Reset(10 * time.Minute)
			at := e.waits(0, `Plan: 30 s at 60 fps`)
			e.types("\r")
			at = e.waits(at, `/ 0:30`)
			e.types("\r")
			at = e.waits(at, `now at 0:0`)
			const letters, line = "abcdefghijklmnopqrstuvwxyz", 40
			e.times(b, func(i int) (key, answer string) {
				if i%line == line-1 {
					return "\x1b", "ay what should be different" // the line is empty again, and the cursor stands on the first letter
				}
				typed := strings.Repeat(letters, 2)[:i%line+1]
				return typed[len(typed)-1:], typed
			})
			e.types("\x03")
			e.waits(at, `Interrupting`) // it is still at work
			e.types("\x03")
			e.leave()
		})
	}
}

// times has keys pressed, and reports how long their answers took.
func (e *emulator) times(b *testing.B, key func(i int) (key, answer string)) {
	var took []time.Duration
	before := len(e.stream())
	for b.Loop() {
		for i := range 400 {
			<-time.After(time.Duration(i*7%40) * time.Millisecond) // keys do not follow the clock of the screen
			took = append(took, e.answers(key(i)))
		}
	}
	b.ReportMetric(float64(len(e.stream())-before)/float64(len(took)), "B/key")
	slices.Sort(took)
	for name, part := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
		b.ReportMetric(float64(took[int(part*float64(len(took)-1))])/1e6, name)
	}
}

// spinning keeps every core busy until the end of the benchmark.
func spinning(b *testing.B) {
	for range runtime.NumCPU() {
		spin := exec.CommandContext(b.Context(), "sh", "-c", "while :; do :; done")
		if err := spin.Start(); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			_ = spin.Process.Kill() //nolint:errcheck // it does not end by itself
			_ = spin.Wait()         //nolint:errcheck // it was killed
		})
	}
}

// answers types a key, and is the time until the text of its answer comes.
func (e *emulator) answers(key, text string) time.Duration {
	e.mu.Lock()
	from := len(e.got)
	e.mu.Unlock()
	began := time.Now()
	e.types(key)
	e.mu.Lock()
	defer e.mu.Unlock()
	for !bytes.Contains(e.got[from:], []byte(text)) {
		if e.gone {
			e.t.Fatalf("%q has no answer: %q", key, e.got[max(from, len(e.got)-1<<12):])
		}
		e.more.Wait()
	}
	return time.Since(began)
}
