package serve

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

//go:embed web
var web embed.FS

var pages = template.Must(template.ParseFS(web, "web/page.html"))

// page is what a page of the server shows.
type page struct {
	Title    string
	Name     string
	Problem  string
	Projects []card
	Standing *Standing
	Messages []koda.Message
	Open     bool
}

// card is a project in the list.
type card struct {
	Project
	Picture string
}

// webRoutes are the pages for people, beside the routes for programs.
func (s *Server) webRoutes(mux *http.ServeMux) {
	mux.Handle("GET /web/", http.FileServerFS(web))
	mux.HandleFunc("POST /enter", s.enter)
	mux.Handle("GET /{$}", s.asked(s.pageOfProjects))
	mux.Handle("GET /projects/{id}", s.asked(s.pageOfProject))
}

// draw answers with a page.
func (s *Server) draw(w http.ResponseWriter, status int, name string, p page) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, p); err != nil {
		s.cfg.Log.Error("a page cannot be drawn", "page", name, "error", err)
		status = http.StatusInternalServerError
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) //nolint:errcheck // the browser is gone
}

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
			s.draw(w, http.StatusUnauthorized, "enter", page{Title: "koda"})
		case err != nil:
			s.draw(w, http.StatusUnauthorized, "enter", page{Title: "koda", Problem: "The token is unknown, or it has expired."})
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
	secret := r.PostFormValue("token")
	if _, err := s.cfg.Access.TokenOf(r.Context(), secret, s.cfg.Now()); err != nil {
		s.draw(w, http.StatusUnauthorized, "enter", page{Title: "koda", Problem: "The token is unknown, or it has expired."})
		return
	}
	s.keep(w, r, secret)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// mostCards is how many projects the page lists.
const mostCards = 60

func (s *Server) pageOfProjects(w http.ResponseWriter, r *http.Request) {
	all, err := s.seen(r.Context(), tokenIn(r.Context()))
	if err != nil {
		s.draw(w, http.StatusInternalServerError, "enter", page{Title: "koda", Problem: "The projects cannot be read."})
		return
	}
	p := page{Title: "koda"}
	for _, one := range all[:min(len(all), mostCards)] {
		c := card{Project: s.project(one)}
		if h, err := s.cfg.Engine.History(r.Context(), one.ID); err == nil {
			for _, v := range h.Versions {
				if v.Thumbnail != "" {
					c.Picture = s.address(one, v.Thumbnail)
				}
			}
		}
		p.Projects = append(p.Projects, c)
	}
	s.draw(w, http.StatusOK, "projects", p)
}

func (s *Server) pageOfProject(w http.ResponseWriter, r *http.Request) {
	one, err := s.may(r.Context(), r.PathValue("id"))
	if err != nil {
		s.draw(w, http.StatusNotFound, "enter", page{Title: "koda", Problem: "There is no such project."})
		return
	}
	out, err := s.stands(r.Context(), one.ID)
	if err != nil {
		s.draw(w, http.StatusInternalServerError, "enter", page{Title: "koda", Problem: "The project cannot be read."})
		return
	}
	p := page{Title: one.Name + " – koda", Name: one.Name, Standing: &out.Body}
	if c, err := s.cfg.Engine.Conversation(r.Context(), one.ID); err == nil {
		p.Messages = c.Messages
	}
	name := "project"
	if r.URL.Query().Has("part") {
		name = "standing"
	}
	s.draw(w, http.StatusOK, name, p)
}
