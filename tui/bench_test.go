package tui_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
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
// preview plays: with nothing else at work, while every core is kept busy, and while koda
// renders a video of 1080p60 with browser and encoder.
func BenchmarkStudio_Key(b *testing.B) {
	for _, bench := range []struct {
		name, term string
		load       func(*testing.B)
	}{
		{"blocks", "TERM=xterm-256color", func(*testing.B) {}},
		{"blocks, busy", "TERM=xterm-256color", spinning}, {"kitty, busy", "TERM=xterm-kitty", spinning},
		{"blocks, rendering", "TERM=xterm-256color", rendering}, {"kitty, rendering", "TERM=xterm-kitty", rendering},
	} {
		b.Run(bench.name, func(b *testing.B) {
			bench.load(b)
			e := open(b, "preview", bench.term)
			e.waits(0, `0:00.*/ 0:02`)
			e.types("\x1bl+") // it plays for ever
			e.waits(0, `speed 2.*loop`)
			var took []time.Duration
			for b.Loop() {
				for i := range 400 {
					<-time.After(time.Duration(i*7%40) * time.Millisecond) // keys do not follow the clock of the screen
					key, answer := "+", "speed 4"
					if i%2 == 1 {
						key, answer = "-", "speed 2"
					}
					took = append(took, e.answers(key, answer))
				}
			}
			slices.Sort(took)
			for name, part := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
				b.ReportMetric(float64(took[int(part*float64(len(took)-1))])/1e6, name)
			}
		})
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

// rendering has koda render a long video until the end of the benchmark. It returns when
// the frames of the final video are being drawn.
func rendering(b *testing.B) {
	needs.Chromium(b)
	needs.FFmpeg(b)
	dir := b.TempDir()
	program := filepath.Join(dir, "koda")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "../cmd/koda").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	render := exec.CommandContext(b.Context(), program, "new", "bouncing ball, 2 minutes", "--yes", "--plain")
	render.Dir, render.Env = dir, append(os.Environ(), "KODA_HOME="+filepath.Join(dir, "home"))
	render.Cancel = func() error { return render.Process.Signal(syscall.SIGTERM) }
	told, err := render.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := render.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(told)
	begun := false
	for !begun && lines.Scan() {
		begun = strings.HasPrefix(lines.Text(), "final: ")
	}
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		for lines.Scan() {
			b.Log(lines.Text())
		}
	}()
	b.Cleanup(func() {
		_ = render.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		<-drained
		_ = render.Wait() //nolint:errcheck // it was ended
	})
	if !begun {
		b.Fatal("koda ended before it drew the final video")
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
			e.t.Fatalf("%s has no answer", key)
		}
		e.more.Wait()
	}
	return time.Since(began)
}
