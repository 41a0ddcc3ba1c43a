package service

import (
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Client is an HTTP client for the service. It keeps the promises of this package on
// addresses, redirects, keys and silence.
func (c Config) Client() *http.Client {
	next := c.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	return &http.Client{Transport: &line{next: next, silence: c.Silence, keyed: c.Key.Set()}}
}

// line is the way to a service.
type line struct {
	next    http.RoundTripper
	silence time.Duration
	keyed   bool
}

// mostSaid is how much koda reads of what a service says of a failure.
const mostSaid = 64 << 10

var errSilent = errors.New("silent")

// RoundTrip sends a request, and gives up if the service keeps silent. An error of the
// service, a redirect and a web page are failures.
func (l *line) RoundTrip(req *http.Request) (*http.Response, error) {
	if l.keyed && req.URL.Scheme != "https" && !here(req.URL) {
		return nil, &Failure{usage: true, Message: "koda sends no key over " + req.URL.Scheme + " to " + req.URL.Host}
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	body := &heard{ctx: ctx, cancel: cancel, silence: l.silence}
	if l.silence > 0 {
		body.timer = time.AfterFunc(l.silence, func() { cancel(errSilent) })
	}
	resp, err := l.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		err = body.why(err)
		body.end()
		return nil, err
	}
	body.ReadCloser = resp.Body
	resp.Body = body
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) //nolint:errcheck // no type is no web page
	switch {
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		err = &Failure{Status: http.StatusNotFound, Message: "it points elsewhere, where koda does not follow"}
	case resp.StatusCode >= 400: // read here, because the SDKs do not know every shape of it
		data, _ := io.ReadAll(io.LimitReader(body, mostSaid)) //nolint:errcheck // the status says enough
		said := Said(resp.StatusCode, data)
		said.After = afterOf(resp.Header)
		err = said
	case kind == "text/html":
		err = &Failure{Status: http.StatusNotFound, Message: "it answers with a web page"}
	}
	if err != nil {
		return nil, errors.Join(err, body.Close())
	}
	return resp, nil
}

// here reports whether an address is on this machine.
func here(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// heard is the body of a response. Each read from it is a sign of life.
type heard struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	silence time.Duration
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if h.timer != nil && n > 0 {
		h.timer.Reset(h.silence)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = h.why(err)
	}
	return n, err
}

// Close ends the request.
func (h *heard) Close() error {
	h.end()
	return h.ReadCloser.Close()
}

func (h *heard) end() {
	if h.timer != nil {
		h.timer.Stop()
	}
	h.cancel(nil)
}

// why is the failure that ended the request, if it was silence.
func (h *heard) why(err error) error {
	if errors.Is(context.Cause(h.ctx), errSilent) {
		return &Failure{Kind: kindSilent, Status: http.StatusOK, Err: errSilent}
	}
	return err
}
