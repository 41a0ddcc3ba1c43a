package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// Dial opens a connection to the server in the sandbox.
type Dial func(ctx context.Context) (net.Conn, error)

// Proxy answers people of this machine: from a server in a sandbox, or with a page.
type Proxy struct {
	host string // address of the proxy, with its port
	srv  *http.Server
	end  context.CancelFunc // ends websockets, which the server does not end by itself
	done chan struct{}
}

// Open starts a proxy to the server that listens at port of the sandbox's loopback. It
// takes the same port of this machine if that is free, else any. Close ends it.
//
// PORT_UNAVAILABLE: this machine has no port for it.
func Open(dial Dial, port int) (*Proxy, error) {
	there := net.JoinHostPort("localhost", strconv.Itoa(port))
	return open(port, &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", there, there
			for _, name := range secrets {
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
			tame(r.Header)
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			http.Error(w, "The server of the live view does not answer. Ask for the live view again.", http.StatusBadGateway)
		},
		ErrorLog: quiet,
	})
}

// open answers at a port of the loopback, if it can at the port wanted.
func open(port int, answer http.Handler) (*Proxy, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp4", net.JoinHostPort(loopback, strconv.Itoa(port)))
	if err != nil {
		l, err = lc.Listen(context.Background(), "tcp4", net.JoinHostPort(loopback, "0"))
	}
	if err != nil {
		return nil, &koda.Error{Code: koda.CodePortUnavailable, Op: "open a port for the live view", Err: err, Hint: "end a program that listens on this machine"}
	}
	ctx, end := context.WithCancel(context.Background())
	p := &Proxy{host: l.Addr().String(), end: end, done: make(chan struct{})}
	p.srv = &http.Server{
		Handler: p.own(answer), ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	go func() {
		defer close(p.done)
		_ = p.srv.Serve(l) //nolint:errcheck // Close ends it
	}()
	return p, nil
}

// quiet writes nothing: whoever asks is told what failed.
var quiet = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)

// loopback is the address of proxies: no other machine reaches it.
const loopback = "127.0.0.1"

// URL is the address that a person opens.
func (p *Proxy) URL() string { return "http://" + p.host + "/" }

// Close ends the proxy with all its connections.
func (p *Proxy) Close() error {
	p.end()
	err := p.srv.Close()
	<-p.done
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("end the live view: %w", err)
	}
	return nil
}

// secrets are headers by which servers know a person.
var secrets = []string{"Cookie", "Authorization", "Proxy-Authorization"}

// own lets requests through that the person or a page of the proxy made.
func (p *Proxy) own(next http.Handler) http.Handler {
	_, port, _ := net.SplitHostPort(p.host) //nolint:errcheck // a listener gave it
	hosts := map[string]bool{p.host: true, net.JoinHostPort("localhost", port): true}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
		person := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Method == http.MethodGet
		switch {
		case !hosts[r.Host], origin != "" && origin != "http://"+r.Host, site != "" && site != "same-origin" && site != "none" && !person:
			http.Error(w, "This address answers its own pages only.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// untamed are headers by which an answer could reach beyond its own page.
var untamed = []string{"Set-Cookie", "Clear-Site-Data", "Strict-Transport-Security", "Service-Worker-Allowed", "Alt-Svc", "Refresh", "Access-Control-Allow-Origin"}

// tame takes from an answer what could reach beyond its page, and keeps the page from the
// network.
func tame(h http.Header) {
	for _, name := range untamed {
		h.Del(name)
	}
	h.Add("Content-Security-Policy", "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' data: blob:; form-action 'self'; base-uri 'self'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
}
