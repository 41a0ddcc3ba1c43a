package guest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// bounded is an output as the interface promises it: not much longer than
// [sandbox.MaxOutput].
func bounded(b []byte) string { return string(b[:min(len(b), sandbox.MaxOutput+200)]) }

// telling is the body of a request: what write sends, and then nothing until ctx ends, or
// done is called. When ctx ends, the body ends; the guest then ends what it does and
// answers, so the call, which cancel ends, outlives ctx for a moment.
func telling(ctx context.Context, cancel context.CancelFunc, write func(*frames)) (body io.Reader, done func()) {
	out, in := io.Pipe()
	stop := context.AfterFunc(ctx, func() {
		_ = in.Close() //nolint:errcheck // never fails
		time.AfterFunc(grace, cancel)
	})
	go write(&frames{w: in})
	return out, func() {
		stop()
		_ = in.Close() //nolint:errcheck // never fails
	}
}

// Run implements [sandbox.Commands].
func (s *Sandbox) Run(ctx context.Context, cmd sandbox.Command) (sandbox.RunResult, error) {
	const op = "run command"
	if err := ctx.Err(); err != nil {
		return sandbox.RunResult{}, fmt.Errorf("%s: %w", op, err)
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(cmd.Timeout, sandbox.DefaultTimeout)+patience)
	defer cancel()
	body, done := telling(ctx, cancel, func(sent *frames) {
		_ = sent.sendJSON(frameInput, order{ //nolint:errcheck // the answer tells
			Line: cmd.Line, Dir: cmd.Dir, Env: cmd.Env, Background: cmd.Background, Timeout: cmd.Timeout, Stdout: cmd.Stdout != nil, Stderr: cmd.Stderr != nil,
			Stdin: cmd.Stdin != nil,
		})
		if cmd.Stdin != nil {
			_, _ = io.Copy(sent.as(frameInput), cmd.Stdin) //nolint:errcheck // a command that takes no more has ended
			_ = sent.send(frameInput, nil)                 //nolint:errcheck // likewise
		}
	})
	defer done()
	if cmd.Stdin != nil { // a command that reads nothing holds up the end of the body
		defer context.AfterFunc(ctx, func() { time.AfterFunc(time.Second, cancel) })()
	}
	resp, err := s.ask(limited, s.bulk, op, http.MethodPost, "/run", nil, body)
	if err == nil {
		defer closeAnswer(resp)
		var res sandbox.RunResult
		if res, err = s.outcome(limited, op, resp.Body, cmd); err == nil || ctx.Err() == nil && slices.Contains(withResult, koda.CodeOf(err)) {
			return res, err
		}
	}
	if ctx.Err() != nil {
		return sandbox.RunResult{}, fmt.Errorf("%s: %w", op, ctx.Err())
	}
	return sandbox.RunResult{}, err
}

// checkStatus refuses what no system gives a process: -1 is the status of a process that
// has not ended, 0 the id of one that has.
func checkStatus(status, pid int) error {
	if status < -1 || status > 255 || pid < 0 || pid > math.MaxInt32 {
		return fmt.Errorf("process %d with status %d cannot be", pid, status)
	}
	return nil
}

// withResult are the codes of errors that come with a result.
var withResult = []koda.Code{koda.CodeTimeout, koda.CodeOutOfMemory, koda.CodeDiskFull}

// outcome hands on a command's output until the command has ended.
func (s *Sandbox) outcome(ctx context.Context, op string, r io.Reader, cmd sandbox.Command) (sandbox.RunResult, error) {
	for {
		kind, data, err := readFrame(r)
		if err != nil {
			return sandbox.RunResult{}, s.broken(ctx, op, err)
		}
		switch {
		case kind == frameOutput && cmd.Stdout != nil:
			_, _ = cmd.Stdout.Write(data) //nolint:errcheck // a watcher must not end the command
		case kind == frameError && cmd.Stderr != nil:
			_, _ = cmd.Stderr.Write(data) //nolint:errcheck // a watcher must not end the command
		case kind == frameDone:
			var o outcome
			if err := json.Unmarshal(data, &o); err != nil {
				return sandbox.RunResult{}, s.broken(ctx, op, err)
			}
			if wrong := checkStatus(o.ExitCode, o.PID); wrong != nil {
				return sandbox.RunResult{}, s.broken(ctx, op, wrong)
			}
			return sandbox.RunResult{Stdout: bounded(o.Stdout), Stderr: bounded(o.Stderr), ExitCode: o.ExitCode, PID: o.PID}, o.Failure.err()
		}
	}
}

// Processes implements [sandbox.Commands].
func (s *Sandbox) Processes(ctx context.Context) ([]sandbox.Background, error) {
	var all []listed
	if err := s.get(ctx, s.bulk, "list processes", "/processes", nil, &all); err != nil {
		return nil, err
	}
	out := make([]sandbox.Background, len(all))
	for i, l := range all {
		if wrong := checkStatus(l.ExitCode, l.PID); wrong != nil {
			return nil, s.broken(ctx, "list processes", wrong)
		}
		out[i] = l.Background
		out[i].Output = bounded(l.Output)
	}
	return out, nil
}

