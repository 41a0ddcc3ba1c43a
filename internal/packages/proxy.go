package packages

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Proxy connects programs with some hosts and no others. It knows the method CONNECT
// alone.
type Proxy struct {
	Hosts []string // names, in lower case
	// Dial connects with a host that is allowed. Nil is a plain TCP connection.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu      sync.Mutex
	refused []string
}

// Bounds of a proxy.
const (
	connectTime = 30 * time.Second
	mostRefused = 20 // that are named
)

// Serve answers the connections of a listener until it is closed or ctx ends.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	var tunnels sync.WaitGroup
	srv := &http.Server{
		ReadHeaderTimeout: connectTime, MaxHeaderBytes: 16 << 10, BaseContext: func(net.Listener) context.Context { return ctx },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tunnels.Add(1)
			defer tunnels.Done()
			p.connect(w, r)
		}),
	}
	stop := context.AfterFunc(ctx, func() { _ = errors.Join(l.Close(), srv.Close()) }) //nolint:errcheck // it is over
	defer stop()
	err := srv.Serve(l)
	_ = srv.Close() //nolint:errcheck // likewise
	tunnels.Wait()
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// Refused lists what programs wanted and did not get, each once.
func (p *Proxy) Refused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.refused)
}

// allowed reports whether a program may connect with host:port.
func (p *Proxy) allowed(target string) bool {
	host, port, err := net.SplitHostPort(target)
	return err == nil && port == "443" && slices.Contains(p.Hosts, strings.ToLower(host))
}

func (p *Proxy) refuse(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	what = strings.ToValidUTF8(what[:min(len(what), 100)], "")
	if len(p.refused) < mostRefused && !slices.Contains(p.refused, what) {
		p.refused = append(p.refused, what)
	}
}

func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect || !p.allowed(r.Host) {
		what := r.Host
		if r.Method != http.MethodConnect {
			what = (&url.URL{Scheme: "http", Host: r.Host}).String()
		}
		p.refuse(what)
		http.Error(w, "koda: sandboxes may reach package registries alone, by HTTPS", http.StatusForbidden)
		return
	}
	dial := p.Dial
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	ctx, cancel := context.WithTimeout(r.Context(), connectTime)
	defer cancel()
	far, err := dial(ctx, "tcp", r.Host)
	if err != nil {
		http.Error(w, "koda: the registry cannot be reached: "+err.Error(), http.StatusBadGateway)
		return
	}
	defer far.Close() //nolint:errcheck // it may have ended already
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer near.Close()                                                                            //nolint:errcheck // likewise
	stop := context.AfterFunc(r.Context(), func() { _ = errors.Join(near.Close(), far.Close()) }) //nolint:errcheck // it ends the copying
	defer stop()
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	ended := make(chan struct{}, 2)
	pipe := func(to net.Conn, from io.Reader) {
		_, _ = io.Copy(to, from) //nolint:errcheck // every end is the end
		ended <- struct{}{}
	}
	go pipe(far, buffered)
	go pipe(near, far)
	<-ended
}
