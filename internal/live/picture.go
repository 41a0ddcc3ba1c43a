package live

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/templates/clock"
)

//go:embed page/*
var assets embed.FS

// asset answers with a file of the page around the picture.
func (v *View) asset(w http.ResponseWriter, name string) {
	text, err := assets.ReadFile("page/" + name)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	kinds := map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
	say(w, kinds[path.Ext(name)], strings.Replace(string(text), "{{token}}", html.EscapeString(v.token), 1))
}

// clockPath is the script that makes the picture show a time.
const clockPath = koda.BundlePath + "/clock.js"

// picture answers what the picture asks for.
func (v *View) picture(w http.ResponseWriter, r *http.Request, p place) {
	if r.URL.Path == clockPath {
		v.viewer.clock(w, r, p, v.server != nil)
		return
	}
	if v.server != nil {
		v.server.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), placeKey{}, p)))
		return
	}
	wall(w.Header(), p, false)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "The page has files only.", http.StatusMethodNotAllowed)
		return
	}
	at := path.Clean("/" + r.URL.Path)
	if at == "/" {
		at = "/index.html"
	}
	var shown Shown
	var err error
	if at == "/index.html" {
		shown, err = v.viewer.look(r.Context())
	} else {
		v.viewer.mu.Lock()
		shown = v.viewer.last
		v.viewer.mu.Unlock()
	}
	file, ok := shown.Page.Files[at]
	switch {
	case err != nil && at == "/index.html":
		http.Error(w, text(err), http.StatusServiceUnavailable)
	case !ok && shown.Page.Left[at] != "":
		http.Error(w, shown.Page.Left[at], http.StatusNotFound)
	case !ok:
		http.NotFound(w, r)
	default:
		if strings.HasPrefix(file.Type, "text/html") {
			file.Body = inject(file.Body)
		}
		send(w, r, file)
	}
}

// send answers with a file, or the part of it that is asked for.
func send(w http.ResponseWriter, r *http.Request, file koda.PageFile) {
	kind := file.Type
	if !strings.Contains(kind, ";") && strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.Body))
}

// sound answers with the sound of what is shown.
func (v *viewer) sound(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	file, ok := v.last.Page.Files[v.last.Sound]
	v.mu.Unlock()
	if kind, _, _ := mime.ParseMediaType(file.Type); !ok || !strings.HasPrefix(kind, "audio/") { //nolint:errcheck // "" is no sound
		http.NotFound(w, r)
		return
	}
	send(w, r, file)
}

var doctype = regexp.MustCompile(`(?is)^(\x{FEFF}|\s|<!--.*?-->)*<!doctype[^>]*>`)

// inject puts the clock before all other scripts of a document, without a new line, so
// that lines stay where they are.
func inject(body []byte) []byte {
	at := len(doctype.Find(body))
	return bytes.Join([][]byte{body[:at], body[at:]}, []byte(`<script src="`+clockPath+`"></script>`))
}

// clock answers with the clock for what is shown.
func (v *viewer) clock(w http.ResponseWriter, r *http.Request, p place, served bool) {
	v.mu.Lock()
	page, m := v.last.Page, v.last.Manifest
	v.mu.Unlock()
	part, err := assets.ReadFile("page/picture.js")
	if err == nil {
		script := ""
		script, err = clock.Script(map[string]any{
			"props": map[string]any{}, "settle": 5000, "plays": page.Plays, "webgl": page.WebGL || served, "native": false, "timeline": 0,
			"films": p.picture + koda.BundlePath + "/films", "images": []string{},
			"live": map[string]any{"outer": p.outer, "script": clockPath, "signals": page.Signals || served, "fps": [2]int{m.FPS.Num, m.FPS.Den}},
		}, "koda-clock.js", string(part))
		if err == nil {
			wall(w.Header(), p, served)
			say(w, "text/javascript", script)
			return
		}
	}
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// secrets are headers by which servers know a person.
var secrets = []string{"Cookie", "Authorization", "Proxy-Authorization"}

// untamed are headers by which an answer could reach beyond its own page.
var untamed = []string{
	"Set-Cookie", "Clear-Site-Data", "Strict-Transport-Security", "Service-Worker-Allowed", "Alt-Svc", "Refresh", "Access-Control-Allow-Origin",
	"Access-Control-Allow-Credentials", "Link", "Report-To", "Reporting-Endpoints", "NEL", "Content-Security-Policy-Report-Only", "Speculation-Rules", "X-Frame-Options",
	"Cross-Origin-Embedder-Policy", "Cross-Origin-Opener-Policy", "Location",
}

// wall takes from an answer what could reach beyond the picture, and keeps the picture
// from the network and from what a person's browser offers.
func wall(h http.Header, p place, served bool) {
	for _, name := range untamed {
		h.Del(name)
	}
	self := p.picture
	connect := self
	if served {
		connect += " ws" + strings.TrimPrefix(self, "http")
	}
	h.Add("Content-Security-Policy", "default-src 'none'; script-src "+self+" 'unsafe-inline' 'unsafe-eval' data: blob:; style-src "+self+" 'unsafe-inline' data: blob:; "+
		"img-src "+self+" data: blob:; font-src "+self+" data: blob:; media-src 'none'; connect-src "+connect+" data: blob:; worker-src "+self+" data: blob:; "+
		"frame-src "+self+" data: blob:; object-src 'none'; manifest-src 'none'; form-action 'none'; base-uri "+self+"; webrtc 'block'; "+
		"frame-ancestors "+p.outer+" "+self+"; sandbox "+p.sandbox())
	h.Set("Connection-Allowlist", "(response-origin)")
	h.Set("Permissions-Policy", "accelerometer=(), autoplay=(), bluetooth=(), camera=(), clipboard-read=(), clipboard-write=(), display-capture=(), fullscreen=(), "+
		"geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), "+
		"screen-wake-lock=(), serial=(), storage-access=(), usb=(), web-share=(), xr-spatial-tracking=()")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Origin-Agent-Cluster", "?1")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if h.Set("Cross-Origin-Resource-Policy", "same-origin"); p.opaque {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
}

// maxDocument bounds a document of a server that the clock is put into.
const maxDocument = 8 << 20

// proxy answers from the server at a port of the sandbox's loopback.
func (v *View) proxy(dial Dial, port int) http.Handler {
	there := net.JoinHostPort("localhost", strconv.Itoa(port))
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", there, there
			for _, name := range append([]string{"Accept-Encoding"}, secrets...) {
				r.Out.Header.Del(name)
			}
			if r.Out.Header.Get("Origin") != "" {
				r.Out.Header.Set("Origin", "http://"+there)
			}
		},
		Transport: &http.Transport{
			DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
			DisableCompression: true, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
		},
		FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			p, _ := r.Request.Context().Value(placeKey{}).(place) //nolint:errcheck // picture gave it
			wall(r.Header, p, true)
			kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) //nolint:errcheck // "" is no document
			if kind != "text/html" || r.Header.Get("Content-Encoding") != "" {
				return nil
			}
			body, err := io.ReadAll(io.LimitReader(r.Body, maxDocument))
			if err != nil {
				return fmt.Errorf("read the document: %w", err)
			}
			if err := r.Body.Close(); err != nil {
				return fmt.Errorf("read the document: %w", err)
			}
			body = inject(body)
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Set("Content-Length", strconv.Itoa(len(body)))
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, "The server of the live view does not answer. Ask for the live view again.", http.StatusBadGateway)
		},
		ErrorLog: quiet,
	}
}

// placeKey is the key under which a request's context holds its place.
type placeKey struct{}
