package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
)

// heartbeat is how often a stream of events says something: proxies cut connections on which
// nothing comes for a minute. A token that ended ends its streams.
const heartbeat = 15 * time.Second

// client is how one client is told events. It is called by one goroutine at a time.
type client interface {
	// tell tells a framed event.
	tell(ctx context.Context, ev koda.Event) error
	// beat keeps the connection alive.
	beat(ctx context.Context) error
}

// follow tells a client the events of a project after the one that the client saw last:
// those of the journal, then new ones as they come. Passing events are dropped for clients
// that are slow. It returns when ctx ends, the client takes nothing more, or the project
// cannot be read any more, or the secret proves no token any more: see heartbeat.
func (s *Server) follow(ctx context.Context, p koda.Project, seen int64, secret string, c client) error {
	h, leave := s.join(p)
	defer leave()
	ctx, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	stop := context.AfterFunc(h.ctx, func() { cut(errGone) })
	defer stop()
	var mu sync.Mutex
	do := func(f func() error) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			if err := f(); err != nil {
				cut(err)
			}
		}
	}
	// replay tells what the journal has and the client has not seen.
	replay := func() error {
		events, err := s.cfg.Engine.Events(ctx, p.ID, seen)
		for _, ev := range events {
			if err == nil {
				err = c.tell(ctx, s.framed(ev, p))
				seen = ev.Seq
			}
		}
		return err
	}
	replayed := make(chan struct{})
	sub := h.feed.Subscribe(feed.Subscriber{
		Project: p.ID,
		Show: func(ev koda.Event) {
			<-replayed
			do(func() error {
				if ev.Seq > 0 && ev.Seq <= seen {
					return nil
				}
				seen = max(seen, ev.Seq)
				return c.tell(ctx, ev)
			})
		},
		Missed: func(_ string, _, last int64) int64 {
			<-replayed
			do(replay)
			return max(last, seen)
		},
	})
	defer sub.End()
	do(replay)
	close(replayed)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-beat.C:
			do(func() error {
				if _, err := s.cfg.Access.TokenOf(ctx, secret, s.cfg.Now()); koda.CodeOf(err) == koda.CodeNotFound {
					return fmt.Errorf("look at the token again: %w", err)
				}
				return c.beat(ctx)
			})
		}
	}
}

// errGone is the cause of a stream that the server ended.
var errGone = errors.New("the server ends, or the project is gone")

// sse tells events as server-sent events (WHATWG HTML, section 9.2).
type sse struct {
	w   http.ResponseWriter
	out *http.ResponseController
	now func() time.Time
}

func (c sse) tell(_ context.Context, ev koda.Event) error {
	f, _ := ev.Payload.(frame)
	return c.write(f.sent)
}

func (c sse) beat(context.Context) error { return c.write([]byte(": still here\n\n")) }

func (c sse) write(text []byte) error {
	if _, err := c.w.Write(text); err != nil {
		return err //nolint:wrapcheck // only whether it failed counts
	}
	return errors.Join(c.out.SetWriteDeadline(c.now().Add(takeWithin)), c.out.Flush())
}

// socket tells events as the messages of a WebSocket (RFC 6455), one event a message.
type socket struct{ conn *websocket.Conn }

func (c socket) tell(ctx context.Context, ev koda.Event) error {
	f, _ := ev.Payload.(frame)
	ctx, cancel := messageContext(ctx)
	defer cancel()
	return c.conn.Write(ctx, websocket.MessageText, f.data) //nolint:wrapcheck // only whether it failed counts
}

func (c socket) beat(ctx context.Context) error {
	ctx, cancel := messageContext(ctx)
	defer cancel()
	return c.conn.Ping(ctx) //nolint:wrapcheck // likewise
}

// messageContext is the context of one message. It ends after takeWithin, or drainFor after the end of ctx: the library cuts a
// connection off whose message is in the middle when its context ends, and the client is to get a last word.
func messageContext(ctx context.Context) (context.Context, context.CancelFunc) {
	message, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeWithin)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(drainFor, cancel) })
	return message, func() {
		stop()
		cancel()
	}
}

// Begin is where a stream of events begins.
type Begin struct {
	One
	Last  string `header:"Last-Event-ID" maxLength:"20" doc:"number of the event that the client saw last; it goes before the parameter after"`
	After int64  `query:"after" minimum:"0" doc:"number of the event that the client saw last: the stream begins with the next one, else with the first"`
}

