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
}

// publish takes in an event of this process.
func (h *hubs) publish(ev koda.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at := h.of[ev.Project]
	switch {
	case at == nil:
	case ev.Seq > 0:
		at.poke() // the hub reads the journal, so that events of all processes come in order
	default:
		at.feed.Publish(ev)
	}
}

func (h *hub) poke() {
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
		h = &hub{project: p, look: make(chan struct{}, 1), end: end}
		s.hubs.of[p.ID] = h
		elsewhere := make(chan struct{}, 1)
		s.jobs.done.Go(func() { h.read(ctx, s, elsewhere) })
		s.jobs.done.Go(func() { h.listen(ctx, s, elsewhere) })
	}
	h.clients++
	return h, func() {
		s.hubs.mu.Lock()
		defer s.hubs.mu.Unlock()
		if h.clients--; h.clients == 0 {
			h.end()
			delete(s.hubs.of, p.ID)
		}
	}
}

// read publishes the durable events of the journal.
func (h *hub) read(ctx context.Context, s *Server, elsewhere chan<- struct{}) {
	for ev, err := range s.cfg.Engine.Tail(ctx, h.project.ID, h.project.Seq, h.look) {
		if err != nil {
			return // the project is gone: the clients' next look says so
		}
		select {
		case elsewhere <- struct{}{}:
		default:
		}
		h.feed.Publish(s.framed(ev, h.project))
	}
}

// listen publishes the passing events of another process that works on the project.
func (h *hub) listen(ctx context.Context, s *Server, elsewhere <-chan struct{}) {
	for {
		if !s.jobs.works(h.project.ID) {
			_ = s.cfg.Engine.Follow(ctx, h.project.ID, -1, func(ev koda.Event) { //nolint:errcheck // nobody works on it
				if ev.Seq == 0 {
					h.feed.Publish(ev)
				}
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-elsewhere:
		}
	}
}

// frame is an event as clients get it, encoded once for all of them.
type frame []byte

// framed encodes an event for clients, without paths of this machine.
func (s *Server) framed(ev koda.Event, p koda.Project) koda.Event {
	if _, ok := ev.Payload.(frame); ok {
		return ev
	}
	data, err := json.Marshal(ev)
	if err != nil {
		data, _ = json.Marshal(koda.Event{Schema: ev.Schema, Project: ev.Project, At: ev.At, Seq: ev.Seq, Type: ev.Type}) //nolint:errcheck // plain fields
	}
	ev.Payload = frame(s.scrub(string(data), p))
	return ev
}

// Times of event streams.
const (
	heartbeat  = 15 * time.Second // proxies cut connections on which nothing comes for a minute
	takeWithin = 30 * time.Second // a client that takes nothing for so long is cut off
)

// events answers with the events of a project after the one that the client saw last: those
// of the journal, then new ones as they come. Passing events are dropped for clients that
// are slow. It ends when the client leaves, or the server ends.
func (s *Server) events(ctx context.Context, w http.ResponseWriter, p koda.Project, after int64) {
	ctx, cut := context.WithCancel(ctx)
	defer cut()
	h, leave := s.join(p)
	defer leave()
	out := http.NewResponseController(w)
	var mu sync.Mutex
	write := func(parts ...[]byte) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		err := out.SetWriteDeadline(s.cfg.Now().Add(takeWithin))
		for _, part := range parts {
			if err == nil {
				_, err = w.Write(part)
			}
		}
		if err == nil {
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
				write(sse(s.framed(ev, p)))
			}
		},
		Missed: func(_ string, _, last int64) int64 {
			<-replayed
			s.replay(ctx, p, &seen, write)
			return max(last, seen)
		},
	})
	s.replay(ctx, p, &seen, write)
	close(replayed)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-beat.C:
			write([]byte(": still here\n\n"))
		}
	}
	sub.End()
}

// replay writes what the journal has and the client has not seen.
func (s *Server) replay(ctx context.Context, p koda.Project, seen *int64, write func(...[]byte)) {
	events, err := s.cfg.Engine.Events(ctx, p.ID, *seen)
	if err != nil {
		return
	}
	for _, ev := range events {
		*seen = ev.Seq
		write(sse(s.framed(ev, p)))
	}
}

// sse is a framed event in the format of server-sent events (WHATWG HTML, section 9.2).
func sse(ev koda.Event) []byte {
	data, _ := ev.Payload.(frame)
	var b bytes.Buffer
	if ev.Seq > 0 {
		fmt.Fprintf(&b, "id: %d\n", ev.Seq)
	}
	fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", ev.Type, data)
	return b.Bytes()
}

// lastSeen reads the number of the event that a client saw last; 0 if it saw none.
func lastSeen(header string, query int64) int64 {
	if n, err := strconv.ParseInt(header, 10, 64); err == nil && n >= 0 {
		return n
	}
	return query
}
