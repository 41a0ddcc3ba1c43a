package serve

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

//go:embed web
var web embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"json": func(v any) (string, error) { data, err := json.Marshal(v); return string(data), err },
	"size": func(n int64) string {
		if n < 1e6 {
			return fmt.Sprintf("%.0f kB", max(1, float64(n)/1e3))
		}
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	},
	// picture reports whether browsers show a file as a picture, not as a video.
	"picture": func(name string) bool {
		return slices.Contains([]string{".gif", ".png", ".apng", ".webp"}, path.Ext(name))
	},
	// dims are the width and the height of a resolution.
	"dims": func(resolution string) []string { return strings.SplitN(resolution+"x", "x", 3) },
	"who": func(role string) string {
		return cmp.Or(map[string]string{koda.RoleUser: "You", koda.RoleSystem: "Note"}[role], "koda")
	},
}).ParseFS(web, "web/page.html"))

// page is what a page of the server shows.
type page struct {
	Name    string // of a project
	To      string // where a person goes who gives a token
	Problem string
	Writes  bool // the token writes

	Begins   bool // the token begins projects
	Projects []card
	More     int // projects that are not listed

	Standing *Standing
	State    state
	Thinking string
	Others   []Output
	Messages []koda.Message
}

// card is a project in the list.
type card struct {
	Project
	State   state
	Picture string // addresses
	Preview string
}

// state is where a project stands, in words for people, and the kind of that.
type state struct{ Kind, Text string }

// stateOf says where a project stands.
func stateOf(p Project) state {
	if p.Busy {
		return state{"works", "at work"}
	}
	return map[koda.Phase]state{
		koda.PhaseQuestion: {"waits", "asks a question"}, koda.PhasePlan: {"waits", "plan waits for you"}, koda.PhaseExecuting: {"waits", "stopped"},
		koda.PhasePreview: {"waits", "preview waits for you"}, koda.PhaseComplete: {"done", "done"}, koda.PhaseError: {"failed", "failed"},
	}[p.Phase]
}

// webRoutes are the pages for people, beside the routes for programs.
func (s *Server) webRoutes(mux *http.ServeMux) {
	for _, name := range []string{"koda.js", "koda.css", "koda.svg"} {
		mux.HandleFunc("GET /web/"+name, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, web, "web/"+name) })
	}
	mux.HandleFunc("POST /enter", s.enter)
	mux.Handle("GET /{$}", s.asked(s.pageOfProjects))
	mux.Handle("GET /projects/{id}", s.asked(s.pageOfProject))
}

// draw answers with a page, or with a part of it.
func (s *Server) draw(w http.ResponseWriter, status int, name string, p page) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, p); err != nil {
		s.cfg.Log.Error("a page cannot be drawn", "page", name, "error", err)
		http.Error(w, "The page cannot be drawn.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Referrer-Policy", "same-origin") // without a referrer the form for the token would come from the origin "null"
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) //nolint:errcheck // the browser is gone
}

// wrongToken is what is said of a token that proves nothing.
const wrongToken = "The token is unknown, or it has expired."

// asked asks people for a token, and puts it into the context of the request.
func (s *Server) asked(next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if secret := r.URL.Query().Get("token"); secret != "" { // of the address that was printed
			s.keep(w, r, secret)
			http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
			return
		}
		secret := secretOf(r)
		t, err := s.cfg.Access.TokenOf(r.Context(), secret, s.cfg.Now())
		switch {
		case secret == "":
			s.draw(w, http.StatusUnauthorized, "enter", page{To: r.URL.Path})
		case err != nil:
			s.draw(w, http.StatusUnauthorized, "enter", page{To: r.URL.Path, Problem: wrongToken})
		default:
			next(w, r.WithContext(context.WithValue(r.Context(), tokenKey{}, t)))
		}
	})
}

// keep keeps a secret in a cookie of the browser.
func (s *Server) keep(w http.ResponseWriter, r *http.Request, secret string) {
	http.SetCookie(w, &http.Cookie{
		Name: cookie, Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: int((24 * time.Hour).Seconds()),
	})
}

func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	secret, to := strings.TrimSpace(r.PostFormValue("token")), r.PostFormValue("to")
	if id, ok := strings.CutPrefix(to, "/projects/"); !ok || strings.ContainsAny(id, `/\?#`) {
		to = "/"
	}
	if _, err := s.cfg.Access.TokenOf(r.Context(), secret, s.cfg.Now()); err != nil {
		s.draw(w, http.StatusUnauthorized, "enter", page{To: to, Problem: wrongToken})
		return
	}
	s.keep(w, r, secret)
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// mostCards is how many projects the page lists.
const mostCards = 60

func (s *Server) pageOfProjects(w http.ResponseWriter, r *http.Request) {
	t := tokenIn(r.Context())
	all, err := s.seen(r.Context(), t)
	if err != nil {
		s.draw(w, http.StatusInternalServerError, "nothing", page{Problem: "The projects cannot be read."})
		return
	}
	p := page{Begins: t.Write && t.ProjectID == "", More: max(0, len(all)-mostCards)}
	for _, one := range all[:min(len(all), mostCards)] {
		c := card{Project: s.project(one)}
		c.State = stateOf(c.Project)
		if h, err := s.cfg.Engine.History(r.Context(), one.ID); err == nil {
			for _, v := range h.Versions {
				c.Picture = cmp.Or(s.address(one, v.Thumbnail), c.Picture)
				c.Preview = cmp.Or(s.address(one, v.Preview), c.Preview)
			}
		}
		p.Projects = append(p.Projects, c)
	}
	s.draw(w, http.StatusOK, named(r, "list", "projects"), p)
}

// named is the name of the part of a page, if a request asks for the part alone, or of the page.
func named(r *http.Request, part, whole string) string {
	if r.URL.Query().Has("part") {
		return part
	}
	return whole
}

func (s *Server) pageOfProject(w http.ResponseWriter, r *http.Request) {
	one, err := s.may(r.Context(), r.PathValue("id"))
	if err != nil {
		s.draw(w, http.StatusNotFound, "nothing", page{Problem: "There is no such project."})
		return
	}
	v, err := s.cfg.Engine.Stand(r.Context(), one.ID)
	if err != nil {
		s.draw(w, http.StatusInternalServerError, "nothing", page{Problem: "The project cannot be read."})
		return
	}
	stands := &s.standing(v).Body
	p := page{Name: one.Name, Writes: tokenIn(r.Context()).Write, Standing: stands, State: stateOf(stands.Project)}
	if x := v.State.Execution; x != nil {
		p.Thinking = x.Thinking
	}
	if out := v.State.Output; out != nil {
		for _, o := range out.Others {
			p.Others = append(p.Others, s.output(one, o))
		}
	}
	if c, err := s.cfg.Engine.Conversation(r.Context(), one.ID); err == nil {
		p.Messages = c.Messages
	}
	s.draw(w, http.StatusOK, named(r, "standing", "project"), p)
}
