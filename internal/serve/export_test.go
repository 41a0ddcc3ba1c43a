package serve

import (
	"context"

	"github.com/coder/websocket"

	"github.com/koda-video/koda/internal/koda"
)

// For tests.
var (
	Public   = public
	SecretOf = secretOf
)

// Seen is the event after which a stream begins.
func (b Begin) Seen(newest int64) (int64, error) { return b.seen(koda.Project{Seq: newest}) }

// Start makes the server ready to work without a listener.
func (s *Server) Start(ctx context.Context) (end func()) { return s.start(ctx) }

// Tell tells a client at a WebSocket an event that was made to data.
func Tell(ctx context.Context, conn *websocket.Conn, data []byte) error {
	return socket{conn}.tell(ctx, koda.Event{Payload: frame{data: data}})
}
