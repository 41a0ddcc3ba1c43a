package guest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/koda-video/koda/internal/guest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// Frames of HTTP/2.
var (
	settings = []byte{0, 0, 0, 4, 0, 0, 0, 0, 0}
	ping     = append([]byte{0, 0, 8, 6, 0, 0, 0, 0, 0}, make([]byte, 8)...)
	pong     = append([]byte{0, 0, 8, 6, 1, 0, 0, 0, 0}, make([]byte, 8)...)
)

// bare is where a guest is that writes bare bytes.
func bare(serve func(net.Conn)) guest.Options {
	return guest.Options{
		ID: "g1", Kind: sandbox.Docker, Alive: func(context.Context) error { return nil }, Destroy: func(context.Context) error { return nil },
		Dial: func(context.Context) (net.Conn, error) {
			near, far := net.Pipe()
			go serve(far)
			return near, nil
		},
	}
}

// A guest that says nothing, or nothing of use, does not hold koda up. One that takes
// what koda says and answers nothing is given up after 20 seconds.
func TestOpen_silent(t *testing.T) {
	t.Parallel()
	const soon, late = 20 * time.Second, 5 * time.Minute
	for name, c := range map[string]struct {
		within time.Duration
		serve  func(net.Conn)
	}{
		"takes nothing": {late, func(net.Conn) {}},
		"says nothing":  {soon, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }},
		"greets, then nothing": {soon, func(c net.Conn) {
			go func() { _, _ = io.Copy(io.Discard, c) }()
			_, _ = c.Write(settings)
		}},
		"hangs up": {soon, func(c net.Conn) { _ = c.Close() }},
		"says another thing": {soon, func(c net.Conn) {
			go func() { _, _ = io.Copy(io.Discard, c) }()
			_, _ = c.Write([]byte("HTTP/1.1 200 OK\r\n\r\n{}"))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				_, err := guest.Open(t.Context(), bare(c.serve))
				if koda.CodeOf(err) != koda.CodeProviderError || koda.HintOf(err) == "" || time.Since(begin) > c.within {
					t.Errorf("after %v: %v", time.Since(begin), err)
				}
			})
		})
	}
}

// Pings without end, and answers to pings that nobody sent, neither fill the memory nor
// keep a call from being given up.
func TestOpen_pings(t *testing.T) { // not parallel: it looks at the memory of the process
	for name, frame := range map[string][]byte{"pings": ping, "answers": pong, "settings": settings} {
		t.Run(name, func(t *testing.T) {
			const sends = 100_000
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			ctx, cancel := context.WithCancel(t.Context())
			_, err := guest.Open(ctx, bare(func(c net.Conn) {
				defer cancel()
				go func() { _, _ = io.Copy(io.Discard, c) }()
				_, _ = c.Write(settings)
				many := bytes.Repeat(frame, 100)
				for range sends / 100 {
					if _, err := c.Write(many); err != nil {
						return // koda hung up
					}
				}
			}))
			if !errors.Is(err, context.Canceled) && koda.CodeOf(err) != koda.CodeProviderError {
				t.Errorf("%v", err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
				t.Errorf("the heap has grown by %d MB", grown>>20)
			}
		})
	}
}
