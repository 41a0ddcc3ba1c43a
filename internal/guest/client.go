package guest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// How long the client waits.
const (
	patience = 5 * time.Minute  // for an answer that no person's program delays
	grace    = 10 * time.Second // for the end of what was cancelled
	unused   = time.Minute      // until a connection is closed
)

// maxAnswer bounds a list that the guest sends, in bytes.
const maxAnswer = 32 << 20

// Options says where a guest is. Every field but Digest is required.
type Options struct {
	ID   string
	Kind sandbox.Kind
	// Dial opens one more stream to the guest. The sandbox closes it.
	Dial func(context.Context) (net.Conn, error)
	// Alive fails with SANDBOX_NOT_FOUND once the sandbox is gone, and says why nobody
	// can know.
	Alive func(context.Context) error
	// Destroy is [sandbox.Sandbox.Destroy].
	Destroy func(context.Context) error
	// Digest is what the guest's program must be, SHA-256 in hex; "" if any guest of
	// the same protocol will do.
	Digest string
}

// Sandbox is the sandbox around a guest.
type Sandbox struct {
	Options
	typed, bulk *line // what people type goes by typed

	mu   sync.Mutex
	held map[string][]byte // files of the last snapshot by their digest
}

var _ sandbox.Sandbox = (*Sandbox)(nil)

// Open greets the guest. PROVIDER_ERROR: it is not the guest that was expected.
func Open(ctx context.Context, o Options) (*Sandbox, error) {
	s := &Sandbox{Options: o, typed: &line{dial: o.Dial}, bulk: &line{dial: o.Dial}}
	var g Greeting
	if err := s.get(ctx, s.typed, "greet the guest", "/hello", nil, &g); err != nil {
		s.hangUp()
		return nil, err
	}
	if g.Protocol != Protocol || g.ID != o.ID || o.Digest != "" && g.Digest != o.Digest {
		s.hangUp()
		return nil, &koda.Error{
			Code: koda.CodeProviderError, Op: fmt.Sprintf("sandbox %s holds a guest of another version of koda", o.ID),
			Hint: "use the koda that made the sandbox, or go on from the last checkpoint: koda sandbox rm " + o.ID + ", then koda resume",
		}
	}
	return s, nil
}

// ID implements [sandbox.Sandbox].
func (s *Sandbox) ID() string { return s.Options.ID }

// Kind implements [sandbox.Sandbox].
func (s *Sandbox) Kind() sandbox.Kind { return s.Options.Kind }

// Capabilities implements [sandbox.Sandbox]: all.
func (s *Sandbox) Capabilities() sandbox.Capabilities {
	return sandbox.Capabilities{Commands: true, Background: true}
}

// Destroy implements [sandbox.Sandbox].
func (s *Sandbox) Destroy(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("destroy sandbox %s: %w", s.Options.ID, err)
	}
	err := s.Options.Destroy(ctx)
	s.hangUp()
	return err
}

// Touch implements [sandbox.Leased].
func (s *Sandbox) Touch(ctx context.Context) error {
	return s.post(ctx, s.typed, "prolong the sandbox's life", http.MethodPost, "/touch", nil, nil)
}

func (s *Sandbox) hangUp() {
	s.typed.hangUp()
	s.bulk.hangUp()
}

// line is a connection that is opened when it is needed.
type line struct {
	dial func(context.Context) (net.Conn, error)

	mu    sync.Mutex
	conn  *http.ClientConn
	users int
	idle  *time.Timer
}

// take returns the connection. The caller gives it back.
func (l *line) take(ctx context.Context) (*http.ClientConn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil || l.conn.Err() != nil {
		l.close()
		t := &http.Transport{Protocols: protocols(), HTTP2: tuning(kodaQuiet), DisableCompression: true, MaxResponseHeaderBytes: chunk}
		stop := func() bool { return true }
		t.DialContext = func(dialCtx context.Context, _, _ string) (net.Conn, error) {
			c, err := l.dial(dialCtx)
			if err == nil { // the first bytes of HTTP/2 are written whatever ctx says
				stop = context.AfterFunc(ctx, func() { _ = c.Close() }) //nolint:errcheck // it ends the writing
			}
			return c, err
		}
		conn, err := t.NewClientConn(ctx, "http", "guest:80")
		stop()
		if err != nil {
			return nil, err
		}
		l.conn = conn
	}
	if l.idle != nil {
		l.idle.Stop()
		l.idle = nil
	}
	l.users++
	return l.conn, nil
}

