package live

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Config says where a view is, and what it shows.
type Config struct {
	// Host is an address of this machine; "" is the loopback, which no other machine
	// reaches. At any other address the page's files are there for whoever reaches the
	// address. Everything else is for whoever has the token of [View.URL].
	Host string
	// Port is the port wanted. If it is taken, one of the next ports is; with Exact, the
	// error is PORT_UNAVAILABLE. 0 is any port.
	Port  int
	Exact bool

	Source Source
	// Dial opens a connection to a server in a sandbox that has the picture, at its port
	// Server. Nil: the source has it.
	Dial   Dial
	Server int
}

// Dial opens a connection to the server in the sandbox.
type Dial func(ctx context.Context) (net.Conn, error)

// View is a live page.
type View struct {
	viewer *viewer
	port   string
	host   string            // of the address for people
	hidden map[string]string // the hosts of pictures, by the hosts of pages; nil if the view is not on the loopback
	shown  map[string]string // the hosts of pages, by the hosts of pictures
	token  string            // of the person: other people of this machine reach the loopback too
	server http.Handler      // has the picture; nil: the source has it

	srv  *http.Server
	life context.Context
	end  context.CancelFunc // ends websockets and events, which the server does not end by itself
	done sync.WaitGroup
}

// Open starts a view. Close ends it.
//
// PORT_UNAVAILABLE: this machine has no such address, or the port is taken.
func Open(cfg Config) (*View, error) {
	near := cfg.Host == "" || cfg.Host == "localhost" || net.ParseIP(cfg.Host).IsLoopback()
	listeners, err := listen(cfg, near)
	if err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(listeners[0].Addr().String()) //nolint:errcheck // a listener gave it
	v := &View{viewer: newViewer(cfg.Source), port: port, host: cfg.Host, token: secret()}
	v.viewer.place = func(r *http.Request) place { p, _ := v.find(r); return p }
	if v.life, v.end = context.WithCancel(context.Background()); near { //nolint:gosec // Close calls it
		v.hidden, v.shown = map[string]string{}, map[string]string{}
		for _, host := range []string{"127.0.0.1", "localhost", "::1"} {
			page, picture := net.JoinHostPort(host, port), secret()+".localhost:"+port
			v.hidden[page], v.shown[picture] = picture, page
		}
		if v.host == "" {
			v.host = "127.0.0.1"
		}
	}
	if cfg.Dial != nil {
		v.server = v.proxy(cfg.Dial, cfg.Server)
	}
	v.srv = &http.Server{
		Handler: v, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10, ErrorLog: quiet,
		BaseContext: func(net.Listener) context.Context { return v.life },
	}
	for _, l := range listeners {
		v.done.Go(func() { _ = v.srv.Serve(l) }) //nolint:errcheck // Close ends it
	}
	return v, nil
}

// tries is how many ports are tried after the port wanted.
const tries = 100

// listen listens at the first port that is free. On the loopback it listens at both of its
// addresses: browsers take localhost for either.
func listen(cfg Config, near bool) ([]net.Listener, error) {
	host := cfg.Host
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	var failed error
	for i := range tries {
		port := cfg.Port
		if port != 0 {
			port += i
		}
		all, err := listenAt(host, port, near)
		if err == nil {
			return all, nil
		}
		if failed == nil {
			failed = err
		}
		if cfg.Exact || port >= 65535 || !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, syscall.EACCES) {
			break
		}
	}
	return nil, Unbound(host, cfg.Port, failed)
}

// Unbound is PORT_UNAVAILABLE for an address that could not be listened at.
func Unbound(host string, port int, why error) error {
	hint := "--port 0 takes any free port"
	if errors.Is(why, syscall.EADDRNOTAVAIL) {
		hint = "this machine has no such address; 0.0.0.0 is all it has"
	}
	if op := (*net.OpError)(nil); errors.As(why, &op) {
		why = op.Err // the address was said
	}
	return &koda.Error{Code: koda.CodePortUnavailable, Op: fmt.Sprintf("listen at %s port %d", host, port), Err: why, Hint: hint}
}

func listenAt(host string, port int, near bool) ([]net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil || !near || host == "::1" {
		return []net.Listener{l}, err
	}
	_, taken, _ := net.SplitHostPort(l.Addr().String()) //nolint:errcheck // a listener gave it
	six, err := lc.Listen(context.Background(), "tcp6", net.JoinHostPort("::1", taken))
	switch {
	case err == nil:
		return []net.Listener{l, six}, nil
	case errors.Is(err, syscall.EADDRINUSE): // another server would get what is asked of localhost
		return nil, errors.Join(err, l.Close())
	}
	return []net.Listener{l}, nil // there is no IPv6
}