// seen is the number of the event of a project that the client saw last; 0 if it saw none.
// USAGE: there is no such event. The client would wait for events that never come.
func (b Begin) seen(p koda.Project) (n int64, err error) {
	if n = b.After; b.Last != "" {
		n, err = strconv.ParseInt(b.Last, 10, 64)
	}
	if err != nil || n < 0 || n > p.Seq {
		return 0, problem(http.StatusUnprocessableEntity, koda.CodeUsage, fmt.Sprintf("the project has no such event: its newest is number %d", p.Seq),
			"send the number of an event that was told, or none to get all events")
	}
	return n, nil
}

// streamRoutes registers the streams of events.
func (s *Server) streamRoutes() {
	stream := op(http.MethodGet, "/api/projects/{id}/events", "events", "Follow a project: server-sent events")
	stream.Responses = map[string]*huma.Response{"200": {
		Description: "Each event has the number as its id if it is durable, the type as its name, and the envelope as its data. Send the last number as Last-Event-ID to go on after it.",
		Content:     map[string]*huma.MediaType{"text/event-stream": {}},
	}}
	huma.Register(s.api, stream, s.stream)
	stream.OperationID, stream.Path = "nodeEvents", "/api/nodes/{id}/events"
	huma.Register(s.api, stream, s.stream)
	ws := op(http.MethodGet, "/api/projects/{id}/socket", "socket", "Follow a project: WebSocket")
	ws.Responses = map[string]*huma.Response{"101": {
		Description: "Each message is the envelope of an event as JSON. Durable events have a number, seq: to go on after the last one, send its number as the parameter after. What the client sends ends the stream.",
	}}
	huma.Register(s.api, ws, s.socket)
}

func (s *Server) stream(ctx context.Context, in *Begin) (*huma.StreamResponse, error) {
	p := projectIn(ctx)
	seen, err := in.seen(p)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		r, w := humago.Unwrap(hctx)
		head := w.Header()
		head.Set("Content-Type", "text/event-stream")
		head.Set("X-Accel-Buffering", "no")
		c := sse{w, http.NewResponseController(w), s.cfg.Now}
		if c.write([]byte("retry: 1000\n\n")) == nil {
			_ = s.follow(ctx, p, seen, secretOf(r), c) //nolint:errcheck // the client comes again
		}
	}}, nil
}

// errSaid is the cause of a stream whose client said something.
var errSaid = errors.New("what clients say is not read here")

// listened returns a context that ends once the client of a connection leaves, or says
// anything: errSaid. The goroutine ends with the connection. (CloseRead of the library waits
// for itself, 15 seconds long, if the client says something.)
func listened(ctx context.Context, conn *websocket.Conn) context.Context {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		_, _, err := conn.Reader(ctx)
		if err == nil {
			err = errSaid
		}
		end(err)
	}()
	return ctx
}

func (s *Server) socket(ctx context.Context, in *Begin) (*huma.StreamResponse, error) {
	p := projectIn(ctx)
	seen, err := in.seen(p)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(hctx huma.Context) {
		r, w := humago.Unwrap(hctx)
		if r.Header.Get("Sec-WebSocket-Key") == "" {
			w.Header().Set("Upgrade", "websocket")
			s.refuse(w, problem(http.StatusUpgradeRequired, koda.CodeUsage, "this address speaks WebSocket", "GET "+fmt.Sprintf("/api/projects/%s/events", p.ID)+" streams the events over plain HTTP"))
			return
		}
		s.jobs.done.Add(1) // a server that ends does not wait for connections that were handed over
		defer s.jobs.done.Done()
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true}) // the server checked the origin of every request
		if err != nil {
			return // the client was told
		}
		defer func() { _ = conn.CloseNow() }() //nolint:errcheck // closed already, or the client is gone
		// The server's end reaches the client by the hub, as a last word.
		switch err := s.follow(listened(context.WithoutCancel(ctx), conn), p, seen, secretOf(r), socket{conn}); {
		case errors.Is(err, errGone):
			_ = conn.Close(websocket.StatusGoingAway, err.Error()) //nolint:errcheck // likewise
		case errors.Is(err, errSaid):
			_ = conn.Close(websocket.StatusPolicyViolation, err.Error()) //nolint:errcheck // likewise
		}
	}}, nil
}
