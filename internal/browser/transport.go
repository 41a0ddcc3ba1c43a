package browser

import (
	"bufio"
	"context"
	"io"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// wire is the transport of a browser with one tab. Once the tab is attached, commands of
// all domains except the browser's own go to the tab. So a chromedp.Browser is the
// session of the page, and no frame pays for chromedp's mirror of the DOM.
//
// Events never reach chromedp: wire hands them to event in the order they came, before
// any later reply. So when a reply says that something is done ("the seek is done"), all
// events before it ("the page asked for an image") have been handled.
type wire struct {
	*chromedp.PipeConn
	session atomic.Pointer[target.SessionID]
	event   func(method string, params []byte)
}

// pipeBuffer holds a large part of a picture, so that a picture is read in few calls.
const pipeBuffer = 256 << 10

func newWire(r io.ReadCloser, w io.WriteCloser, event func(method string, params []byte)) *wire {
	buffered := struct {
		io.Reader
		io.Closer
	}{bufio.NewReaderSize(r, pipeBuffer), r}
	return &wire{PipeConn: chromedp.NewPipeConn(buffered, w), event: event}
}

// Write implements chromedp.Transport.
func (c *wire) Write(ctx context.Context, msg *cdproto.Message) error {
	if id := c.session.Load(); id != nil && msg.SessionID == "" {
		switch msg.Method.Domain() {
		case "Browser", "Target", "SystemInfo":
		default:
			addressed := *msg
			addressed.SessionID = *id
			msg = &addressed
		}
	}
	return c.PipeConn.Write(ctx, msg)
}

// Read implements chromedp.Transport.
func (c *wire) Read(ctx context.Context, msg *cdproto.Message) error {
	for {
		*msg = cdproto.Message{}
		if err := c.PipeConn.Read(ctx, msg); err != nil {
			return err
		}
		if msg.Method == "" {
			msg.SessionID = ""
			return nil
		}
		c.event(string(msg.Method), msg.Params)
	}
}
