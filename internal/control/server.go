package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

// The limits of a server.
const (
	maxPeers = 32              // connections at once; further connections are closed
	patience = 5 * time.Second // for a request to arrive, and for the peer to take a line
	goodbye  = time.Second     // for the last lines, at the end
)

// Owner is the process that works on a project. Its methods are called from
// several goroutines.
type Owner interface {
	// Say takes a message in. It returns when the message is journaled, or says why
	// it cannot be.
	Say(text string) (koda.Heard, error)
	// Cancel asks the work to end, saved. It does not wait for the end.
	Cancel() error
	// Edited takes in which files a person changed in the sandbox. It returns when that
	// is journaled.
	Edited(paths []string) error
	// Now is the line that shows the current activity; "" for none. It waits for
	// nothing.
	Now() string
}

// Server is the owner's end. A nil Server serves nobody.
type Server struct {
	path    string
	project string
	socket  *net.UnixListener
	owner   Owner
	events  *feed.Feed
	over    context.Context // ends with HangUp
	end     context.CancelFunc
	all     sync.WaitGroup // goroutines

	mu    sync.Mutex
	peers map[net.Conn]bool
}

// Listen makes the owner of a project reachable, at [Path], until Close and HangUp
// are called. Followers get the project's events that are published in the feed.
// The caller holds the lock of the project.
func Listen(dir, project string, events *feed.Feed, o Owner) (*Server, error) {
	socket, err := listen(dir, project)
	if err != nil {
		return nil, failed("listen for other processes", err)
	}
	s := &Server{path: Path(dir, project), project: project, socket: socket, owner: o, events: events, peers: map[net.Conn]bool{}}
	s.over, s.end = context.WithCancel(context.Background())
	s.all.Go(s.accept)
	return s, nil
}

// Close takes no more connections and removes the socket, so that another process
// can be the next owner. Existing connections go on.
func (s *Server) Close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.socket.Close(), ignoreMissing(os.Remove(s.path)))
}

// HangUp tells all peers that the work is over and waits, not for long, until they
// know. It is called after Close, when everything is saved and the project is free.
func (s *Server) HangUp() {
	if s == nil {
		return
	}
	s.end()
	late := time.AfterFunc(goodbye, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for conn := range s.peers {
			_ = conn.Close() //nolint:errcheck // this ends whatever waits for the connection
		}
	})
	defer late.Stop()
	s.all.Wait()
}

func (s *Server) accept() {
	for {
		conn, err := s.socket.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // no file descriptor is free; one may be free in a moment
			select {
			case <-time.After(50 * time.Millisecond):
				continue
			case <-s.over.Done():
				return
			}
		}
		if s.admit(conn) {
			s.all.Go(func() { s.serve(conn) })
		} else {
			_ = conn.Close() //nolint:errcheck // the peer was not served yet
		}
	}
}

// admit makes room for a peer of the same user.
func (s *Server) admit(conn *net.UnixConn) bool {
	if uid, err := userOf(conn); err != nil || uid != os.Geteuid() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.peers) >= maxPeers {
		// A line always fits into a new connection.
		_ = s.send(conn, refused(&koda.Error{ //nolint:errcheck // the peer may have gone
			Code: koda.CodeInUse, Op: "too many processes speak to the one at work", Hint: "try again when others are done",
		}))
		return false
	}
	s.peers[conn] = true
	return true
}

