package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// spans are what a collector got.
type spans struct {
	mu   sync.Mutex
	all  []*trace.Span
	text string // all of it, as text
}

// collectSpans is a collector of OTLP over HTTP.
func collectSpans(t *testing.T) (*spans, *httptest.Server) {
	t.Helper()
	got := &spans{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			zip, err := gzip.NewReader(body)
			if err != nil {
				t.Error(err)
				return
			}
			body = zip
		}
		data, err := io.ReadAll(body)
		var req collector.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(data, &req) != nil {
			t.Errorf("%s: not a batch of spans: %v", r.URL.Path, err)
			return
		}
		got.mu.Lock()
		defer got.mu.Unlock()
		got.text += req.String()
		for _, rs := range req.GetResourceSpans() {
			for _, ss := range rs.GetScopeSpans() {
				got.all = append(got.all, ss.GetSpans()...)
			}
		}
	}))
	t.Cleanup(server.Close)
	return got, server
}

// A turn is one trace: its spans hang together, and tell nothing of what was said or where it lies.
func TestTrace(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	got, server := collectSpans(t)
	r.env = append(r.env, "OTEL_EXPORTER_OTLP_ENDPOINT="+server.URL)
	r.koda("new", "bouncing ball secretword", "--yes", "--duration", "2", "--preset", "square")
	got.mu.Lock()
	defer got.mu.Unlock()
	of, names := map[string]*trace.Span{}, map[string]int{}
	for _, s := range got.all {
		of[string(s.GetSpanId())] = s
		names[s.GetName()]++
	}
	if names["turn"] != 1 || names["tool call"] < 5 || names["bundle"] < 1 || names["render"] != 2 || names["segment"] < 2 {
		t.Errorf("spans: %v", names)
	}
	under := map[string]string{"tool call": "turn", "render": "turn", "segment": "render"}
	for _, s := range got.all {
		parent := of[string(s.GetParentSpanId())].GetName()
		if want := under[s.GetName()]; want != "" && parent != want {
			t.Errorf("a %s hangs below %q, want %q", s.GetName(), parent, want)
		}
		if s.GetEndTimeUnixNano() < s.GetStartTimeUnixNano() || string(s.GetTraceId()) != string(got.all[0].GetTraceId()) {
			t.Errorf("%s is of another trace, or ends before it begins", s.GetName())
		}
	}
	for _, secret := range []string{"secretword", r.dir, "/tmp", ".mp4"} {
		if strings.Contains(got.text, secret) {
			t.Errorf("the spans tell %q", secret)
		}
	}
}

// A collector that is gone, wrong or silent costs a warning, and no work.
func TestTrace_lost(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-silent
	}))
	refuses := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(func() { close(silent); hangs.Close(); refuses.Close() })
	for name, c := range map[string]struct{ endpoint, says string }{
		"silent": {hangs.URL, "send traces to"}, "gone": {"http://127.0.0.1:1", "send traces to"}, "refusing": {refuses.URL, "send traces to"},
		"no address": {"::::", "is no address of a collector"}, "another scheme": {"ftp://x", "is no address of a collector"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newServedRun(t)
			cmd := exec.CommandContext(t.Context(), os.Args[0], "new", "bouncing ball", "--plan-only")
			cmd.Dir, cmd.Env = r.dir, append(r.env, "OTEL_EXPORTER_OTLP_ENDPOINT="+c.endpoint)
			said, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != 3 && code != 0 {
				t.Errorf("%v: %s", err, said)
			}
			if strings.Count(string(said), "warning: ") != 1 || !strings.Contains(string(said), c.says) {
				t.Errorf("koda said: %s", said)
			}
		})
	}
}
