package guest

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"

	"github.com/koda-video/koda/internal/koda"
)

// most connections of one listener, at either end.
const mostCallers = 128

// listen opens a port until the request's body ends. Each connection that comes is told by
// its number, and waits until koda accepts it with a call of its own.
func (s *server) listen(w http.ResponseWriter, r *http.Request) error {
	l, err := s.Listen(r.Context())
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	w.Header().Set(portHeader, port)
	out := &frames{w: w.(*started).live()}
	go func() {
		_, _ = io.Copy(io.Discard, r.Body) //nolint:errcheck // every end is the end
		_ = l.Close()                      //nolint:errcheck // ends the loop below
	}()
	defer l.Close() //nolint:errcheck // it may be closed already
	var mine []int
	defer func() {
		for _, id := range mine {
			if conn := s.take(id); conn != nil {
				_ = conn.Close() //nolint:errcheck // nobody used it
			}
		}
	}()
	for {
		conn, err := l.Accept()
		if err != nil {
			return nil //nolint:nilerr // koda closed the listener
		}
		s.mu.Lock()
		mine = slices.DeleteFunc(mine, func(id int) bool { return s.waiting[id] == nil })
		full := len(mine) >= mostCallers
		if s.called++; !full {
			s.waiting[s.called] = conn
			mine = append(mine, s.called)
		}
		id := s.called
		s.mu.Unlock()
		if full {
			_ = conn.Close() //nolint:errcheck // too many wait
		} else if err := out.send(frameCaller, []byte(strconv.Itoa(id))); err != nil {
			return err
		}
	}
}

// take is a connection that waits; nil if there is none of that number.
func (s *server) take(id int) net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	conn := s.waiting[id]
	delete(s.waiting, id)
	return conn
}

// accept connects a connection that waits with the two bodies.
func (s *server) accept(w http.ResponseWriter, r *http.Request) error {
	conn := s.take(number(r, "caller"))
	if conn == nil {
		return &koda.Error{Code: koda.CodeNotFound, Op: "that connection has ended"}
	}
	return carry(conn, w, r)
}

// listener is a port of the sandbox, seen from koda.
type listener struct {
	addr  net.Addr
	conns chan net.Conn
	over  context.Context
	close func()
	room  chan struct{} // a place for each open connection
}

// Listen implements [sandbox.Listener].
func (s *Sandbox) Listen(ctx context.Context) (net.Listener, error) {
	const op = "listen in the sandbox"
	in, resp, end, err := s.open(ctx, s.bulk, op, "/listen", nil) //nolint:bodyclose // end closes it
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(resp.Header.Get(portHeader), 10, 16)
	if err != nil {
		end()
		return nil, s.broken(ctx, op, fmt.Errorf("read the port: %w", err))
	}
	over, cancel := context.WithCancel(context.WithoutCancel(ctx))
	l := &listener{
		addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: int(port)}, conns: make(chan net.Conn), over: over, room: make(chan struct{}, mostCallers),
		close: sync.OnceFunc(func() {
			cancel()
			_ = in.Close() //nolint:errcheck // never fails
			end()
		}),
	}
	go func() {
		l.follow(s, resp.Body)
		l.close()
	}()
	return l, nil
}

// follow accepts what the guest tells of until the listener is closed.
func (l *listener) follow(s *Sandbox, told io.Reader) {
	for {
		kind, id, err := readFrame(told)
		if err != nil {
			return
		}
		if kind != frameCaller {
			continue
		}
		select {
		case l.room <- struct{}{}:
		case <-l.over.Done():
			return
		}
		conn, err := s.connect(l.over, "accept a connection of the sandbox", "/accept", url.Values{"caller": {string(id)}})
		if err != nil {
			<-l.room
			continue // its program has given up
		}
		leave := sync.OnceFunc(func() { <-l.room })
		one := &caller{Conn: conn, leave: leave}
		context.AfterFunc(l.over, func() { _ = one.Close() }) //nolint:errcheck // its end is all there is to it
		select {
		case l.conns <- one:
		case <-l.over.Done():
			return
		}
	}
}

// caller gives its place back when it is closed.
type caller struct {
	net.Conn
	leave func()
}

func (c *caller) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.over.Done():
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *listener) Close() error {
	l.close()
	return nil
}

// Addr implements net.Listener: the address in the sandbox.
func (l *listener) Addr() net.Addr { return l.addr }
