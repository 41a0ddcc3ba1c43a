package serve

import (
	"cmp"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Times that a client has.
const (
	takeWithin = 30 * time.Second // to take some part of an answer
	bodyWithin = 5 * time.Minute  // to send the body of a request with a token
	sendWithin = 10 * time.Second // to send the body of any other request
)

// paced is an answer to a client that must keep to the times. Without them a client that
// takes nothing, or never ends its request, would hold a connection for ever. A failure that a
// library answers in plain text becomes a problem detail.
type paced struct {
	http.ResponseWriter
	client *http.ResponseController
	body   *pacedBody // nil: the request has none
	unread bool       // the rest of the body is not waited for
	now    func() time.Time
	status int  // that was answered; 0 before
	plain  bool // the answer so far is the status of a failure in plain text
	told   bool // the failure was told; what else a library says is left out
}

// pacedBody is the body of a request.
type pacedBody struct {
	io.ReadCloser
	client *http.ResponseController
	whole  bool
}

// pace holds a client to the times. The handler calls end when it returns.
func (s *Server) pace(w http.ResponseWriter, r *http.Request) (_ *paced, end func()) {
	p := &paced{ResponseWriter: w, client: http.NewResponseController(w), now: s.cfg.Now}
	if r.ContentLength != 0 {
		p.body = &pacedBody{ReadCloser: r.Body, client: p.client}
		r.Body = p.body
		_ = p.client.SetReadDeadline(p.now().Add(sendWithin)) //nolint:errcheck // every connection of the server has deadlines
	}
	return p, func() {
		if p.plain {
			p.tell("")
		}
		_ = p.client.SetWriteDeadline(p.now().Add(takeWithin)) //nolint:errcheck // likewise; for what is buffered
		if p.unread {
			_ = p.client.SetReadDeadline(p.now()) //nolint:errcheck // likewise
		}
	}
}

// trust gives the client of an answer more time to send the body.
func trust(w http.ResponseWriter) {
	if p, ok := w.(*paced); ok && p.body != nil {
		_ = p.client.SetReadDeadline(p.now().Add(bodyWithin)) //nolint:errcheck // likewise
	}
}

// Read implements io.Reader.
func (b *pacedBody) Read(data []byte) (int, error) {
	n, err := b.ReadCloser.Read(data)
	if err == io.EOF { //nolint:errorlint // readers return io.EOF itself
		b.whole = true
		_ = b.client.SetReadDeadline(time.Time{}) //nolint:errcheck // likewise; the work may take long
		return n, io.EOF
	}
	if err != nil {
		err = cutShort{err}
	}
	return n, err
}

// cutShort is the failure of a body that did not come whole.
type cutShort struct{ error }

// Unwrap returns the failure of the connection.
func (c cutShort) Unwrap() error { return c.error }

// WriteHeader implements http.ResponseWriter. A request that is refused unread ends the
// connection, so that the answer need not wait for the rest of the request.
func (p *paced) WriteHeader(status int) {
	if status >= http.StatusBadRequest && p.body != nil && !p.body.whole {
		p.unread = true
		p.Header().Set("Connection", "close")
	}
	if kind := p.Header().Get("Content-Type"); p.status == 0 && status >= http.StatusBadRequest && (kind == "" || strings.HasPrefix(kind, "text/plain")) {
		p.status, p.plain = status, true
		return
	}
	p.status = cmp.Or(p.status, status)
	p.ResponseWriter.WriteHeader(status)
}

// tell answers the problem detail instead of plain text.
func (p *paced) tell(text string) {
	p.plain, p.told = false, true
	told := plainly(p.status, text)
	p.Header().Del("Content-Length")
	p.Header().Set("Content-Type", told.ContentType(""))
	p.ResponseWriter.WriteHeader(p.status)
	_ = p.client.SetWriteDeadline(p.now().Add(takeWithin))     //nolint:errcheck // likewise
	_ = huma.DefaultJSONFormat.Marshal(p.ResponseWriter, told) //nolint:errcheck // the client is gone
}

// Write implements http.ResponseWriter.
func (p *paced) Write(data []byte) (int, error) {
	if p.plain {
		p.tell(string(data))
	}
	if p.told {
		return len(data), nil
	}
	p.status = cmp.Or(p.status, http.StatusOK)
	_ = p.client.SetWriteDeadline(p.now().Add(takeWithin)) //nolint:errcheck // likewise
	n, err := p.ResponseWriter.Write(data)
	_ = p.client.SetWriteDeadline(time.Time{}) //nolint:errcheck // likewise; over HTTP/2 a deadline ends an answer that pauses
	return n, err                              //nolint:wrapcheck // of a connection as of any other
}

// FlushError lets http.ResponseController send what was written.
func (p *paced) FlushError() error {
	if p.plain {
		p.tell("")
	}
	return p.client.Flush() //nolint:wrapcheck // likewise
}

// Unwrap lets http.ResponseController reach the connection.
func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }
