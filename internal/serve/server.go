package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/net/netutil"
	ratelimit "golang.org/x/time/rate"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
)

// Config is what a Server is made of.
type Config struct {
	Engine  Engine
	Access  Access
	Served  Served
	Replies Replies
	Hooks   Hooks
	// Hook is told of all projects; its URL is "" if there is none.
	Hook koda.Hook
	// PrivateHooks lets webhooks lead into private networks and to this machine.
	PrivateHooks bool
	// Request checks a brief and makes of it what the engine takes. Files named in the prompt
	// are not read: the prompt may be a stranger's. Files are those of b.Assets. What it needs
	// until the project exists goes to dir.
	Request func(ctx context.Context, b Brief, files []string, dir string) (engine.NewRequest, error)
	// Spec plans a render of a project.
	Spec func(p koda.Project, ask RenderAsk) (koda.RenderSpec, error)
	// Still draws a frame of a project.
	Still func(ctx context.Context, p koda.Project, at float64) (koda.Picture, error)
	Queue *Queue
	// Hosts are further names by which people call the server.
	Hosts  []string
	Limits Limits
	// OpenMetrics lets everybody read /metrics who reaches the server.
	OpenMetrics bool
	// Home and Parent are directories whose names are left out of answers.
	Home, Parent string
	Version      string
	// Say tells the person who started the server something, in a line.
	Say func(line string)
	Now func() time.Time
	Log *slog.Logger
}

// Limits bound what clients can use up; 0 is no limit.
type Limits struct {
	Writes      int   // requests that write, by token and minute
	Body        int64 // bytes of a request's body
	Connections int   // at a time
	Waiting     int   // renders that wait for their turn
}

// Served remembers what a server works on.
type Served interface {
	// Serve notes that the server works on a project; render is the render it makes, nil if it
	// does other work.
	Serve(ctx context.Context, project string, render []byte) error
	// Unserve notes that it does no more.
	Unserve(ctx context.Context, project string) error
	// Served lists what is noted, by project.
	Served(ctx context.Context) (map[string][]byte, error)
}

// Server answers requests over HTTP.
type Server struct {
	cfg   Config
	api   huma.API
	mux   *http.ServeMux
	rates rates
	jobs  jobs
	hubs  hubs
	hosts map[string]bool // nil: every name
	every string          // the port, if the server listens at every address of the machine
	// schemas are those of the tools for agents, made once.
	schemas *mcp.SchemaCache
	// looks are the stills that are drawn at a time; the others wait.
	looks chan struct{}

	metrics *metrics
}

// New makes a server; it starts nothing. The caller calls Serve once.
func New(cfg Config) *Server {
	if cfg.Limits.Body <= 0 {
		cfg.Limits.Body = math.MaxInt64
	}
	s := &Server{cfg: cfg, mux: http.NewServeMux(), schemas: mcp.NewSchemaCache(), looks: make(chan struct{}, mostLooks), rates: rates{minute: cfg.Limits.Writes, of: map[string]*ratelimit.Limiter{}}}
	s.jobs.of, s.hubs.of = map[string]chan struct{}{}, map[string]*hub{}
	s.metrics = newMetrics(s)
	conf := huma.DefaultConfig("koda", cfg.Version)
	conf.Info.Description = "Animated videos from sentences. Requests that work are answered once the work is journaled; the events tell how it goes on."
	conf.DocsPath, conf.SchemasPath, conf.CreateHooks = "", "", nil // the page of huma's documentation loads scripts from elsewhere
	conf.OpenAPIPath = "/api/openapi"
	conf.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer"}}
	conf.Security = []map[string][]string{{"token": {}}}
	conf.RejectUnknownQueryParameters = true
	asJSON := huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: readJSON}
	conf.Formats = map[string]huma.Format{"application/json": asJSON, "json": asJSON} // also application/problem+json
	conf.Transformers = []huma.Transformer{func(_ huma.Context, _ string, v any) (any, error) {
		if p, ok := v.(*Problem); ok {
			v = hinted(p)
		}
		return v, nil
	}}
	s.api = humago.New(s.mux, conf)
	s.api.UseMiddleware(s.lead)
	s.routes()
	s.syncRoutes()
	describe(s.api.OpenAPI())
	s.mux.Handle(mcpPath, s.mcpHandler())
	s.mux.HandleFunc("GET /metrics", s.measured)
	s.mux.HandleFunc("/", s.nowhere)
	return s
}

