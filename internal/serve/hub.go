package serve

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

// hubs are the projects that clients follow.
type hubs struct {
	mu sync.Mutex
	of map[string]*hub
}

// hub reads the events of a project once, for all clients that follow the project. Its
// context ends with the last client, with the server, and when the journal cannot be read.
type hub struct {
	ctx     context.Context //nolint:containedctx // of the hub, which outlives the request that began it
	end     context.CancelFunc
	feed    feed.Feed
	project koda.Project
	look    chan struct{}
	clients int
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
	if h == nil || h.ctx.Err() != nil {
		h = &hub{project: p, look: make(chan struct{}, 1)}
		h.ctx, h.end = context.WithCancel(s.jobs.ctx)
		s.hubs.of[p.ID] = h
		elsewhere := make(chan struct{}, 1)
		s.jobs.spawn(func() { h.read(s, elsewhere) })
		s.jobs.spawn(func() { h.listen(s, elsewhere) })
	}
	h.clients++
	return h, func() {
		s.hubs.mu.Lock()
		defer s.hubs.mu.Unlock()
		if h.clients--; h.clients > 0 {
			return
		}
		if h.end(); s.hubs.of[p.ID] == h {
			delete(s.hubs.of, p.ID)
		}
	}
}

// read publishes the durable events of the journal. If the journal cannot be read, or the
// project is gone, the clients are cut off: they come again, and learn why.
func (h *hub) read(s *Server, elsewhere chan<- struct{}) {
	defer h.end()
	for ev, err := range s.cfg.Engine.Tail(h.ctx, h.project.ID, h.project.Seq, h.look) {
		if err != nil {
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
func (h *hub) listen(s *Server, elsewhere <-chan struct{}) {
	for {
		if !s.jobs.works(h.project.ID) {
			_ = s.cfg.Engine.Follow(h.ctx, h.project.ID, -1, func(ev koda.Event) { h.take(s, ev) }) //nolint:errcheck // nobody works on it
		}
		select {
		case <-h.ctx.Done():
			return
		case <-elsewhere:
		}
	}
}

// frame is the payload of an event that is encoded for clients, once for all of them.
type frame struct {
	sent    []byte // as a server-sent event
	data    []byte // the part of sent that is the whole event as JSON, without paths of this machine
	payload any
}

// framed encodes an event for clients.
func (s *Server) framed(ev koda.Event, p koda.Project) koda.Event {
	if _, ok := ev.Payload.(frame); ok {
		return ev
	}
	data, err := json.Marshal(ev)
	if err != nil {
		data, _ = json.Marshal(koda.Event{Schema: ev.Schema, Project: ev.Project, At: ev.At, Seq: ev.Seq, Type: ev.Type}) //nolint:errcheck // plain fields
	}
	head := "event: " + string(ev.Type) + "\ndata: "
	if ev.Seq > 0 {
		head = "id: " + strconv.FormatInt(ev.Seq, 10) + "\n" + head
	}
	sent := []byte(head + s.scrub(string(data), p) + "\n\n")
	ev.Payload = frame{sent, sent[len(head) : len(sent)-2], ev.Payload}
	return ev
}
