package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/koda-video/koda/tui/theme"
)

// defaultWidth is the width of a terminal that does not tell its width.
const defaultWidth = 80

// IO is how a command meets the world. Commands touch no other stream. All they write to
// Out and Err passes a [theme.Writer], so no text of others can control a terminal.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	exact    io.Writer // Out without the writer, for bytes that a program reads
	// InTTY, OutTTY and ErrTTY say which of the three streams is a terminal.
	InTTY, OutTTY, ErrTTY bool
	Width                 int                         // columns, if Size does not know
	Size                  func() int                  // present columns of the terminal; nil or 0: unknown
	Height                func() int                  // present lines of the terminal; nil or 0: unknown
	Env                   func(string) (string, bool) // looks up an environment variable
	// Screen is the terminal of the studio, which paints it as a whole; nil: there is none.
	Screen func() (in, out *os.File)
	// Streams are koda's own, for a command of the person; nil: there are none.
	Streams func() (in, out, errs *os.File)

	After func(time.Duration) <-chan time.Time // nil: time.After

	away   atomic.Bool                // another program has the terminal: keys that interrupt are for it
	typed  func() (typedLines, error) // the file that keeps typed lines; nil: no file
	edits  bool                       // lines can be edited: the streams are this process's terminal
	editor *lineEditor                // set once a line was asked for

	lines sync.Once
	read  chan line
}

type line struct {
	text string
	err  error
}

// SystemIO is the IO of this process.
func SystemIO() *IO {
	// The standard log, too: net/http says there what a server does wrong, into the middle of a screen.
	slog.SetDefault(slog.New(slog.DiscardHandler))
	s := &IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY:   term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY:  term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY:  term.IsTerminal(int(os.Stderr.Fd())),
		Width:   defaultWidth,
		Env:     os.LookupEnv,
		Screen:  func() (in, out *os.File) { return os.Stdin, os.Stdout },
		Streams: func() (in, out, errs *os.File) { return os.Stdin, os.Stdout, os.Stderr },
	}
	s.edits = s.InTTY && s.OutTTY && s.ErrTTY
	s.Size = func() int { w, _ := terminalSize(); return w }
	s.Height = func() int { _, h := terminalSize(); return h }
	return s
}

// terminalSize is the size of this process's terminal; 0 without a terminal.
func terminalSize() (columns, lines int) {
	for _, f := range []*os.File{os.Stderr, os.Stdout} {
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w, h
		}
	}
	return 0, 0
}

// key tells when a person presses a key, ctrl-C too. Until restore is called, the terminal is raw: it does not show
// what is typed, and "\n" does not go back to the start of a line. If it interpreted ctrl-C, it would also throw away
// what was being drawn, in the middle of a line. If keys cannot be seen one by one, pressed stays silent.
func (s *IO) key() (pressed <-chan struct{}, restore func()) {
	if !s.edits || s.editor != nil {
		return nil, func() {}
	}
	in, _ := s.Screen()
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return nil, func() {}
	}
	seen := make(chan struct{})
	go func() { // a read of a terminal cannot be cancelled: it ends with the process
		defer close(seen)
		_, _ = s.In.Read(make([]byte, 64)) //nolint:errcheck // a terminal that is gone ends the wait, too
	}()
	return seen, func() { _ = term.Restore(int(in.Fd()), before) } //nolint:errcheck // the terminal may be gone
}

// CanAsk reports whether koda can ask a person: the person's input and koda's questions
// are both at a terminal.
func (s *IO) CanAsk() bool { return s.InTTY && s.ErrTTY }

// Columns is the present width of the terminal: people resize it.
func (s *IO) Columns() int {
	if s.Size != nil {
		if w := s.Size(); w > 0 {
			return w
		}
	}
	return s.Width
}

// Ask shows a short prompt and reads the line that a person types. At a terminal the
// person can edit the line and go back to earlier lines; ctrl-C gives INTERRUPTED.
// Elsewhere Ask works as ReadLine.
func (s *IO) Ask(ctx context.Context, prompt string) (text string, err error) {
	defer func() {
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			fmt.Fprintln(s.Err) // the cursor is after the prompt
		}
	}()
	var kept typedLines
	if s.typed != nil {
		kept, _ = s.typed() //nolint:errcheck // commands that need the settings report the error
	}
	if s.edits && s.editor == nil {
		before, _ := kept.load() //nolint:errcheck // earlier lines are only a comfort
		s.editor = openLineEditor(before)
		s.edits = s.editor != nil
	}
	if !s.edits {
		fmt.Fprint(s.Err, prompt)
		return s.ReadLine(ctx)
	}
	text, err = s.editor.line(ctx, prompt)
	if text = theme.Clean(text); err == nil && toKeep(text) {
		s.editor.state.AppendHistory(text)
		_ = kept.add(text) //nolint:errcheck // likewise
	}
	return text, err
}

// close restores the terminal.
func (s *IO) close() {
	if s.editor != nil {
		s.editor.close()
	}
}

// ReadLine reads one line of In without its end. If ctx ends, ReadLine returns the cause
// of ctx, and what is typed then is lost, so the caller ends the command. The error
// io.EOF says that nothing more will come.
func (s *IO) ReadLine(ctx context.Context) (string, error) {
	s.lines.Do(func() {
		s.read = make(chan line)
		go s.readLines()
	})
	select {
	case l, ok := <-s.read:
		if !ok {
			return "", io.EOF
		}
		return l.text, l.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// readLines feeds ReadLine. A read of a terminal cannot be cancelled, so it has a
// goroutine of its own, which ends with In or with the process.
func (s *IO) readLines() {
	defer close(s.read)
	r := bufio.NewReader(s.In)
	for {
		text, err := r.ReadString('\n')
		if text != "" {
			s.read <- line{text: strings.TrimRight(text, "\r\n")}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.read <- line{err: err}
			}
			return
		}
	}
}

// errBrokenPipe is the cause of a context that was cancelled because nobody reads the
// output any more.
var errBrokenPipe = errors.New("broken pipe")

// pipeWriter reports once that its reader is gone, and ignores all further writes: every
// caller would get the same error.
type pipeWriter struct {
	mu     sync.Mutex
	w      io.Writer
	broken bool
	tell   func()
}

func (p *pipeWriter) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken {
		return len(b), nil
	}
	n, err := p.w.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		p.broken = true
		p.tell()
		return len(b), nil
	}
	return n, err
}
