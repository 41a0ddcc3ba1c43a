package serve

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/koda-video/koda/internal/koda"
)

// metrics are what Prometheus reads at /metrics. The numbers about projects are those of
// `koda stats`, over all projects of all users. No label names a project, a user or a text of
// a person.
type metrics struct {
	requests *prometheus.CounterVec
	handler  http.Handler
}

// seconds of a render, as the buckets of the histogram have them.
var renderBuckets = []float64{1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500}

func newMetrics(s *Server) *metrics {
	own := prometheus.NewRegistry()
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "koda_http_requests_total", Help: "Requests that were answered, by route and status."}, []string{"route", "code"}),
	}
	own.MustRegister(m.requests, &journaled{s: s}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		gauge("koda_renders_waiting", "Renders that wait for their turn.", func() int { return s.cfg.Queue.Waiting() }),
		gauge("koda_projects_working", "Projects that this server works on.", s.jobs.count),
		gauge("koda_event_clients", "Clients that follow the events of a project.", s.hubs.count))
	m.handler = promhttp.HandlerFor(own, promhttp.HandlerOpts{ErrorHandling: promhttp.HTTPErrorOnError})
	return m
}

func gauge(name, help string, value func() int) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// What the journals of all projects hold.
var (
	descTurns   = desc("koda_turns_total", "Turns of all projects, by how they ended.", "status")
	descCalls   = desc("koda_calls_total", "Calls of models and of tools.", "kind")
	descTokens  = desc("koda_tokens_total", "Tokens of models. Input has those that came from a cache, too.", "kind")
	descCost    = desc("koda_cost_dollars_total", "What the answers of models cost whose price is known.")
	descUnknown = desc("koda_unpriced_answers_total", "Answers of models whose price nobody knows.")
	descRenders = desc("koda_renders_total", "Videos, by how they ended.", "status")
	descFrames  = desc("koda_frames_total", "Frames of finished videos: drawn, or reused from finished segments.", "source")
	descSeconds = desc("koda_render_duration_seconds", "How long finished videos took.")
)

// journaled collects what the journals hold, when it is asked.
type journaled struct{ s *Server }

// Describe implements prometheus.Collector.
func (*journaled) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{descTurns, descCalls, descTokens, descCost, descUnknown, descRenders, descFrames, descSeconds} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (j *journaled) Collect(to chan<- prometheus.Metric) {
	t, err := j.s.cfg.Engine.Totals(context.Background())
	if err != nil {
		to <- prometheus.NewInvalidMetric(descTurns, err)
		return
	}
	count := func(d *prometheus.Desc, n float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, n, labels...)
	}
	count(descTurns, float64(t.Turns-t.FailedTurns), "ok")
	count(descTurns, float64(t.FailedTurns), "failed")
	count(descCalls, float64(t.ModelCalls), "model")
	count(descCalls, float64(t.ToolCalls), "tool")
	count(descTokens, float64(t.Cost.InputTokens), "input")
	count(descTokens, float64(t.Cost.CachedTokens), "cached")
	count(descTokens, float64(t.Cost.OutputTokens), "output")
	count(descCost, t.Cost.USD)
	count(descUnknown, float64(t.Cost.Unpriced))
	count(descRenders, float64(t.Renders), "done")
	count(descRenders, float64(t.FailedRenders), "failed")
	count(descFrames, float64(t.Frames-t.ReusedFrames), "drawn")
	count(descFrames, float64(t.ReusedFrames), "reused")
	buckets := map[float64]uint64{}
	for _, most := range renderBuckets {
		for _, n := range t.Seconds {
			if n <= most {
				buckets[most]++
			}
		}
	}
	to <- prometheus.MustNewConstHistogram(descSeconds, uint64(len(t.Seconds)), t.Took.Total, buckets)
}

// count is how many projects the server works on.
func (j *jobs) count() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.of)
}

// count is how many clients follow events.
func (h *hubs) count() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, one := range h.of {
		n += one.clients
	}
	return n
}

// metrics answers Prometheus. What all users did is for the person whose server it is: it
// takes a token of theirs for all their projects, unless the person opened it to everyone.
func (s *Server) measured(w http.ResponseWriter, r *http.Request) {
	if t := tokenIn(r.Context()); !s.cfg.OpenMetrics && (t.UserID != koda.LocalUser || t.ProjectID != "") {
		s.refuse(w, problem(http.StatusForbidden, koda.CodeUnauthorized, "these numbers are about the projects of all users", "`koda token new --for 8760h`, by the person whose server it is, makes a token for them"))
		return
	}
	s.metrics.handler.ServeHTTP(w, r)
}

// routeKey is the key of the route in the context of a request.
type routeKey struct{}

// routed notes which route answers a request, so that counted knows.
func routed(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if route, ok := r.Context().Value(routeKey{}).(*string); ok {
			_, *route = mux.Handler(r)
		}
		mux.ServeHTTP(w, r)
	})
}

// counted counts requests by route and status.
func (m *metrics) counted(next http.Handler) http.Handler {
	count := promhttp.InstrumentHandlerCounter(m.requests, next, promhttp.WithLabelFromCtx("route", func(ctx context.Context) string {
		if route, ok := ctx.Value(routeKey{}).(*string); ok && *route != "" && *route != "/" {
			return *route
		}
		return "other"
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), routeKey{}, new(string))))
	})
}
