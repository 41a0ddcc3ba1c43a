package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
)

// listener is a client that follows a project.
type listener struct {
	seqs  []int64
	waits []time.Duration // from the time of a durable event, which is before its commit
}

// listen reads the events of a project until the event comes, or the stream ends.
func (r *servedRun) listen(project string, after int64, until func(koda.EventType) bool, ready func()) (l listener, err error) {
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, fmt.Sprintf("%s/api/projects/%s/events?after=%d", r.url, project, after), nil)
	if err != nil {
		return l, err
	}
	req.Header.Set("Authorization", "Bearer "+r.secret)
	res, err := r.client.Do(req)
	if err != nil {
		return l, err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<22)
	durable := false
	for lines.Scan() {
		line, came := lines.Text(), time.Now()
		if line == "retry: 1000" {
			ready()
		}
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			n, err := strconv.ParseInt(id, 10, 64)
			if err != nil {
				return l, err
			}
			l.seqs, durable = append(l.seqs, n), true
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var ev struct {
			Type koda.EventType
			At   time.Time
		}
		if err := json.Unmarshal([]byte(data), &ev); err != nil {
			return l, err
		}
		if durable {
			l.waits = append(l.waits, came.Sub(ev.At))
		}
		if durable = false; until(ev.Type) {
			return l, nil
		}
	}
	return l, lines.Err()
}

func isType(want koda.EventType) func(koda.EventType) bool {
	return func(t koda.EventType) bool { return t == want }
}

// crowd lets n clients follow a project while do works, until the event, and returns
// what they got.
func (r *servedRun) crowd(n int, project string, after int64, until func(koda.EventType) bool, do func()) []listener {
	t := r.t
	t.Helper()
	all, errs := make([]listener, n), make([]error, n)
	var ready, done sync.WaitGroup
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			all[i], errs[i] = r.listen(project, after, until, sync.OnceFunc(ready.Done))
		})
	}
	ready.Wait()
	do()
	done.Wait()
	for _, err := range errs {
		must(t, err)
	}
	return all
}

// TestServe_crowd: each of a hundred clients of one project gets every durable event, in
// order and once, while the project is made; none of the clients leaves anything behind.
func TestServe_crowd(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball", "duration": 1.5}`)
	r.stands(http.StatusOK, "POST", "/api/projects/"+p.ID+"/answer?wait=60", `{"option": "playful"}`)
	before := r.stands(http.StatusOK, "GET", "/api/projects/"+p.ID, "")
	http.DefaultClient.CloseIdleConnections()
	files := len(r.open())
	all := r.crowd(100, p.ID, 0, isType(koda.EventPreviewReady), func() {
		r.stands(http.StatusOK, "POST", "/api/projects/"+p.ID+"/edit?wait=60", `{"text": "make it green"}`)
		r.stands(http.StatusOK, "POST", "/api/projects/"+p.ID+"/accept?wait=300", `{}`)
	})
	for i, l := range all {
		for n, seq := range l.seqs {
			if seq != int64(n)+1 {
				t.Fatalf("client %d got event %d where %d was due: %v", i, seq, n+1, l.seqs)
			}
		}
		if len(l.seqs) != len(all[0].seqs) || int64(len(l.seqs)) <= before.Seq {
			t.Fatalf("client %d got %d events, the first client %d", i, len(l.seqs), len(all[0].seqs))
		}
	}
	r.client.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	r.settles(files)
}

// TestCrash_served: a server is killed while it works on projects: twenty under `make crash`,
// else four. The next server goes on with all of them; each comes to its end, and no event is
// lost.
func TestCrash_served(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	many := 4
	if os.Getenv("KODA_CRASH") != "" {
		many = 20
	}
	var ids []string
	for i := range many {
		status, body := r.ask("POST", "/api/projects", fmt.Sprintf(`{"prompt": "title \"No. %d\"", "duration": 1.5, "presets": ["square"], "yes": true}`, i))
		var p served
		if err := json.Unmarshal([]byte(body), &p); err != nil || status != http.StatusAccepted {
			t.Fatalf("project %d: status %d: %s", i, status, body)
		}
		ids = append(ids, p.ID)
	}
	must(t, r.server.Process.Kill())
	_ = r.server.Wait()
	r.begin()
	for _, id := range ids {
		p := r.stands(http.StatusOK, "GET", "/api/projects/"+id+"?wait=600", "")
		if p.Phase != "complete" || p.Output.Video == "" {
			t.Errorf("project %s: %+v", id, p)
		}
		l, err := r.listen(id, 0, isType(koda.EventOutput), func() {})
		must(t, err)
		for n, seq := range l.seqs {
			if seq != int64(n)+1 {
				t.Fatalf("project %s: event %d where %d was due", id, seq, n+1)
			}
		}
	}
}
