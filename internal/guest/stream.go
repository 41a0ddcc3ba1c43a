package guest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// Stream makes a connection of two halves, such as the standard streams of a program.
// Hangup is called once, when the connection is closed. The connection knows no
// deadlines and no addresses.
func Stream(r io.Reader, w io.Writer, hangup func() error) net.Conn {
	return &stream{Reader: r, Writer: w, hangup: sync.OnceValue(hangup)}
}

type stream struct {
	io.Reader
	io.Writer
	hangup func() error
}

func (s *stream) Close() error                     { return s.hangup() }
func (s *stream) LocalAddr() net.Addr              { return addr{} }
func (s *stream) RemoteAddr() net.Addr             { return addr{} }
func (s *stream) SetDeadline(time.Time) error      { return os.ErrNoDeadline }
func (s *stream) SetReadDeadline(time.Time) error  { return os.ErrNoDeadline }
func (s *stream) SetWriteDeadline(time.Time) error { return os.ErrNoDeadline }

type addr struct{}

func (addr) Network() string { return "stream" }
func (addr) String() string  { return "guest" }

// joinBuffer is how many bytes Join carries at once.
const joinBuffer = 256 << 10

// Join connects two streams with the socket of a guest and returns when the guest has
// hung up. When in ends, the guest is told, and hangs up.
func Join(ctx context.Context, socket string, in io.Reader, out io.Writer) error {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return fmt.Errorf("join the guest: %w", err)
	}
	defer conn.Close()                                          //nolint:errcheck // everything was written by then
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) //nolint:errcheck // it ends the copying
	defer stop()
	go func() {
		_, _ = io.CopyBuffer(onlyWriter{conn}, in, make([]byte, joinBuffer)) //nolint:errcheck // every end is the end
		if half, ok := conn.(*net.UnixConn); ok {
			_ = half.CloseWrite() //nolint:errcheck // the guest may be gone
		}
	}()
	_, err = io.CopyBuffer(onlyWriter{out}, conn, make([]byte, joinBuffer))
	if errors.Is(err, net.ErrClosed) {
		err = ctx.Err()
	}
	return err
}

// onlyWriter hides a writer's own way to copy, so that the buffer is used.
type onlyWriter struct{ io.Writer }
