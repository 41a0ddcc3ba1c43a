package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/tool"
)

// shells are the terminals that the authors of a run have open, by name. They end with
// the run. A shell that has ended keeps its name, so that the author hears of it.
type shells struct {
	mu   sync.Mutex
	open map[string]*authorShell
	// known are the names of which the journal says that the author opened a shell, in a
	// process that is gone.
	known map[string]bool
}

// remember notes which shells the author of a step knows from an earlier process.
func (s *shells) remember(calls map[int]koda.CallRecord) {
	for _, c := range calls {
		if c.Name != tool.NameCreateNewShell && c.Name != tool.NameFeedChars {
			continue
		}
		var in struct {
			Name string `json:"shell_name"`
		}
		_ = json.Unmarshal(c.Input, &in) //nolint:errcheck // then it is the shell that needs no name
		if in.Name == "" {
			in.Name = "default"
		}
		s.mu.Lock()
		if s.known == nil {
			s.known = map[string]bool{}
		}
		s.known[in.Name] = true
		s.mu.Unlock()
	}
}

// end ends all shells.
func (s *shells) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sh := range s.open {
		sh.end()
	}
}

// authorShell is a shell with what it showed and nobody read.
type authorShell struct {
	sandbox.Shell
	over   chan struct{} // closed when the shell has ended
	typing sync.Mutex    // held while characters are typed

	mu      sync.Mutex
	text    []byte
	left    int64 // bytes that were dropped before text
	status  int
	failure error // why the end of the shell is not known
}

// openShell opens a new shell. A shell of this name may be left of a koda that was
// killed: it is ended first.
func openShell(ctx context.Context, sb sandbox.Sandbox, name string, size sandbox.Size) (*authorShell, error) {
	name = "author/" + name // people have shells of their own
	sh, err := sb.Shell(ctx, name, size)
	if err != nil {
		return nil, err
	}
	if err := sh.Kill(); err != nil {
		return nil, err
	}
	_ = sh.Close() //nolint:errcheck // a view holds nothing
	if sh, err = sb.Shell(ctx, name, size); err != nil {
		return nil, err
	}
	a := &authorShell{Shell: sh, over: make(chan struct{})}
	go a.follow()
	return a, nil
}

// follow reads what the shell shows, to its end. Of what nobody reads it keeps the end.
func (a *authorShell) follow() {
	defer close(a.over)
	b := make([]byte, 32<<10)
	for {
		n, err := a.Read(b)
		a.mu.Lock()
		a.text = append(a.text, b[:n]...)
		if more := len(a.text) - sandbox.MaxOutput; more > 0 {
			a.text, a.left = append(a.text[:0], a.text[more:]...), a.left+int64(more)
		}
		a.mu.Unlock()
		if err != nil {
			break
		}
	}
	status, err := a.Wait()
	a.mu.Lock()
	a.status, a.failure = status, err
	a.mu.Unlock()
}

func (a *authorShell) ended() bool {
	select {
	case <-a.over:
		return true
	default:
		return false
	}
}

func (a *authorShell) end() {
	_ = a.Kill()  //nolint:errcheck // without its sandbox it has ended
	_ = a.Close() //nolint:errcheck // a view holds nothing
}

// show takes what the shell showed. The beginning of a character whose end is not there
// yet stays for the next time.
func (a *authorShell) show() tool.Shown {
	ended := a.ended()
	a.mu.Lock()
	defer a.mu.Unlock()
	whole := len(a.text)
	if !ended {
		whole -= unfinished(a.text)
	}
	text := a.text[:whole]
	shown := tool.Shown{Ended: ended, Status: a.status}
	if a.left > 0 {
		text = bytes.TrimLeftFunc(text, func(r rune) bool { return r == utf8.RuneError })
		shown.Note = fmt.Sprintf("%d bytes before this were not kept", a.left)
	}
	shown.Text = strings.ToValidUTF8(string(text), "\uFFFD")
	a.text, a.left = append([]byte(nil), a.text[whole:]...), 0
	if ended {
		shown.Note = strings.TrimPrefix(shown.Note+"; the shell has ended", "; ")
		if a.failure != nil {
			shown.Note += " with its sandbox, or was ended"
		}
	}
	return shown
}

// unfinished is how many bytes at the end of a text begin a character whose end is
// missing.
func unfinished(b []byte) int {
	for n := 1; n <= min(len(b), utf8.UTFMax-1); n++ {
		if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// feed types characters and looks after a while.
func (a *authorShell) feed(ctx context.Context, chars string, after func(time.Duration) (<-chan time.Time, func()), wait time.Duration) (tool.Shown, error) {
	typed := make(chan struct{})
	if a.typing.TryLock() {
		go func() {
			defer close(typed)
			defer a.typing.Unlock()
			if chars != "" {
				_, _ = a.Write([]byte(chars)) //nolint:errcheck // a shell that takes nothing has ended
			}
		}()
	} else if chars != "" {
		return a.show(), &koda.Error{
			Code: koda.CodeExecutionFailed, Op: "the program in the shell has not taken what was typed before", Hint: "create_new_shell ends it",
		}
	}
	late, stop := after(wait)
	defer stop()
	select {
	case <-ctx.Done():
		return tool.Shown{}, ctx.Err()
	case <-a.over:
	case <-late:
	}
	shown := a.show()
	select {
	case <-typed:
	default:
		if !shown.Ended && chars != "" {
			shown.Note = strings.TrimPrefix(shown.Note+"; the program has not taken everything that was typed yet", "; ")
		}
	}
	return shown, nil
}

// firstLook is how long a new shell has to show its prompt.
const firstLook = 250 * time.Millisecond

// NewShell implements tool.Shells.
func (a *act) NewShell(ctx context.Context, name string, size sandbox.Size) (tool.Shown, error) {
	sb, err := a.sandbox()
	if err != nil {
		return tool.Shown{}, err
	}
	s := &a.r.shells
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.open[name]; old != nil {
		old.end()
	}
	sh, err := openShell(ctx, sb, name, size)
	if err != nil {
		return tool.Shown{}, err
	}
	if s.open == nil {
		s.open = map[string]*authorShell{}
	}
	s.open[name] = sh
	return sh.feed(ctx, "", a.r.e.cfg.After, firstLook)
}

// Feed implements tool.Shells.
func (a *act) Feed(ctx context.Context, name, chars string, size sandbox.Size, wait time.Duration) (tool.Shown, error) {
	s := &a.r.shells
	s.mu.Lock()
	sh, known := s.open[name], s.known[name]
	s.mu.Unlock()
	note := ""
	switch {
	case sh != nil && sh.ended(), sh == nil && known:
		return tool.Shown{}, &koda.Error{
			Code: koda.CodeNotFound, Op: fmt.Sprintf("the shell %q has ended, with its directory, its variables and the programs in it", name),
			Hint: "create_new_shell opens another in the project's directory",
		}
	case sh == nil:
		if _, err := a.NewShell(ctx, name, sandbox.Size{Columns: 120, Rows: 40}); err != nil {
			return tool.Shown{}, err
		}
		s.mu.Lock()
		sh = s.open[name]
		s.mu.Unlock()
		note = "the shell was opened in the project's directory"
	}
	if size != (sandbox.Size{}) {
		if err := sh.Resize(size); err != nil {
			return tool.Shown{}, err
		}
	}
	shown, err := sh.feed(ctx, chars, a.r.e.cfg.After, wait)
	if note != "" {
		shown.Note = strings.TrimPrefix(shown.Note+"; "+note, "; ")
	}
	return shown, err
}
