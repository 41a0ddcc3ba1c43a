package serve_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/koda-video/koda/internal/serve"
)

// A client that is told something while the server ends gets all of the message, and then the last word.
func TestSocket_endsInMiddle(t *testing.T) {
	t.Parallel()
	event := make([]byte, 32<<20) // more than all buffers on the way hold
	ctx, end := context.WithCancel(t.Context())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		if err := serve.Tell(ctx, conn, event); err != nil {
			t.Errorf("tell an event: %v", err)
		}
		_ = conn.Close(websocket.StatusGoingAway, "the server ends") //nolint:errcheck // the client says what it got
	}))
	defer srv.Close()
	conn, _, err := websocket.Dial(t.Context(), srv.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow() //nolint:errcheck // closed already
	conn.SetReadLimit(-1)
	_, message, err := conn.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(message, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	end()
	if rest, err := io.Copy(io.Discard, message); err != nil || rest != int64(len(event)-1000) {
		t.Errorf("the client got %d more bytes of %d: %v", rest, len(event), err)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusGoingAway {
		t.Errorf("the client heard last: %v", err)
	}
}