// Stop implements [sandbox.Commands].
func (s *Sandbox) Stop(ctx context.Context, pid int) error {
	return s.post(ctx, s.typed, "stop a process", http.MethodPost, "/stop", url.Values{"pid": {strconv.Itoa(pid)}}, nil)
}

// open begins a call whose two bodies flow at the same time. Ctx bounds the opening
// only. The caller calls end when it is done.
func (s *Sandbox) open(ctx context.Context, l *line, op, target string, query url.Values) (in *io.PipeWriter, resp *http.Response, end func(), err error) {
	long, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	body, in := io.Pipe()
	resp, err = s.ask(long, l, op, http.MethodPost, target, query, body) //nolint:bodyclose // end closes it
	if !stop() && err == nil {
		closeAnswer(resp)
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		if ctx.Err() != nil {
			err = fmt.Errorf("%s: %w", op, ctx.Err())
		}
		return nil, nil, nil, err
	}
	return in, resp, func() {
		_ = in.Close() //nolint:errcheck // never fails
		closeAnswer(resp)
		cancel()
	}, nil
}

// shell is a view of a shell in the guest.
type shell struct {
	s      *Sandbox
	in     *io.PipeWriter
	typed  *frames
	resp   *http.Response // its body is what the shell shows
	close  func()
	closed atomic.Bool
	ended  atomic.Bool // everything was read, the trailer too
}

// Shell implements [sandbox.Shells].
func (s *Sandbox) Shell(ctx context.Context, name string, size sandbox.Size) (sandbox.Shell, error) {
	query := url.Values{"name": {name}, "columns": {strconv.Itoa(int(size.Columns))}, "rows": {strconv.Itoa(int(size.Rows))}}
	in, resp, end, err := s.open(ctx, s.typed, "open a shell", "/shell", query) //nolint:bodyclose // end closes it
	if err != nil {
		return nil, err
	}
	sh := &shell{s: s, in: in, typed: &frames{w: in}, resp: resp}
	sh.close = sync.OnceFunc(func() {
		sh.closed.Store(true)
		_ = in.Close()             //nolint:errcheck // never fails
		time.AfterFunc(grace, end) // the guest ends the answer; what was typed last still arrives
	})
	return sh, nil
}

// Read implements [sandbox.Shell].
func (sh *shell) Read(b []byte) (int, error) {
	n, err := sh.resp.Body.Read(b)
	switch {
	case sh.closed.Load():
		return 0, io.EOF
	case err == io.EOF: //nolint:errorlint // see below
		sh.ended.Store(true)
	case err != nil && err != io.EOF: //nolint:errorlint // a reader's end is io.EOF itself
		err = sh.s.broken(context.Background(), "read a shell", err)
	}
	return n, err
}

// Write implements [sandbox.Shell].
func (sh *shell) Write(b []byte) (int, error) { return sh.typed.as(frameInput).Write(b) }

// Resize implements [sandbox.Shell].
func (sh *shell) Resize(size sandbox.Size) error { return sh.typed.sendJSON(frameSize, size) }

// Close implements [sandbox.Shell].
func (sh *shell) Close() error {
	sh.close()
	return nil
}

// Wait implements [sandbox.Shell].
func (sh *shell) Wait() (int, error) {
	if sh.ended.Load() {
		if status, err := strconv.Atoi(sh.resp.Trailer.Get(statusTrailer)); err == nil {
			return status, nil
		}
	}
	return 0, sh.s.broken(context.Background(), "wait for a shell", errors.New("it does not say how the shell ended"))
}

// Kill implements [sandbox.Shell].
func (sh *shell) Kill() error {
	err := sh.s.post(context.Background(), sh.s.typed, "end a shell", http.MethodPost, "/kill-shell", url.Values{"stream": {sh.resp.Header.Get(streamHeader)}}, nil)
	if koda.CodeOf(err) == koda.CodeNotFound {
		return nil
	}
	return err
}

// Dial implements [sandbox.Dialer]. Closing the connection closes both of its
// directions.
func (s *Sandbox) Dial(ctx context.Context, port int) (net.Conn, error) {
	return s.connect(ctx, "dial", "/dial", url.Values{"port": {strconv.Itoa(port)}})
}

// connect opens a connection with what the target names.
func (s *Sandbox) connect(ctx context.Context, op, target string, query url.Values) (net.Conn, error) {
	in, resp, end, err := s.open(ctx, s.bulk, op, target, query) //nolint:bodyclose // end closes it
	if err != nil {
		return nil, err
	}
	near, far := net.Pipe() // it knows deadlines, which the two bodies do not
	go func() {
		_, _ = io.Copy(in, near)   //nolint:errcheck // every end is the end
		_ = in.Close()             //nolint:errcheck // never fails
		time.AfterFunc(grace, end) // what was written last still arrives
	}()
	go func() {
		_, _ = io.Copy(near, resp.Body) //nolint:errcheck // every end is the end
		_ = near.Close()                //nolint:errcheck // never fails
	}()
	return far, nil
}