// OpenAPI is the description of all routes (OpenAPI 3.1), as YAML.
func (s *Server) OpenAPI() ([]byte, error) {
	data, err := s.api.OpenAPI().YAML()
	if err != nil {
		return nil, fmt.Errorf("describe the routes: %w", err)
	}
	return data, nil
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	guarded := s.admit(s.once(routed(s.mux)))
	open := http.NewServeMux()
	if s.cfg.OpenMetrics {
		open.HandleFunc("GET /metrics", s.measured)
	}
	open.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"status":"ok"}` + "\n")) //nolint:errcheck // the client is gone
	})
	s.webRoutes(open)
	open.Handle("/", guarded)
	inside := routed(open)
	return s.metrics.counted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paced, end := s.pace(w, r)
		defer end()
		defer s.broke(paced, r)
		w = paced
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		origin := r.Header.Get("Origin")
		switch {
		case s.hosts != nil && !s.called(r.Host):
			s.refuse(w, problem(http.StatusMisdirectedRequest, koda.CodeUsage, "this server is not called "+r.Host, "`koda serve --allow-host NAME` adds a name"))
		case origin != "" && !s.own(origin), r.Header.Get("Sec-Fetch-Site") == "cross-site" && writes(r):
			s.refuse(w, problem(http.StatusForbidden, koda.CodeUnauthorized, "pages of other origins are not answered", "open the address that `koda serve` printed"))
		case !clean(r.URL):
			s.refuse(w, problem(http.StatusNotFound, koda.CodeNotFound, "there is no such address", "write it without //, /./ and /../"))
		case r.ContentLength > s.mostOf(r):
			s.refuse(w, tooLong(s.mostOf(r)))
		default:
			r.Body = http.MaxBytesReader(w, r.Body, s.mostOf(r))
			inside.ServeHTTP(w, r)
		}
	}))
}

// broke answers a request on which koda broke. If the answer has begun, the connection ends.
func (s *Server) broke(w *paced, r *http.Request) {
	switch why := recover(); {
	case why == nil:
	case why == http.ErrAbortHandler, w.status != 0: //nolint:errorlint // the value itself is panicked with
		panic(http.ErrAbortHandler)
	default:
		s.cfg.Log.Error("koda broke", "error", why, "route", r.Method+" "+r.URL.Path, "stack", string(debug.Stack()))
		s.refuse(w, problem(http.StatusInternalServerError, koda.CodeFailed, "koda broke on this request", ""))
	}
}

// own reports whether an origin is the server itself.
func (s *Server) own(origin string) bool {
	for _, scheme := range []string{"http://", "https://"} {
		if host, ok := strings.CutPrefix(origin, scheme); ok && s.called(host) {
			return true
		}
	}
	return false
}

// Serve answers at a listener, and begins with what a server before it left in the middle.
// When ctx ends, it takes no more requests, ends the work, which is saved, and returns.
// With a certificate it speaks TLS; nil is none. The listener is closed.
func (s *Server) Serve(ctx context.Context, l net.Listener, c *Certificate) error {
	end := s.start(ctx)
	defer end()
	s.name(l.Addr())
	srv := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelDebug), BaseContext: func(net.Listener) context.Context { return s.jobs.ctx },
	}
	if n := s.cfg.Limits.Connections; n > 0 {
		l = netutil.LimitListener(l, n)
	}
	if err := s.goOn(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	s.jobs.done.Go(func() { s.deliver(s.jobs.ctx) })
	ended := make(chan error, 1)
	go func() {
		if c != nil {
			srv.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}
			ended <- srv.ServeTLS(l, "", "")
		} else {
			ended <- srv.Serve(l)
		}
	}()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.jobs.stop() // the work is saved, and followers are cut off: they come again
	soon, cancel := context.WithTimeout(context.Background(), drainFor)
	defer cancel()
	if err := srv.Shutdown(soon); err != nil {
		_ = srv.Close() //nolint:errcheck // clients that did not end are cut off
	}
	return nil
}

// drainFor is how long requests may take that are answered while the server ends.
const drainFor = 5 * time.Second

// called reports whether people call the server by a name. A server at every address of the
// machine is called by each address: no page can lead an address elsewhere, as it can a name.
func (s *Server) called(name string) bool {
	host, port, err := net.SplitHostPort(name)
	return s.hosts[strings.ToLower(name)] || err == nil && s.every != "" && port == s.every && net.ParseIP(host) != nil
}

// name learns by which names people call a server at addr.
func (s *Server) name(addr net.Addr) {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return
	}
	names := slices.Concat([]string{"localhost", "127.0.0.1", "::1"}, s.cfg.Hosts)
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		s.every = port
	} else if ip != nil {
		names = append(names, host)
	}
	s.hosts = map[string]bool{}
	for _, n := range names {
		n = strings.ToLower(n)
		s.hosts[net.JoinHostPort(n, port)] = true
		if port == "80" || port == "443" || slices.Contains(s.cfg.Hosts, n) {
			s.hosts[n] = true // behind a proxy the port is another one
		}
	}
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// jobs is the work that goes on in the server.
type jobs struct {
	ctx  context.Context //nolint:containedctx // of the server, for work that outlives requests
	mu   sync.Mutex
	of   map[string]chan struct{} // by project; closed when the work has ended
	soon int                      // how many of them draw a video, or soon will
	end  context.CancelFunc
	done sync.WaitGroup
}

// spawn runs f beside the requests; stop comes before, and the server waits for f. Once the
// server ends, spawn does nothing and returns false.
func (j *jobs) spawn(f func()) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ctx.Err() != nil {
		return false
	}
	j.done.Go(f)
	return true
}

// stop ends all work.
func (j *jobs) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.end()
}

// start makes the server ready to work; end ends the work, which is saved, and waits for it.
func (s *Server) start(ctx context.Context) (end func()) {
	s.jobs.ctx, s.jobs.end = context.WithCancel(context.WithoutCancel(ctx))
	sub := s.cfg.Engine.Subscribe(s.publish)
	return func() {
		s.jobs.stop()
		s.jobs.done.Wait()
		sub.End()
	}
}
