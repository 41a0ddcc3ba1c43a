package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// metric is the value of a line of /metrics.
func metric(t *testing.T, text, name string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("/metrics has no %s:\n%s", name, text)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	must(t, err)
	return n
}

// The command and the server count the same, and the server tells nobody what the projects
// are about.
func TestStats(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.koda("new", "bouncing ball secretword", "--yes", "--duration", "2", "--preset", "square")
	r.koda("render", "bouncing-ball-secretword", "--preset", "square", "--output", "again.mp4")
	var all struct {
		Payload struct {
			Projects []struct {
				Name string
				koda.Stats
			}
			Total koda.Stats
		}
	}
	must(t, json.Unmarshal([]byte(r.koda("stats", "--json")), &all))
	s := all.Payload.Total
	if s.Turns != 1 || s.Renders != 3 || s.FailedRenders != 0 || s.ToolCalls < 5 || s.Frames < 100 || s.ReusedFrames == 0 || s.ReusedFrames >= s.Frames || s.Took.Total <= 0 || s.Took.Longest < s.Took.Median {
		t.Errorf("stats: %+v", s)
	}
	if table := r.koda("stats"); !strings.Contains(table, "bouncing-ball-secret") || strings.Count(table, "\n") != 1 {
		t.Errorf("the table:\n%s", table)
	}
	r.begin()
	for _, name := range []string{"/api/projects", "/api/projects/nothing", "/nowhere"} {
		r.ask("GET", name, "")
	}
	status, text := r.ask("GET", "/metrics", "")
	if status != http.StatusOK {
		t.Fatalf("/metrics: status %d: %s", status, text)
	}
	for name, want := range map[string]float64{
		`koda_turns_total{status="ok"}`: 1, `koda_calls_total{kind="tool"}`: float64(s.ToolCalls), `koda_cost_dollars_total`: 0,
		`koda_renders_total{status="done"}`: 3, `koda_frames_total{source="reused"}`: float64(s.ReusedFrames), `koda_frames_total{source="drawn"}`: float64(s.Frames - s.ReusedFrames),
		`koda_render_duration_seconds_count`: 3, `koda_renders_waiting`: 0, `koda_event_clients`: 0,
		`koda_http_requests_total{code="200",route="GET /api/projects"}`: 1, `koda_http_requests_total{code="404",route="GET /api/projects/{id}"}`: 1,
		`koda_http_requests_total{code="404",route="other"}`: 1,
	} {
		if got := metric(t, text, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if strings.Contains(text, "secretword") || strings.Contains(text, r.dir) {
		t.Errorf("/metrics tells of a project:\n%s", text)
	}
	r.koda("user", "add", "anna")
	for what, c := range map[string]struct {
		secret string
		want   int
	}{
		"no token":         {"", http.StatusUnauthorized},
		"another user's":   {r.koda("token", "new", "--user", "anna", "--write"), http.StatusForbidden},
		"of one project":   {r.koda("token", "new", "bouncing-ball-secretword"), http.StatusForbidden},
		"one that reads":   {r.koda("token", "new"), http.StatusOK},
		"one that is made": {"koda_nothing", http.StatusUnauthorized},
	} {
		if status, _ := r.ask("GET", "/metrics", "", c.secret); status != c.want {
			t.Errorf("/metrics with %s: status %d, want %d", what, status, c.want)
		}
	}
	r.koda("delete", "bouncing-ball-secretword", "--yes")
	if _, text := r.ask("GET", "/metrics", ""); metric(t, text, `koda_turns_total{status="ok"}`) != 1 {
		t.Error("a counter fell when a project was deleted")
	}
}
