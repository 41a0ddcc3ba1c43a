package serve

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Replies keep the answers to requests that carried an idempotency key.
type Replies interface {
	// TakeReply finds what is known of the request with the key of r; if nothing is known, it
	// keeps r and returns it. Replies to requests before old are forgotten.
	TakeReply(ctx context.Context, r koda.Reply, old time.Time) (koda.Reply, error)
	// SaveReply keeps what is known of a request by now.
	SaveReply(ctx context.Context, r koda.Reply) error
	// DropReply forgets a request.
	DropReply(ctx context.Context, r koda.Reply) error
}

// repliesFor is how long answers are kept.
const repliesFor = 24 * time.Hour

// idempotencyKey is what a key looks like.
var idempotencyKey = regexp.MustCompile(`^[!-~]{1,255}$`)

// once does requests that write and carry an idempotency key once: the same request with the
// same key gets the answer of the first one, also from the next server. A request that was
// refused is forgotten: it changed nothing, and may be sent again.
func (s *Server) once(next http.Handler) http.Handler {
	var mu sync.Mutex
	doing := map[string]bool{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		if key == "" || !writes(r) || !strings.HasPrefix(r.URL.Path, "/api/") {
			next.ServeHTTP(w, r)
			return
		}
		if !idempotencyKey.MatchString(key) {
			s.refuse(w, problem(http.StatusUnprocessableEntity, koda.CodeUsage, "the idempotency key is not usable", "send 1 to 255 visible ASCII characters, such as a UUID"))
			return
		}
		request, err := digestOf(r)
		if err != nil {
			s.refuse(w, s.unread(err))
			return
		}
		t := tokenIn(r.Context())
		reply := koda.Reply{UserID: t.UserID, Bound: t.ProjectID, Key: key, Request: request, At: s.cfg.Now()}
		id := t.UserID + "\n" + t.ProjectID + "\n" + key
		mu.Lock()
		busy := doing[id]
		doing[id] = true
		mu.Unlock()
		if busy {
			s.refuse(w, problem(http.StatusConflict, koda.CodeInUse, "a request with this idempotency key is being answered", "send it again in a second"))
			return
		}
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			delete(doing, id)
		}()
		s.answerOnce(w, r, reply, next)
	})
}

// answerOnce answers a request that no other is answered with the key of.
func (s *Server) answerOnce(w http.ResponseWriter, r *http.Request, reply koda.Reply, next http.Handler) {
	known, err := s.cfg.Replies.TakeReply(r.Context(), reply, reply.At.Add(-repliesFor))
	begun := known.ProjectID != ""
	switch {
	case err != nil:
		s.refuse(w, s.problemOf(err, koda.Project{}))
		return
	case !bytes.Equal(known.Request, reply.Request) && (known.Status > 0 || begun):
		s.refuse(w, problem(http.StatusUnprocessableEntity, koda.CodeUsage, "another request was sent with this idempotency key", "send each request with a key of its own"))
		return
	case known.Status == 0 && begun: // the server was killed before it answered; the work goes on
		out, err := s.stands(r.Context(), known.ProjectID)
		if err == nil {
			known.Body, err = json.Marshal(out.Body)
		}
		if err != nil {
			s.refuse(w, err)
			return
		}
		known.Status, known.Type = out.Status, "application/json"
		s.keepReply(r.Context(), known)
		s.answerAgain(w, known)
		return
	case known.Status > 0:
		s.answerAgain(w, known)
		return
	}
	note := &beganBy{tell: func(project string) {
		reply.ProjectID = project
		s.keepReply(r.Context(), reply)
	}}
	rec := &recorder{ResponseWriter: w, status: http.StatusOK}
	next.ServeHTTP(rec, r.WithContext(context.WithValue(r.Context(), beganKey{}, note)))
	note.mu.Lock()
	defer note.mu.Unlock()
	note.tell = nil
	switch good := rec.status < http.StatusMultipleChoices; {
	case good || reply.ProjectID != "" && r.Context().Err() == nil:
		reply.Status, reply.Type, reply.Body = rec.status, rec.Header().Get("Content-Type"), rec.body.Bytes()
		s.keepReply(r.Context(), reply)
	case reply.ProjectID == "":
		if err := s.cfg.Replies.DropReply(context.WithoutCancel(r.Context()), reply); err != nil {
			s.cfg.Log.Warn("a refused request cannot be forgotten", "error", err)
		}
	}
}

// beganBy is told whose work a request began, until the request is answered.
type beganBy struct {
	mu   sync.Mutex
	tell func(project string)
}

// beganKey is the key of a beganBy in the context of a request.
type beganKey struct{}

// began notes that the work of a request has begun on a project: whoever sends the request
// again joins that work.
func began(ctx context.Context, project string) {
	if note, ok := ctx.Value(beganKey{}).(*beganBy); ok {
		note.mu.Lock()
		defer note.mu.Unlock()
		if note.tell != nil {
			note.tell(project)
		}
	}
}

func (s *Server) keepReply(ctx context.Context, r koda.Reply) {
	if err := s.cfg.Replies.SaveReply(context.WithoutCancel(ctx), r); err != nil {
		s.cfg.Log.Warn("an answer cannot be kept: the same request would be done again", "error", err)
	}
}

// answerAgain answers as before.
func (s *Server) answerAgain(w http.ResponseWriter, r koda.Reply) {
	if r.Type != "" {
		w.Header().Set("Content-Type", r.Type)
	}
	w.Header().Set("Idempotency-Replayed", "true")
	w.WriteHeader(r.Status)
	_, _ = w.Write(r.Body) //nolint:errcheck // the client is gone
}

// digestOf is the digest of a request: of its method, address, kind and body. The body can be
// read again.
func digestOf(r *http.Request) ([]byte, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%s\n%s\n", r.Method, r.URL.RequestURI(), r.Header.Get("Content-Type"), r.Header.Get("If-Match"))
	sum.Write(data)
	return sum.Sum(nil), nil
}

// unread is the answer about a body that cannot be read.
func (s *Server) unread(err error) error {
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return tooLong(s.cfg.Limits.Body)
	}
	return problem(http.StatusBadRequest, koda.CodeInvalidInput, "the body was cut short", "send it whole")
}

// recorder keeps what is answered.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (r *recorder) Write(b []byte) (int, error) {
	r.body.Write(b)
	return r.ResponseWriter.Write(b) //nolint:wrapcheck // only passes on
}

// Unwrap lets an http.ResponseController reach what is below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
