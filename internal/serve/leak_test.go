package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/koda-video/koda/internal/feed"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/serve"
)

// journal is an engine that has one project, and does nothing but write events.
type journal struct {
	serve.Engine
	mu     sync.Mutex
	events []koda.Event
	feed   feed.Feed
}

// write journals an event, and publishes it with a passing one.
func (j *journal) write(text string) {
	j.mu.Lock()
	ev := koda.Event{Project: "p", Type: koda.EventMessage, Seq: int64(len(j.events)) + 1, Payload: text}
	j.events = append(j.events, ev)
	j.mu.Unlock()
	j.feed.Publish(ev)
	j.feed.Publish(koda.Event{Project: "p", Type: koda.EventThinking, Payload: koda.Thinking{Message: text}})
}

func (j *journal) Project(_ context.Context, id string) (koda.Project, error) {
	if id != "p" {
		return koda.Project{}, &koda.Error{Code: koda.CodeNotFound, Op: "there is none"}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	return koda.Project{ID: id, UserID: koda.LocalUser, Dir: "/nowhere", Seq: int64(len(j.events))}, nil
}

func (j *journal) Events(_ context.Context, _ string, after int64) ([]koda.Event, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.events[min(after, int64(len(j.events))):], nil
}

func (j *journal) Tail(ctx context.Context, id string, after int64, look <-chan struct{}) iter.Seq2[koda.Event, error] {
	return func(yield func(koda.Event, error) bool) {
		for {
			events, err := j.Events(ctx, id, after)
			for _, ev := range events {
				if after = ev.Seq; !yield(ev, err) {
					return
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-look:
			}
		}
	}
}

func (j *journal) Follow(ctx context.Context, _ string, _ int64, _ func(koda.Event)) error {
	<-ctx.Done()
	return ctx.Err()
}

func (j *journal) Subscribe(show func(koda.Event)) *feed.Subscription {
	return j.feed.Subscribe(feed.Subscriber{Show: show, Missed: func(_ string, _, last int64) int64 {
		show(koda.Event{Project: "p", Seq: last})
		return last
	}})
}

// anybody lets everybody in, and remembers no work.
type anybody struct{}

func (anybody) TokenOf(context.Context, string, time.Time) (koda.Token, error) {
	return koda.Token{ID: "t", UserID: koda.LocalUser, Write: true}, nil
}
func (anybody) Serve(context.Context, string, []byte) error       { return nil }
func (anybody) Unserve(context.Context, string) error             { return nil }
func (anybody) Served(context.Context) (map[string][]byte, error) { return map[string][]byte{}, nil }

// tellsNobody has no webhooks.
type tellsNobody struct{}

func (tellsNobody) SaveHook(context.Context, string, koda.Hook) error { return nil }
func (tellsNobody) TellHooks(context.Context, string, int64, []koda.Hook, string, []byte, time.Time) (int, error) {
	return 0, nil
}
func (tellsNobody) Deliveries(context.Context, time.Time, int) ([]koda.Delivery, error) {
	return nil, nil
}
func (tellsNobody) Postpone(context.Context, string, time.Time) error { return nil }
func (tellsNobody) EndDelivery(context.Context, string) error         { return nil }

// TestServer_leaves_nothing: clients that read nothing and clients that leave hold up nobody:
// who reads gets every durable event, in order and once. When the server ends, no goroutine
// and no file of it is left.
func TestServer_leaves_nothing(t *testing.T) { //nolint:paralleltest // goroutines are those of the process
	was := goleak.IgnoreCurrent()
	files := openFiles(t)
	j := &journal{}
	s := serve.New(serve.Config{
		Engine: j, Access: anybody{}, Served: anybody{}, Hooks: tellsNobody{}, Say: func(string) {}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Limits: serve.Limits{Body: 1 << 20, Connections: 1000},
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l, nil) }()

	follow := func(route, head string) net.Conn {
		c, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			_, err = fmt.Fprintf(c, "GET /api/projects/p/%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer x\r\n%s\r\n", route, l.Addr(), head)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	const events, size = 3000, 10_000
	var conns []net.Conn
	var reads sync.WaitGroup
	reads.Go(func() { readSocket(t, l.Addr().String(), events) })
	for i := range 12 { // by WebSocket
		c := follow("socket", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n")
		conns = append(conns, c)
		if _, err := io.ReadFull(c, make([]byte, 100)); err != nil {
			t.Error(err)
		}
		switch i % 3 {
		case 0: // reads nothing
		case 1: // says what it should not, and reads nothing
			if _, err := c.Write([]byte("\x81\x82\x00\x00\x00\x00hi")); err != nil {
				t.Error(err)
			}
		case 2:
			_ = c.Close()
		}
	}
	for i := range 30 {
		c := follow("events", "")
		switch conns = append(conns, c); i % 3 {
		case 0:
			reads.Go(func() {
				want, lines := 1, bufio.NewScanner(c)
				lines.Buffer(nil, 1<<20)
				for want <= events && lines.Scan() {
					if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
						if id != fmt.Sprint(want) {
							t.Errorf("event %s came where %d was due", id, want)
						}
						want++
					}
				}
				if want != events+1 {
					t.Errorf("a client got %d of %d events: %v", want-1, events, lines.Err())
				}
			})
		case 1: // reads nothing
		case 2:
			if _, err := io.ReadFull(c, make([]byte, 100)); err != nil {
				t.Error(err)
			}
			_ = c.Close()
		}
	}
	text := strings.Repeat("x", size)
	for range events {
		j.write(text)
	}
	reads.Wait()
	end()
	if err := <-served; err != nil {
		t.Error(err)
	}
	for _, c := range conns {
		_ = c.Close()
	}
	goleak.VerifyNone(t, was)
	if now := openFiles(t); now > files {
		t.Errorf("%d files are open, before there were %d", now, files)
	}
}

// readSocket reads all events by WebSocket.
func readSocket(t *testing.T, host string, events int) {
	conn, _, err := websocket.Dial(t.Context(), "http://"+host+"/api/projects/p/socket", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer x"}}})
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(1 << 20)
	for want := int64(1); want <= int64(events); {
		_, data, err := conn.Read(t.Context())
		var ev struct{ Seq int64 }
		if err == nil {
			err = json.Unmarshal(data, &ev)
		}
		if err != nil || ev.Seq > want {
			t.Errorf("event %d came where %d was due: %v", ev.Seq, want, err)
			return
		}
		if ev.Seq == want {
			want++
		}
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}
