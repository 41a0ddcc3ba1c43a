package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
)

// Key is the key that a Server wants, and Name the model that it has. That of OpenAI has others whose
// names begin so.
const (
	Key  = "sk-test-0123456789"
	Name = "scripted"
)

// Wire is the format in which a service speaks.
type Wire struct {
	name   string
	path   string // of requests to answer, below the address
	key    func(http.Header) string
	events func(s Step) (events []string, ends int) // an answer, and how many of the last events end it
	check  func(body []byte, before Step) error     // what the service would refuse
	failed map[koda.Code]string                     // status and body
	long   string                                   // status and body if a conversation is too long
	models map[string]string                        // GET path → body

	refuses map[string]string // words of a request → status and body
}

// Mute is the format of a service whose model takes no tools, as its list says.
func (w Wire) Mute() Wire {
	check, models := w.check, map[string]string{}
	for path, body := range w.models {
		models[path] = strings.ReplaceAll(body, `"supported_parameters":["tools"]`, `"supported_parameters":[]`)
	}
	w.models = models
	w.check = func(body []byte, before Step) error {
		if bytes.Contains(body, []byte(`"tools":[`)) {
			return errors.New("the model takes no tools")
		}
		return check(body, before)
	}
	return w
}

// Server is a service that follows a script, in its own wire format.
type Server struct {
	URL string // the address, as adapters take it

	handler http.Handler
	mu      sync.Mutex
	bodies  [][]byte
}

// Asked are the bodies of the requests to answer, so far.
func (s *Server) Asked() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte(nil), s.bodies...)
}

// take notes a request and counts it, from 0.
func (s *Server) take(r *http.Request) (int, []byte, error) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bodies = append(s.bodies, body)
	return len(s.bodies) - 1, body, err
}

// start serves a wire: answer does the requests to answer.
func start(t *testing.T, w Wire, answer func(n int, body []byte, rw http.ResponseWriter, r *http.Request) error) *Server {
	t.Helper()
	s := &Server{}
	mux := http.NewServeMux()
	for path, body := range w.models {
		mux.HandleFunc("GET "+path, func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			if _, err := io.WriteString(rw, body); err != nil {
				t.Errorf("list models: %v", err)
			}
		})
	}
	mux.HandleFunc("POST "+w.path, func(rw http.ResponseWriter, r *http.Request) {
		n, body, err := s.take(r)
		if got := w.key(r.Header); got != Key && err == nil {
			err = fmt.Errorf("the key is %q", got)
		}
		if err == nil {
			err = answer(n, body, rw, r)
		}
		if err != nil {
			t.Errorf("request %d: %v", n, err)
			http.Error(rw, err.Error(), http.StatusTeapot)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL, s.handler = server.URL, mux
	return s
}

// Serve starts a service that does the steps, one for each request, and then the last
// step again and again. It refuses what the real service refuses.
func Serve(t *testing.T, w Wire, steps ...Step) *Server {
	t.Helper()
	return ServeWindow(t, w, 0, steps...)
}

// ServeWindow is Serve by a model for which a conversation with more than a number of its own
// answers is too long; 0 is no bound. Such a request takes no step.
func ServeWindow(t *testing.T, w Wire, window int, steps ...Step) *Server {
	t.Helper()
	var refused atomic.Int64
	return start(t, w, func(n int, body []byte, rw http.ResponseWriter, r *http.Request) error {
		if window > 0 && Answers(body) > window {
			refused.Add(1)
			return refuse(w.long, rw)
		}
		for words, with := range w.refuses {
			if bytes.Contains(body, []byte(words)) {
				refused.Add(1)
				return refuse(with, rw)
			}
		}
		n -= int(refused.Load())
		var before Step
		if n > 0 {
			before = steps[min(n, len(steps))-1]
		}
		if err := w.check(body, before); err != nil {
			return err
		}
		return w.do(steps[min(n, len(steps)-1)], rw, r)
	})
}

// do answers a request by a step.
func (w Wire) do(s Step, rw http.ResponseWriter, r *http.Request) error {
	if s.Fail == koda.CodeNetwork {
		return hangUp(rw)
	}
	if s.Fail != "" {
		return refuse(w.failed[s.Fail], rw)
	}
	events, ends := w.events(s)
	if s.Cut {
		events = events[:len(events)-ends-1]
		ends = 0
	}
	rw.Header().Set("Content-Type", "text/event-stream")
	if strings.HasPrefix(events[0], "{") {
		rw.Header().Set("Content-Type", "application/json")
	}
	for i, ev := range events {
		if s.Hold != nil && i == len(events)-ends {
			select {
			case <-s.Hold:
			case <-r.Context().Done():
				return nil
			}
		}
		if err := write(rw, ev); err != nil {
			return nil //nolint:nilerr // the client has gone
		}
	}
	return nil
}

// Answers is how many answers of the model a request has.
func Answers(body []byte) int { return bytes.Count(body, []byte(`"role":"assistant"`)) }

// refuse sends a status and a body.
func refuse(with string, rw http.ResponseWriter) error {
	status, body, _ := strings.Cut(with, " ")
	code, err := strconv.Atoi(status)
	if err != nil {
		return fmt.Errorf("no answer for that: %w", err)
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(code)
	_, err = io.WriteString(rw, body)
	return err
}

// write writes an event in two pieces, so that no client counts on whole ones.
func write(rw http.ResponseWriter, ev string) error {
	for _, piece := range []string{ev[:len(ev)/2], ev[len(ev)/2:]} {
		if _, err := io.WriteString(rw, piece); err != nil {
			return err
		}
		rw.(http.Flusher).Flush()
	}
	return nil
}

// hangUp ends the connection, whatever was sent.
func hangUp(rw http.ResponseWriter) error {
	conn, _, err := rw.(http.Hijacker).Hijack()
	if err != nil {
		return err
	}
	return conn.Close()
}

// pieces cuts a text into pieces of n bytes, which may cut letters.
func pieces(text string, n int) []string {
	var all []string
	for len(text) > n {
		all, text = append(all, text[:n]), text[n:]
	}
	return append(all, text)
}

func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Cuts ends an answer after every one of its bytes, as politely as a server can. What
// comes of it is the whole answer, or an error; and nothing passes after the end. Start
// makes a model over a transport, with a single try.
func Cuts(t *testing.T, w Wire, start func(http.RoundTripper) llm.Model) {
	t.Helper()
	events, _ := w.events(Step{Response: whole, Thinking: "two are enough"})
	sent := strings.Join(events, "")
	wholes := 0
	for n := range len(sent) + 1 {
		m := start(roundTrip(func(r *http.Request) (*http.Response, error) {
			resp := &http.Response{StatusCode: http.StatusNotFound, Header: http.Header{}, Body: http.NoBody, Request: r}
			if r.Method == http.MethodPost {
				resp.StatusCode, resp.Body = http.StatusOK, io.NopCloser(strings.NewReader(sent[:n]))
			}
			return resp, nil
		}))
		got, err := m.Answer(t.Context(), ask, nil)
		switch {
		case err == nil:
			wholes++
			if got.Text() != whole.Text() || len(got.Uses()) != 2 || got.Stop != whole.Stop {
				t.Errorf("cut after %d of %d bytes, it gave %+v", n, len(sent), got)
			}
		case koda.CodeOf(err) != koda.CodeProviderError || len(got.Parts) > 0:
			t.Errorf("cut after %d of %d bytes, it gave %v and %+v", n, len(sent), err, got.Parts)
		}
	}
	if wholes == 0 || wholes > len(sent)/2 {
		t.Errorf("%d of %d cuts gave the whole answer", wholes, len(sent))
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
