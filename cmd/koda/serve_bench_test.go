package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// BenchmarkServe_get measures how many requests for a finished project a server answers, to
// 16 clients on the same machine.
func BenchmarkServe_get(b *testing.B) {
	r := newServedRun(b)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=600", `{"prompt": "bouncing ball", "presets": ["square"], "yes": true}`)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, err := http.NewRequest(http.MethodGet, r.url+"/api/projects/"+p.ID, nil)
			if err == nil {
				req.Header.Set("Authorization", "Bearer "+r.secret)
				var res *http.Response
				if res, err = client.Do(req); err == nil {
					_, err = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			}
			if err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkServe_follow measures how long a durable event takes from its commit to each of
// 100 clients, and what a client costs the server; alone and while a video is rendered. An
// event's time is taken before its commit, so that the commit counts, too.
func BenchmarkServe_follow(b *testing.B) {
	for _, renders := range []bool{false, true} {
		b.Run(map[bool]string{false: "alone", true: "rendering"}[renders], func(b *testing.B) {
			r := newServedRun(b)
			r.begin()
			p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball"}`)
			r.stands(http.StatusOK, "POST", "/api/projects/"+p.ID+"/answer?wait=60", `{"option": "playful"}`)
			p = r.stands(http.StatusOK, "GET", "/api/projects/"+p.ID, "")
			if renders {
				r.stands(http.StatusAccepted, "POST", "/api/projects", `{"prompt": "bouncing ball, 60 seconds", "yes": true}`)
			}
			secrets := []string{}
			for len(secrets)*50 < b.N {
				secrets = append(secrets, r.koda("token", "new", "--write"))
			}
			idle := r.memory()
			var full int64
			all := r.crowd(100, p.ID, p.Seq, func(koda.EventType) bool { return false }, func() {
				full = r.memory()
				b.ResetTimer()
				for i := range b.N {
					color := []string{"green", "blue", "red"}[i%3]
					if status, body := r.ask("POST", "/api/projects/"+p.ID+"/edit?wait=60", fmt.Sprintf(`{"text": "make it %s"}`, color), secrets[i/50]); status != http.StatusOK {
						b.Errorf("status %d: %s", status, body)
					}
				}
				b.StopTimer()
				r.ask("DELETE", "/api/projects/"+p.ID, "") // ends what follows the project
			})
			var waits []time.Duration
			for _, l := range all {
				waits = append(waits, l.waits...)
			}
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(full-idle)/100, "kB/client")
			b.ReportMetric(float64(len(waits))/100/float64(b.N), "events/op")
		})
	}
}

var residentSet = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// memory is what the server has in memory, in kB.
func (r *servedRun) memory() int64 {
	r.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.server.Process.Pid))
	must(r.t, err)
	kb, err := strconv.ParseInt(string(residentSet.FindSubmatch(status)[1]), 10, 64)
	must(r.t, err)
	return kb
}
