package guest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

func (s *server) processes(w http.ResponseWriter, r *http.Request) error {
	all, err := s.Processes(r.Context())
	if err != nil {
		return err
	}
	answer := make([]listed, len(all))
	for i, b := range all {
		answer[i] = listed{b, []byte(b.Output)}
	}
	return reply(w, answer)
}

func (s *server) stop(_ http.ResponseWriter, r *http.Request) error {
	return s.Stop(r.Context(), number(r, "pid"))
}

// input hands on the standard input that follows an order. Cancel is called when the
// request's body ends.
func input(r *http.Request, to *io.PipeWriter, cancel context.CancelFunc) {
	defer cancel()
	for {
		kind, data, err := readFrame(r.Body)
		switch {
		case err != nil:
			_ = to.Close() //nolint:errcheck // never fails
			return
		case kind == frameInput && len(data) == 0:
			_ = to.Close() //nolint:errcheck // never fails
		case kind == frameInput:
			_, _ = to.Write(data) //nolint:errcheck // a command that takes no more has closed its input
		}
	}
}

// whileTold is a context that ends with the request's body: then nobody wants what is done
// for the request any more. What comes in the body is dropped.
func whileTold(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	go func() {
		_, _ = io.Copy(io.Discard, r.Body) //nolint:errcheck // every end is the end
		cancel()
	}()
	return ctx, cancel
}

// run runs the order in the first frame. It cancels the command when the request's body
// ends, and still answers then with what the command wrote.
func (s *server) run(w http.ResponseWriter, r *http.Request) error {
	var o order
	_, data, err := readFrame(r.Body)
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		return fmt.Errorf("read a command: %w", err)
	}
	cmd := sandbox.Command{Line: o.Line, Dir: o.Dir, Env: o.Env, Background: o.Background, Timeout: o.Timeout}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if o.Stdin {
		from, to := io.Pipe()
		defer from.Close() //nolint:errcheck // never fails
		cmd.Stdin = from
		go input(r, to, cancel)
	} else {
		ctx, cancel = whileTold(r)
		defer cancel()
	}
	out := &frames{w: w.(*started).live()}
	if o.Stdout {
		cmd.Stdout = out.as(frameOutput)
	}
	if o.Stderr {
		cmd.Stderr = out.as(frameError)
	}
	res, err := s.Run(ctx, cmd)
	return out.sendJSON(frameDone, outcome{
		Stdout: []byte(res.Stdout), Stderr: []byte(res.Stderr), ExitCode: res.ExitCode, PID: res.PID, Failure: failureOf(err),
	})
}

// streamHeader names the view of a shell, for killing the shell; portHeader is the port
// of a listener. statusTrailer is the exit status of a shell that has ended.
const (
	streamHeader  = "Koda-Stream"
	portHeader    = "Koda-Port"
	statusTrailer = "Koda-Status"
)

// shell joins a shell: frames of typed bytes and sizes come in, the shell's bytes go
// out. The end of the request's body ends the view.
func (s *server) shell(w http.ResponseWriter, r *http.Request) error {
	size := sandbox.Size{Columns: uint16(number(r, "columns")), Rows: uint16(number(r, "rows"))}
	view, err := s.Shell(r.Context(), r.URL.Query().Get("name"), size)
	if err != nil {
		return err
	}
	defer view.Close() //nolint:errcheck // a view holds nothing
	s.mu.Lock()
	s.viewed++
	id := s.viewed
	s.views[id] = view
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.views, id)
		s.mu.Unlock()
	}()
	w.Header().Set(streamHeader, strconv.Itoa(id))
	out := w.(*started).live()
	go func() {
		_ = follow(r.Body, view) //nolint:errcheck // every end is the end
		_ = view.Close()         //nolint:errcheck // ends the copying below
	}()
	_, err = io.Copy(out, view)
	if status, failed := view.Wait(); failed == nil && err == nil {
		w.Header().Set(http.TrailerPrefix+statusTrailer, strconv.Itoa(status))
	}
	return err
}

// follow does to a shell what the frames of a stream say.
func follow(r io.Reader, view sandbox.Shell) error {
	for {
		kind, data, err := readFrame(r)
		if err != nil {
			return err
		}
		switch kind {
		case frameInput:
			_, err = view.Write(data)
		case frameSize:
			var size sandbox.Size
			if err = json.Unmarshal(data, &size); err == nil {
				err = view.Resize(size)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *server) killShell(_ http.ResponseWriter, r *http.Request) error {
	s.mu.Lock()
	view := s.views[number(r, "stream")]
	s.mu.Unlock()
	if view == nil {
		return &koda.Error{Code: koda.CodeNotFound, Op: "the shell has ended"}
	}
	return view.Kill()
}

// dial connects a port of this machine with the two bodies.
func (s *server) dial(w http.ResponseWriter, r *http.Request) error {
	conn, err := s.Dial(r.Context(), number(r, "port"))
	if err != nil {
		return err
	}
	return carry(conn, w, r)
}

// carry connects a connection with the two bodies, and closes it.
func carry(conn net.Conn, w http.ResponseWriter, r *http.Request) error {
	defer conn.Close() //nolint:errcheck // it may have ended already
	out := w.(*started).live()
	go func() {
		_, err := io.Copy(conn, r.Body)
		if half, ok := conn.(*net.TCPConn); ok && err == nil {
			_ = half.CloseWrite() //nolint:errcheck // it may have ended already
			return
		}
		_ = conn.Close() //nolint:errcheck // it may have ended already
	}()
	_, err := io.Copy(out, conn)
	return err
}