func (s *Server) serve(conn net.Conn) {
	defer func() {
		_ = conn.Close() //nolint:errcheck // everything was sent
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.peers, conn)
	}()
	req, err := s.request(conn)
	switch {
	case err != nil:
		// A peer that sent nonsense can be told; a peer that went away cannot.
		_ = s.send(conn, refused(&koda.Error{Code: koda.CodeInvalidInput, Op: "read request", Err: err})) //nolint:errcheck // see above
		return
	case req.V != version:
		_ = s.send(conn, refused(&koda.Error{ //nolint:errcheck // the peer may have gone
			Code: koda.CodeInvalidInput, Op: fmt.Sprintf("the koda at work speaks version %d of the protocol, this one %d", version, req.V),
			Hint: "use the same koda in both places",
		}))
		return
	}
	switch req.Op {
	case opSay:
		heard, err := s.owner.Say(req.Text)
		answer := reply{Type: replyOK, Heard: &heard}
		if err != nil {
			answer = refused(err)
		}
		_ = s.send(conn, answer) //nolint:errcheck // the message is journaled, whoever still listens
	case opCancel:
		if err := s.owner.Cancel(); err != nil {
			_ = s.send(conn, refused(err)) //nolint:errcheck // the peer may have gone
			return
		}
		s.untilOver(conn, nil)
	case opEdited:
		answer := reply{Type: replyOK}
		if err := s.owner.Edited(req.Paths); err != nil {
			answer = refused(err)
		}
		_ = s.send(conn, answer) //nolint:errcheck // it is journaled, whoever still listens
	case opNow:
		_ = s.send(conn, reply{Type: replyOK, Now: s.owner.Now()}) //nolint:errcheck // the peer may have gone
	case opFollow:
		s.untilOver(conn, &req)
	default:
		_ = s.send(conn, refused(&koda.Error{Code: koda.CodeInvalidInput, Op: fmt.Sprintf("there is no operation %.40q", req.Op)})) //nolint:errcheck // the peer may have gone
	}
}

// request reads the request of a peer, and does not wait long for it.
func (s *Server) request(conn net.Conn) (req request, err error) {
	late := time.AfterFunc(patience, func() { _ = conn.Close() }) //nolint:errcheck // this ends the reading
	defer late.Stop()
	over := context.AfterFunc(s.over, func() { _ = conn.Close() }) //nolint:errcheck // likewise
	defer over()
	err = (&lines{r: conn}).next(&req)
	return req, err
}

// untilOver waits until a peer goes away or the work is over, and then tells the
// peer of the end. A peer that asked to follow gets the events meanwhile.
func (s *Server) untilOver(conn net.Conn, follow *request) {
	var events *feed.Subscription
	begin := make(chan struct{})
	if follow != nil { // subscribe before the peer gets its answer, as the peer then reads the journal
		events = s.events.Subscribe(feed.Subscriber{
			Project: s.project, Glimpses: follow.Glimpses,
			Show: func(ev koda.Event) {
				<-begin
				s.sendEvent(conn, ev)
			},
			Missed: func(_ string, _, last int64) int64 {
				<-begin
				s.sendEvent(conn, koda.Event{Seq: last})
				return last
			},
		})
	}
	defer events.End()
	err := s.send(conn, reply{Type: replyOK})
	if close(begin); err != nil {
		return
	}
	away := make(chan struct{})
	go func() {
		defer close(away)
		_, _ = io.Copy(io.Discard, conn) //nolint:errcheck // only the end counts
	}()
	defer func() {
		_ = conn.Close() //nolint:errcheck // this ends the reading, and a line on its way
		<-away
	}()
	select {
	case <-away:
	case <-s.over.Done():
		events.Flush()
		_ = s.send(conn, reply{Type: replyEnd}) //nolint:errcheck // the peer may have gone
	}
}

// sendEvent sends a passing event to a peer, or the number of a durable event. A
// peer that cannot be reached is cut off.
func (s *Server) sendEvent(conn net.Conn, ev koda.Event) {
	line := reply{Type: replyEvent, Event: &ev}
	if ev.Seq > 0 {
		line = reply{Type: replySeq, Seq: ev.Seq}
	}
	if s.send(conn, line) != nil {
		_ = conn.Close() //nolint:errcheck // see above
	}
}

// send sends a line; a peer that does not take it is cut off.
func (s *Server) send(conn net.Conn, r reply) error {
	late := time.AfterFunc(patience, func() { _ = conn.Close() }) //nolint:errcheck // this ends the writing
	defer late.Stop()
	r.V = version
	return writeLine(conn, r)
}
