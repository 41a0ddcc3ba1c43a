package tui

import (
	"bytes"
	"image"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/koda-video/koda/tui/graphics"
	"github.com/koda-video/koda/tui/theme"
)

// output is the terminal that the studio paints. Bubble Tea writes text to it. What is beside the text is told to it as a whole, see [around], and
// it finds out what of this the terminal does not know yet. A goroutine of its own writes
// everything, piece by piece, so that nobody waits for a slow terminal, and a picture is
// never torn. Of pictures for which the terminal is too slow, the last one counts.
type output struct {
	file *os.File // not embedded: it would offer other ways to write
	term Terminal

	mu    sync.Mutex
	still *sync.Cond // nothing waits to be written any more, or less than before
	wake  chan struct{}
	done  chan struct{}

	text    []byte // of Bubble Tea
	asides  []string
	want    around
	has     around // what the terminal has of it
	sent    int    // the greatest id of a picture in the terminal, shown or lost
	painted bool   // the studio is on the screen; else the shell is, or an editor
	writing bool
	ended   bool
	lost    error     // the terminal is gone
	rest    time.Time // until then, pictures wait
}

// around is what a terminal shows beside the text.
type around struct {
	title    string
	progress progress
	pictures []drawn // the first has id 1
	size     image.Point
}

// mostWaiting is how much text may wait, in bytes, before whoever writes it waits too.
const mostWaiting = 1 << 20

// remoteRate is how much a terminal on another machine is sent for pictures, in bytes per
// second: what is between hides how slow it is, until keys answer late.
const remoteRate = 512 << 10

// newOutput begins to write to a terminal, until end.
func newOutput(file *os.File, term Terminal) *output {
	o := &output{file: file, term: term, wake: make(chan struct{}, 1), done: make(chan struct{})}
	o.still = sync.NewCond(&o.mu)
	go o.run()
	return o
}

// Fd, Read and Close are those of the file: by them Bubble Tea knows a terminal.
func (o *output) Fd() uintptr { return o.file.Fd() }

func (o *output) Read(p []byte) (int, error) { return o.file.Read(p) }

// Close does nothing: the terminal is not the studio's.
func (o *output) Close() error { return nil }

// Write implements [io.Writer]. While the studio is on the screen, it does not wait for the
// terminal.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.lost == nil && len(o.text) > mostWaiting {
		o.still.Wait()
	}
	switch {
	case bytes.Contains(p, []byte(ansi.SetModeAltScreenSaveCursor)):
		o.painted = true
	case bytes.Contains(p, []byte(ansi.ResetModeAltScreenSaveCursor)):
		o.painted = false
	}
	o.text = append(o.text, p...)
	o.poke()
	for o.lost == nil && !o.painted && (len(o.text) > 0 || o.writing) {
		o.still.Wait() // who leaves the screen, or has left it, finds everything written
	}
	return len(p), o.lost
}

// show tells what is to be around the text.
func (o *output) show(a around) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.want = a
	o.poke()
}

// aside writes a sequence that paints nothing, once.
func (o *output) aside(sequence string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.painted && o.lost == nil {
		o.asides = append(o.asides, sequence)
		o.poke()
	}
}

// busy reports whether the terminal has enough to do: no further picture should be made.
func (o *output) busy() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.writing || len(o.text) > 0 || time.Now().Before(o.rest)
}

// end waits until everything is written, and takes away what is around the text.
func (o *output) end() {
	o.mu.Lock()
	o.painted, o.ended = false, true
	o.poke()
	o.mu.Unlock()
	<-o.done
}

func (o *output) poke() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *output) run() {
	defer close(o.done)
	for {
		piece, wait, more := o.next()
		if piece != nil {
			began := time.Now()
			bytes := piece()
			var err error
			if len(bytes) > 0 {
				_, err = o.file.Write(bytes)
			}
			o.wrote(len(bytes), time.Since(began), err)
			continue
		}
		if !more {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-o.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// wrote notes how long a piece took. As long as that, pictures wait now, so that half of
// the time is left for what answers keys.
func (o *output) wrote(bytes int, took time.Duration, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.term.Remote {
		took = max(took, time.Duration(bytes)*time.Second/remoteRate)
	}
	if rest := time.Now().Add(took); rest.After(o.rest) {
		o.rest = rest
	}
	o.writing = false
	if err != nil {
		o.lost, o.text, o.asides = err, nil, nil
	}
	o.still.Broadcast()
}

// next is what is written next: a piece that stands whole in the terminal's input. If there
// is none, it is how long to wait until there may be one; more is false at the end.
func (o *output) next() (piece func() []byte, wait time.Duration, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost != nil {
		return nil, time.Hour, !o.ended
	}
	defer func() { o.writing = piece != nil }()
	want := o.want
	if !o.painted {
		want = around{}
	}
	if o.painted && o.has.size != want.size {
		// tmux loses pictures while it draws everything anew.
		o.has.size, o.has.pictures = want.size, o.has.pictures[:0]
	}
	fresh, changed := o.pictures(want)
	resting := time.Until(o.rest)
	switch {
	case o.sent > len(want.pictures):
		id := uint8(o.sent)
		o.sent--
		o.has.pictures = o.has.pictures[:min(o.sent, len(o.has.pictures))]
		return func() []byte { return []byte(theme.Open(o.term.Graphics.KittyDelete(id))) }, 0, true
	case o.has.title != want.title || o.has.progress != want.progress:
		text := o.term.title(o.has.title, want.title) + o.term.progress(o.has.progress, want.progress)
		o.has.title, o.has.progress = want.title, want.progress
		return func() []byte { return []byte(text) }, 0, true
	case fresh > 0:
		return o.picture(fresh, want), 0, true
	case len(o.text) > 0:
		text := o.text
		o.text = nil
		return func() []byte { return text }, 0, true
	case len(o.asides) > 0:
		text := o.asides[0]
		o.asides = o.asides[1:]
		return func() []byte { return []byte(text) }, 0, true
	case changed > 0 && resting <= 0:
		return o.picture(changed, want), 0, true
	case changed > 0:
		return nil, resting, true
	}
	return nil, time.Hour, !o.ended
}

// pictures finds the first picture that the terminal needs before it can show the text, and
// the first one whose pixels are others now; 0: there is none.
func (o *output) pictures(want around) (fresh, changed int) {
	for i, p := range want.pictures {
		if i >= len(o.has.pictures) || o.has.pictures[i].columns != p.columns || o.has.pictures[i].rows != p.rows {
			return i + 1, changed
		}
		if changed == 0 && o.has.pictures[i].img != p.img {
			changed = i + 1
		}
	}
	return 0, changed
}

// picture is the piece that sends a picture. The terminal shows it when it is whole.
func (o *output) picture(id int, want around) func() []byte {
	p := want.pictures[id-1]
	o.sent = max(o.sent, id)
	o.has.pictures = append(append([]drawn(nil), o.has.pictures[:id-1]...), append([]drawn{p}, o.has.pictures[min(id, len(o.has.pictures)):]...)...)
	return func() []byte {
		pixels := theme.Open(o.term.Graphics.Transmit(uint8(id), graphics.Smaller(p.img, p.columns), p.columns, p.rows))
		if o.term.Graphics.Tmux {
			return []byte(pixels)
		}
		return []byte(ansi.SetModeSynchronizedOutput + pixels + ansi.ResetModeSynchronizedOutput)
	}
}