// quiet writes nothing: whoever asks is told what failed.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

// URL is the address that a person opens, with the token that shows who may look.
func (v *View) URL() string {
	host := v.host
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = Outward()
	}
	return "http://" + net.JoinHostPort(host, v.port) + "/?token=" + v.token
}

// Outward is the address by which this machine is known to others; the loopback if it is
// alone.
func Outward() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return "127.0.0.1"
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	return "127.0.0.1"
}

// Close ends the view with all its connections.
func (v *View) Close() error {
	v.end()
	err := v.srv.Close()
	v.done.Wait()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("end the live view: %w", err)
	}
	return nil
}

// find says where a request reaches the view, and whether it asks for the picture.
func (v *View) find(r *http.Request) (p place, picture bool) {
	if v.hidden != nil {
		if page := v.shown[r.Host]; page != "" {
			return place{outer: "http://" + page, picture: "http://" + r.Host}, true
		}
		if hidden := v.hidden[r.Host]; hidden != "" {
			return place{outer: "http://" + r.Host, picture: "http://" + hidden}, false
		}
		return place{}, false
	}
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, "80"
	}
	if port != v.port || net.ParseIP(host) == nil && host != "localhost" && host != v.host {
		return place{}, false
	}
	here := "http://" + r.Host
	page := len(r.URL.Path) >= len(viewPath) && r.URL.Path[:len(viewPath)] == viewPath || r.URL.Path == "/" && r.URL.RawQuery != "export"
	return place{outer: here, picture: here, opaque: true}, !page
}

// viewPath is the directory of what belongs to the page around the picture.
const viewPath = koda.BundlePath + "/view/"

// ServeHTTP lets requests through that the person, the page or its picture made.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, picture := v.find(r)
	own := p.outer
	if picture {
		own = p.picture
	}
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	person := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet
	stranger := picture && p.opaque // the picture has no origin that could be checked
	switch {
	case own == "", !stranger && origin != "" && origin != own, !stranger && site != "" && site != "same-origin" && site != "none" && !person:
		http.Error(w, "This address answers its own pages only.", http.StatusForbidden)
	case picture && r.Header.Get("Service-Worker") != "":
		http.Error(w, "The picture has no service worker.", http.StatusForbidden)
	case picture:
		v.picture(w, r, p)
	default:
		v.page(w, r, p)
	}
}

// page answers the page around the picture.
func (v *View) page(w http.ResponseWriter, r *http.Request, p place) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; "+
		"frame-src "+p.picture+"; form-action 'none'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	switch r.URL.Path {
	case viewPath + "view.css", viewPath + "view.js":
		v.asset(w, r.URL.Path[len(viewPath):])
		return
	}
	if !v.known(r) {
		http.Error(w, "Open the whole address that koda printed, with its token.", http.StatusForbidden)
		return
	}
	write := r.Method != http.MethodGet && r.Method != http.MethodHead
	switch path := r.URL.Path; {
	case write && (path != viewPath+"form" || r.Method != http.MethodPost):
		http.Error(w, "This address only answers.", http.StatusMethodNotAllowed)
	case write && (r.Header.Get("Origin") != p.outer || r.Header.Get("X-Koda-View") == ""):
		http.Error(w, "Only the page of this address changes something.", http.StatusForbidden)
	case path == "/":
		v.asset(w, "view.html")
	case path == viewPath+"events":
		v.viewer.events(v.life, w, r)
	case path == viewPath+"form":
		v.viewer.form(w, r)
	case path == viewPath+"where":
		v.viewer.where(w, r)
	case path == viewPath+"sound":
		v.viewer.sound(w, r)
	default:
		http.NotFound(w, r)
	}
}

// known reports whether a request carries the token of the view.
func (v *View) known(r *http.Request) bool {
	given := r.Header.Get("X-Koda-View")
	if given == "" {
		given = r.URL.Query().Get("token")
	}
	return subtle.ConstantTimeCompare([]byte(given), []byte(v.token)) == 1
}

// say answers with a text of a type.
func say(w http.ResponseWriter, kind, text string) {
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = io.WriteString(w, text) //nolint:errcheck // the browser is gone
}