func (l *line) giveBack() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users == 0 {
		l.idle = time.AfterFunc(unused, l.hangUpUnused)
	}
}

func (l *line) hangUpUnused() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users == 0 {
		l.close()
	}
}

func (l *line) hangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.close()
}

func (l *line) close() {
	if l.conn != nil {
		_ = l.conn.Close() //nolint:errcheck // the guest notices the end, however it comes
		l.conn = nil
	}
}

// answer gives its connection back when it is closed.
type answer struct {
	io.ReadCloser
	giveBack func()
}

func (a answer) Close() error {
	err := a.ReadCloser.Close()
	a.giveBack()
	return err
}

// ask asks the guest and returns its answer, which the caller closes. The answer may
// begin before the body has ended.
func (s *Sandbox) ask(ctx context.Context, l *line, op, method, target string, query url.Values, body io.Reader) (*http.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	u := url.URL{Scheme: "http", Host: "guest", Path: target, RawQuery: query.Encode()}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	conn, err := l.take(ctx)
	if err != nil {
		return nil, s.broken(ctx, op, err)
	}
	resp, err := conn.RoundTrip(r)
	if err != nil {
		l.giveBack()
		return nil, s.broken(ctx, op, err)
	}
	resp.Body = answer{resp.Body, sync.OnceFunc(l.giveBack)}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer closeAnswer(resp)
	var f failure
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxFrame)).Decode(&f); err != nil {
		return nil, s.broken(ctx, op, err)
	}
	return nil, f.err()
}

func closeAnswer(resp *http.Response) { _ = resp.Body.Close() } //nolint:errcheck // it was read, or is not wanted

// broken is the error for a call that got no whole answer.
func (s *Sandbox) broken(ctx context.Context, op string, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%s: %w", op, cause)
	}
	if gone := s.Alive(ctx); gone != nil {
		return gone
	}
	var known *koda.Error
	if errors.As(err, &known) {
		return err
	}
	return &koda.Error{Code: koda.CodeProviderError, Op: op, Err: fmt.Errorf("the sandbox does not answer as it should: %w", err), Hint: tryAgain}
}

// patient bounds a call that no person's program delays.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, patience, errSilent)
}

const tryAgain = "try again; if that does not help, koda gc removes the sandbox after its files are saved"

var errSilent = &koda.Error{Code: koda.CodeProviderError, Op: fmt.Sprintf("the sandbox did not answer within %v", patience), Hint: tryAgain}

// post asks and expects nothing but success.
func (s *Sandbox) post(ctx context.Context, l *line, op, method, target string, query url.Values, body io.Reader) error {
	limited, cancel := patient(ctx)
	defer cancel()
	resp, err := s.ask(limited, l, op, method, target, query, body)
	if err != nil {
		return err
	}
	closeAnswer(resp)
	return nil
}

// get asks for a value.
func (s *Sandbox) get(ctx context.Context, l *line, op, target string, query url.Values, v any) error {
	return s.exchange(ctx, l, op, http.MethodGet, target, query, nil, v)
}

// exchange sends a body and gets a value.
func (s *Sandbox) exchange(ctx context.Context, l *line, op, method, target string, query url.Values, body io.Reader, v any) error {
	data, err := s.fetch(ctx, l, op, method, target, query, body, maxAnswer)
	if err != nil {
		return err
	}
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(v); err != nil {
		return s.broken(ctx, op, err)
	}
	return nil
}

// fetch asks for bytes. READ_FAILED: there are more than limit.
func (s *Sandbox) fetch(ctx context.Context, l *line, op, method, target string, query url.Values, body io.Reader, limit int64) ([]byte, error) {
	limited, cancel := patient(ctx)
	defer cancel()
	resp, err := s.ask(limited, l, op, method, target, query, body)
	if err != nil {
		return nil, err
	}
	defer closeAnswer(resp)
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, s.broken(limited, op, err)
	}
	if int64(len(data)) > limit {
		return nil, &koda.Error{Code: koda.CodeReadFailed, Op: fmt.Sprintf("%s: the sandbox sent more than %d MB", op, limit>>20)}
	}
	return data, nil
}
