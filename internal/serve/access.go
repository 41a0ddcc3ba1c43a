package serve

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"golang.org/x/time/rate"

	"github.com/koda-video/koda/internal/koda"
)

// Access knows what tokens allow.
type Access interface {
	// TokenOf finds the token that a secret proves. NOT_FOUND: there is none, or it is not
	// valid at now.
	TokenOf(ctx context.Context, secret string, now time.Time) (koda.Token, error)
}

// cookie is the name of the cookie in which browsers keep the secret.
const cookie = "koda"

// tokenKey is the key of the token in the context of a request.
type tokenKey struct{}

// tokenIn is the token of a request.
func tokenIn(ctx context.Context) koda.Token {
	t, _ := ctx.Value(tokenKey{}).(koda.Token)
	return t
}

// secretOf is the secret that a request carries; "" if it carries none.
func secretOf(r *http.Request) string {
	if scheme, secret, ok := strings.Cut(r.Header.Get("Authorization"), " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimSpace(secret)
	}
	if c, err := r.Cookie(cookie); err == nil {
		return c.Value
	}
	return ""
}

// admit lets requests through that carry a token, and puts the token into their context.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secret := secretOf(r)
		if secret == "" {
			w.Header().Set("WWW-Authenticate", `Bearer realm="koda"`)
			s.refuse(w, problem(http.StatusUnauthorized, koda.CodeUnauthorized, "this server answers only requests with a token", "`koda token new` makes one; send it as Authorization: Bearer TOKEN"))
			return
		}
		t, err := s.cfg.Access.TokenOf(r.Context(), secret, s.cfg.Now())
		switch {
		case koda.CodeOf(err) == koda.CodeNotFound:
			w.Header().Set("WWW-Authenticate", `Bearer realm="koda", error="invalid_token"`)
			s.refuse(w, problem(http.StatusUnauthorized, koda.CodeUnauthorized, "the token is unknown, or it has expired", "`koda token new` makes a new one"))
			return
		case err != nil:
			s.refuse(w, s.problemOf(err, koda.Project{}))
			return
		}
		trust(w)
		if writes(r) && r.URL.Path != mcpPath { // an agent may read by any request; its tools ask what the token allows
			if !t.Write {
				s.refuse(w, problem(http.StatusForbidden, koda.CodeUnauthorized, "the token only reads", "`koda token new --write` makes one that writes"))
				return
			}
			if wait := s.rates.take(t.ID, s.cfg.Now()); wait > 0 {
				s.refuse(w, busy("too many requests that write", wait))
				return
			}
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, t)))
	})
}

func writes(r *http.Request) bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions && !asks(r)
}

// rates count requests that write, by token.
type rates struct {
	mu     sync.Mutex
	minute int // requests a minute; 0 is no limit
	of     map[string]*rate.Limiter
}

// take counts a request; if it is one too many, it returns how long to wait.
func (r *rates) take(token string, now time.Time) time.Duration {
	if r.minute <= 0 {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.of[token]
	if l == nil {
		if len(r.of) >= 10_000 { // of tokens long gone
			clear(r.of)
		}
		l = rate.NewLimiter(rate.Limit(float64(r.minute)/60), r.minute)
		r.of[token] = l
	}
	take := l.ReserveN(now, 1)
	wait := take.DelayFrom(now)
	if wait > 0 {
		take.CancelAt(now)
	}
	return wait
}

// projectKey is the key of the project in the context of a request.
type projectKey struct{}

// projectIn is the project that a request is about, which its token allows.
func projectIn(ctx context.Context) koda.Project {
	p, _ := ctx.Value(projectKey{}).(koda.Project)
	return p
}

// lead finds the project of a request before anything else of the request is read, so that no
// answer tells of a project of others.
func (s *Server) lead(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	if id := ctx.Param("id"); id != "" {
		p, err := s.may(ctx.Context(), id)
		if err != nil {
			s.refuse(w, err)
			return
		}
		ctx = huma.WithValue(ctx, projectKey{}, p)
	}
	if err := unclear(r, ctx.Operation()); err != nil {
		s.refuse(w, err)
		return
	}
	next(ctx)
}

// sees reports whether a token reaches a project.
func sees(t koda.Token, p koda.Project) bool {
	return p.UserID == t.UserID && (t.ProjectID == "" || t.ProjectID == p.ID)
}

// seen lists the projects that a token reaches, the most recently updated first.
func (s *Server) seen(ctx context.Context, t koda.Token) ([]koda.Project, error) {
	all, err := s.cfg.Engine.List(ctx)
	if err != nil {
		return nil, s.problemOf(err, koda.Project{})
	}
	return slices.DeleteFunc(all, func(p koda.Project) bool { return !sees(t, p) }), nil
}

// may returns the project if the token of the request allows it, else NOT_FOUND.
func (s *Server) may(ctx context.Context, id string) (koda.Project, error) {
	none := problem(http.StatusNotFound, koda.CodeNotFound, "there is no such project", "GET /api/projects lists yours")
	t := tokenIn(ctx)
	if t.ProjectID != "" && t.ProjectID != id {
		return koda.Project{}, none
	}
	v, err := s.cfg.Engine.Project(ctx, id)
	switch {
	case koda.CodeOf(err) == koda.CodeNotFound, err == nil && !sees(t, v):
		return koda.Project{}, none
	case err != nil:
		return koda.Project{}, s.problemOf(err, v)
	}
	return v, nil
}

// refuse answers with a problem outside of huma's operations.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	var wait huma.HeadersError
	if errors.As(err, &wait) {
		maps.Copy(w.Header(), wait.GetHeaders())
	}
	var p *Problem
	if !errors.As(err, &p) {
		p = problem(http.StatusInternalServerError, koda.CodeFailed, "the request failed", "")
	}
	p = hinted(p)
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = huma.DefaultJSONFormat.Marshal(w, p) //nolint:errcheck // the client is gone
}
