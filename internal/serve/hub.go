package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

// hubs are the projects that clients follow.
type hubs struct {
	mu sync.Mutex
	of map[string]*hub
}

// hub reads the events of a project once, for all clients that follow the project.
type hub struct {
	feed    feed.Feed
	project koda.Project
	look    chan struct{}
	clients int
	end     context.CancelFunc
	gone    chan struct{} // closed when the journal cannot be read any more
}

// publish takes in an event of this process.
func (s *Server) publish(ev koda.Event) {
	s.hubs.mu.Lock()
	h := s.hubs.of[ev.Project]
	s.hubs.mu.Unlock()
	if h != nil {
		h.take(s, ev)
	}
}

// take publishes a passing event. Of a durable event it only tells that the event is there:
// the hub reads the journal, so that events of all processes come in order.
func (h *hub) take(s *Server, ev koda.Event) {
	if ev.Seq == 0 {
		h.feed.Publish(s.framed(ev, h.project))
		return
	}
	select {
	case h.look <- struct{}{}:
	default:
	}
}

// join begins to follow a project. The caller calls leave.
func (s *Server) join(p koda.Project) (h *hub, leave func()) {
	s.hubs.mu.Lock()
	defer s.hubs.mu.Unlock()
	h = s.hubs.of[p.ID]
	if h == nil {
		ctx, end := context.WithCancel(s.jobs.ctx)
		h = &hub{project: p, look: make(chan struct{}, 1), end: end, gone: make(chan struct{})}
		s.hubs.of[p.ID] = h
		elsewhere := make(chan struct{}, 1)
		s.jobs.spawn(func() { h.read(ctx, s, elsewhere) })
		s.jobs.spawn(func() { h.listen(ctx, s, elsewhere) })
	}
	h.clients++
	return h, func() {
		s.hubs.mu.Lock()
		defer s.hubs.mu.Unlock()
		if h.clients--; h.clients == 0 {
			s.drop(h)
		}
	}
}

// drop ends a hub; the caller has locked the hubs.
func (s *Server) drop(h *hub) {
	h.end()
	if s.hubs.of[h.project.ID] == h {
		delete(s.hubs.of, h.project.ID)
	}
}

// read publishes the durable events of the journal. If the project is gone, or the journal
// cannot be read, the clients are cut off: they come again, and miss nothing.
func (h *hub) read(ctx context.Context, s *Server, elsewhere chan<- struct{}) {
	for ev, err := range s.cfg.Engine.Tail(ctx, h.project.ID, h.project.Seq, h.look) {
		if err != nil {
			s.hubs.mu.Lock()
			defer s.hubs.mu.Unlock()
			s.drop(h)
			close(h.gone)
			return
		}
		select {
		case elsewhere <- struct{}{}:
		default:
		}
		h.feed.Publish(s.framed(ev, h.project))
	}
}

// listen takes in the events of another process that works on the project.
func (h *hub) listen(ctx context.Context, s *Server, elsewhere <-chan struct{}) {
	for {
		if !s.jobs.works(h.project.ID) {
			_ = s.cfg.Engine.Follow(ctx, h.project.ID, -1, func(ev koda.Event) { h.take(s, ev) }) //nolint:errcheck // nobody works on it
		}
		select {
		case <-ctx.Done():
			return
		case <-elsewhere:
		}
	}
}

// frame is an event as clients get it, encoded once for all of them.
type frame struct {
	of   any    // the payload that was encoded
	text []byte // in the format of server-sent events (WHATWG HTML, section 9.2)
}

// framed encodes an event for clients, without paths of this machine.
func (s *Server) framed(ev koda.Event, p koda.Project) koda.Event {
	data, err := json.Marshal(ev)
	if err != nil {
		data, _ = json.Marshal(koda.Event{Schema: ev.Schema, Project: ev.Project, At: ev.At, Seq: ev.Seq, Type: ev.Type}) //nolint:errcheck // plain fields
	}
	var b bytes.Buffer
	if ev.Seq > 0 {
		fmt.Fprintf(&b, "id: %d\n", ev.Seq)
	}
	fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", ev.Type, s.scrub(string(data), p))
	ev.Payload = frame{ev.Payload, b.Bytes()}
	return ev
}

// heartbeat is how often a stream of events says something: proxies cut connections on which
// nothing comes for a minute.
const heartbeat = 15 * time.Second

// events answers with the events of a project after the one that the client saw last: those
// of the journal, then new ones as they come. Passing events are dropped for clients that
// are slow. It ends when the client leaves, the server ends, the project is deleted, or the
// token is no longer valid.
func (s *Server) events(ctx context.Context, w http.ResponseWriter, p koda.Project, after int64) {
	ctx, cut := context.WithCancel(ctx)
	defer cut()
	h, leave := s.join(p)
	defer leave()
	out := http.NewResponseController(w)
	var mu sync.Mutex
	write := func(text []byte) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		_, err := w.Write(text)
		if err == nil {
			_ = out.SetWriteDeadline(s.cfg.Now().Add(takeWithin)) //nolint:errcheck // every connection of the server has deadlines
			err = out.Flush()
		}
		if err != nil {
			cut()
		}
	}
	head := w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("X-Accel-Buffering", "no")
	write([]byte("retry: 1000\n\n"))
	seen := after
	replayed := make(chan struct{})
	sub := h.feed.Subscribe(feed.Subscriber{
		Project: p.ID,
		Show: func(ev koda.Event) {
			<-replayed
			if ev.Seq == 0 || ev.Seq > seen {
				seen = max(seen, ev.Seq)
				shown, _ := ev.Payload.(frame)
				write(shown.text)
			}
		},
		Missed: func(_ string, _, last int64) int64 {
			<-replayed
			if err := s.replay(ctx, p, &seen, write); err != nil {
				cut() // the client comes again
			}
			return max(last, seen)
		},
	})
	if err := s.replay(ctx, p, &seen, write); err != nil {
		cut()
	}
	close(replayed)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-h.gone:
			cut()
		case <-beat.C:
			if !s.valid(ctx) {
				cut()
			}
			write([]byte(": still here\n\n"))
		}
	}
	sub.End()
}

// replay writes what the journal has and the client has not seen.
func (s *Server) replay(ctx context.Context, p koda.Project, seen *int64, write func([]byte)) error {
	events, err := s.cfg.Engine.Events(ctx, p.ID, *seen)
	for _, ev := range events {
		*seen = ev.Seq
		shown, _ := s.framed(ev, p).Payload.(frame)
		write(shown.text)
	}
	return err //nolint:wrapcheck // the client is cut off
}

// lastSeen reads the number of the event that a client saw last; 0 if it saw none.
func lastSeen(header string, query int64) int64 {
	if n, err := strconv.ParseInt(header, 10, 64); err == nil && n >= 0 {
		return n
	}
	return query
}
