package hostos

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
)

// terminal is a running shell with its last output and its watchers.
type terminal struct {
	shell *proc.Terminal

	mu      sync.Mutex
	changed *sync.Cond
	written int64  // bytes the shell has written in all
	last    []byte // the last of these bytes, sandbox.MaxOutput at most
	ended   bool
	status  int // how the shell ended
}

// Shell implements [sandbox.Shells].
func (c *Commands) Shell(_ context.Context, name string, size sandbox.Size) (sandbox.Shell, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.shells[name]; ok && !t.over() {
		v := t.view()
		return v, v.Resize(size)
	}
	path, err := shell()
	if err != nil {
		return nil, err
	}
	env := append(slices.Clone(c.env), "TERM=xterm-256color")
	shell, err := proc.StartTerminal(proc.Spec{Path: path, Args: []string{"-i"}, Env: env, Dir: c.root}, size.Columns, size.Rows)
	if err != nil {
		return nil, &koda.Error{Code: koda.CodeExecutionFailed, Op: "open a shell", Err: err}
	}
	killedFirst(shell.PID())
	t := &terminal{shell: shell}
	t.changed = sync.NewCond(&t.mu)
	c.shells[name] = t
	go t.follow()
	return t.view(), nil
}

// follow reads the shell's output until the shell ends, whether or not anybody
// watches: a full terminal would hold the shell up.
func (t *terminal) follow() {
	over := make(chan int, 1)
	go func() { over <- status(t.shell.Wait()) }()
	b := make([]byte, 32<<10)
	for {
		n, err := t.shell.Read(b)
		t.say(b[:n])
		if err != nil {
			break
		}
	}
	status := <-over
	t.mu.Lock()
	t.ended, t.status = true, status
	t.mu.Unlock()
	t.changed.Broadcast()
	_ = t.shell.Close() //nolint:errcheck // nobody is there any more
}

// say shows bytes to whoever watches.
func (t *terminal) say(b []byte) {
	t.mu.Lock()
	t.written += int64(len(b))
	t.last = keepEnd(t.last, b, sandbox.MaxOutput)
	t.mu.Unlock()
	t.changed.Broadcast()
}

func (t *terminal) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// kill ends the shell and waits until it has ended.
func (t *terminal) kill() {
	t.shell.Kill()
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.ended {
		t.changed.Wait()
	}
}

func (t *terminal) view() *view {
	t.mu.Lock()
	defer t.mu.Unlock()
	return &view{t: t, at: t.written - int64(len(t.last))}
}

// view is one reader's place in the output of a shell.
type view struct {
	t      *terminal
	at     int64 // bytes read, or missed
	closed bool
}

// Read implements [sandbox.Shell]. A reader that is too slow misses the oldest bytes.
func (v *view) Read(b []byte) (int, error) {
	t := v.t
	t.mu.Lock()
	defer t.mu.Unlock()
	for v.at >= t.written && !t.ended && !v.closed {
		t.changed.Wait()
	}
	if v.closed || v.at >= t.written {
		return 0, io.EOF
	}
	first := t.written - int64(len(t.last))
	v.at = max(v.at, first)
	n := copy(b, t.last[v.at-first:])
	v.at += int64(n)
	return n, nil
}

// Write implements [sandbox.Shell].
func (v *view) Write(b []byte) (int, error) { return v.t.shell.Write(b) }

// Resize implements [sandbox.Shell].
func (v *view) Resize(size sandbox.Size) error { return v.t.shell.Resize(size.Columns, size.Rows) }

// Close implements [sandbox.Shell]: the shell runs on.
func (v *view) Close() error {
	v.t.mu.Lock()
	v.closed = true
	v.t.mu.Unlock()
	v.t.changed.Broadcast()
	return nil
}

// Wait implements [sandbox.Shell].
func (v *view) Wait() (int, error) {
	t := v.t
	t.mu.Lock()
	defer t.mu.Unlock()
	if v.closed || !t.ended {
		return 0, errors.New("the shell runs on, or nobody watched its end")
	}
	return t.status, nil
}

// Kill implements [sandbox.Shell].
func (v *view) Kill() error {
	v.t.kill()
	return nil
}
