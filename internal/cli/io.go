package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/term"

	"github.com/koda-video/koda/tui/theme"
)

// defaultWidth is assumed where the width of the terminal is not known.
const defaultWidth = 80

// IO is how a command meets the world. Commands touch no other stream. What
// they write to Out and Err passes a [theme.Writer]: no text of others
// acts on a terminal.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	exact    io.Writer // Out without that, for bytes that a program reads
	// InTTY, OutTTY and ErrTTY say which of the three is a terminal.
	InTTY, OutTTY, ErrTTY bool
	Width                 int                         // columns, where Size does not know them
	Size                  func() int                  // columns of the terminal as it is now; nil or 0: unknown
	Env                   func(string) (string, bool) // looks up an environment variable

	typed  func() (typedLines, error) // where what is typed is kept; nil: nowhere
	edits  bool                       // lines can be edited: the streams are this process's terminal
	editor *lineEditor                // once a line was asked for

	lines sync.Once
	read  chan line
}

type line struct {
	text string
	err  error
}

// SystemIO is the IO of this process.
func SystemIO() *IO {
	s := &IO{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
		Width:  defaultWidth,
		Env:    os.LookupEnv,
	}
	s.edits = s.InTTY && s.OutTTY && s.ErrTTY
	s.Size = func() int {
		for _, f := range []*os.File{os.Stderr, os.Stdout} {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
				return w
			}
		}
		return 0
	}
	return s
}

// CanAsk reports whether a person can be asked: both ends of the conversation
// are a terminal.
func (s *IO) CanAsk() bool { return s.InTTY && s.ErrTTY }

// Columns is how wide the terminal is now: people resize it.
func (s *IO) Columns() int {
	if s.Size != nil {
		if w := s.Size(); w > 0 {
			return w
		}
	}
	return s.Width
}

// Ask asks for a line that a person types, after a prompt of a few columns. At a
// terminal the line can be edited, and the lines typed before are at hand;
// ctrl-C there is INTERRUPTED. Otherwise it is as ReadLine.
func (s *IO) Ask(ctx context.Context, prompt string) (text string, err error) {
	defer func() {
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			fmt.Fprintln(s.Err) // the cursor stands behind the prompt
		}
	}()
	var kept typedLines
	if s.typed != nil {
		kept, _ = s.typed() //nolint:errcheck // settings that cannot be read are told by who needs them
	}
	if s.edits && s.editor == nil {
		before, _ := kept.load() //nolint:errcheck // lines of before are a comfort
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

// close gives the terminal back as it was.
func (s *IO) close() {
	if s.editor != nil {
		s.editor.close()
	}
}

// ReadLine reads one line of In without its end. It returns early with the
// cause of ctx; what is typed then is lost, so the caller ends the command.
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

// readLines feeds ReadLine. A read of a terminal cannot be called back, so it
// has a goroutine that ends with In or with the process.
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

// errBrokenPipe is the cause of a context cancelled because nobody reads what
// is written any more.
var errBrokenPipe = errors.New("broken pipe")

// pipeWriter tells once that its reader is gone, and swallows all further
// writes: every caller's error would be the same.
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
