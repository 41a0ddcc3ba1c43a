package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
)

// once sends a request with an idempotency key.
func (r *servedRun) once(key, method, path, body string) (status int, text string, again bool) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	must(r.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.secret)
	req.Header.Set("Idempotency-Key", key)
	res, err := http.DefaultClient.Do(req)
	must(r.t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	must(r.t, err)
	return res.StatusCode, string(data), res.Header.Get("Idempotency-Replayed") == "true"
}

func (r *servedRun) projects() int {
	r.t.Helper()
	_, text := r.ask("GET", "/api/projects", "")
	var list struct{ Projects []struct{} }
	must(r.t, json.Unmarshal([]byte(text), &list))
	return len(list.Projects)
}

// TestServe_once: a request sent again with its idempotency key is done once, also by two at a
// time and by the next server, and also if the server was killed before it answered.
func TestServe_once(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	const ask = `{"prompt": "bouncing ball", "duration": 2}`
	status, first, again := r.once("one", "POST", "/api/projects?wait=60", ask)
	if status != http.StatusCreated || again {
		t.Fatalf("status %d: %s", status, first)
	}
	if status, text, again := r.once("one", "POST", "/api/projects?wait=60", ask); status != http.StatusCreated || !again || text != first {
		t.Errorf("the same request: status %d, %s, want %s", status, text, first)
	}
	if status, text, _ := r.once("one", "POST", "/api/projects?wait=60", strings.Replace(ask, "2", "3", 1)); status != http.StatusUnprocessableEntity || !strings.Contains(text, "another request") {
		t.Errorf("another request: status %d: %s", status, text)
	}
	// What was refused may be sent again.
	for range 2 {
		if status, text, again := r.once("bad", "POST", "/api/projects", `{"prompt": ""}`); status != http.StatusUnprocessableEntity || again {
			t.Errorf("a refused request: status %d, %v: %s", status, again, text)
		}
	}
	if status, _, _ := r.once("bad", "POST", "/api/projects?wait=60", ask); status != http.StatusCreated {
		t.Errorf("mended: status %d", status)
	}
	for _, key := range []string{strings.Repeat("k", 256), "a b", "ü"} {
		if status, text, _ := r.once(key, "POST", "/api/projects", ask); status != http.StatusUnprocessableEntity {
			t.Errorf("the key %q: status %d: %s", key, status, text)
		}
	}
	// Two at a time: one is done, the other told to wait or given its answer.
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for range 8 {
		all.Go(func() {
			status, _, _ := r.once("eight", "POST", "/api/projects?wait=60", ask)
			mu.Lock()
			defer mu.Unlock()
			got[status]++
		})
	}
	all.Wait()
	if n := r.projects(); n != 3 || got[http.StatusCreated]+got[http.StatusConflict] != 8 || got[http.StatusCreated] == 0 {
		t.Errorf("%d projects; statuses %v", n, got)
	}
	must(t, r.server.Process.Signal(os.Interrupt))
	_ = r.server.Wait()
	r.begin()
	if _, text, again := r.once("one", "POST", "/api/projects?wait=60", ask); !again || text != first {
		t.Errorf("the next server: %s, want %s", text, first)
	}
	// Killed after the work was journaled, and before the answer.
	path := "/api/projects/" + strings.Split(strings.SplitAfter(first, `"id":"`)[1], `"`)[0]
	r.once("answer", "POST", path+"/answer?wait=60", `{"option": "playful"}`)
	must(t, r.server.Process.Kill())
	_ = r.server.Wait()
	r.begin("KODA_FAILPOINT=render.frame")
	req := fmt.Sprint(r.url, path, "/accept?wait=300")
	killed, err := http.NewRequestWithContext(t.Context(), http.MethodPost, req, strings.NewReader(`{}`))
	must(t, err)
	killed.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + r.secret}, "Idempotency-Key": {"accept"}}
	if res, err := http.DefaultClient.Do(killed); err == nil {
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		t.Fatalf("the server was not killed: status %d: %s", res.StatusCode, text)
	}
	_ = r.server.Wait()
	r.begin()
	status, text, again := r.once("accept", "POST", path+"/accept?wait=300", `{}`)
	if status != http.StatusAccepted || !again {
		t.Errorf("killed before the answer: status %d, %v: %s", status, again, text)
	}
	if p := r.stands(http.StatusOK, "GET", path+"?wait=300", ""); p.Waiting != "preview" || r.projects() != 3 {
		t.Errorf("afterwards: %+v", p)
	}
}

// TestServe_lists: every list that grows comes in parts, and the parts make up the whole.
func TestServe_lists(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball", "duration": 2}`)
	for range 3 {
		r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball", "duration": 2}`)
	}
	path := "/api/projects/" + p.ID
	r.stands(http.StatusOK, "POST", path+"/answer?wait=60", `{"option": "playful"}`)
	r.stands(http.StatusOK, "POST", path+"/accept?wait=300", `{}`)
	r.stands(http.StatusOK, "POST", path+"/edit?wait=300", `{"text": "make it green"}`)
	for list, field := range map[string]string{
		"/api/projects": "projects", path + "/renders": "renders", path + "/versions": "versions", path + "/turns": "turns",
		path + "/turns/" + p.ID + "-t3/blocks": "blocks", path + "/messages": "messages", path + "/files": "files",
	} {
		read := func(query string) (items []json.RawMessage, next string) {
			t.Helper()
			var page map[string]json.RawMessage
			status, text := r.ask("GET", list+query, "")
			if err := json.Unmarshal([]byte(text), &page); status != http.StatusOK || err != nil {
				t.Fatalf("GET %s: status %d: %s", list+query, status, text)
			}
			must(t, json.Unmarshal(page[field], &items))
			if page["next"] != nil {
				must(t, json.Unmarshal(page["next"], &next))
			}
			return items, next
		}
		whole, next := read("")
		if len(whole) < 2 || next != "" {
			t.Errorf("%s: %d, next %q", list, len(whole), next)
		}
		var parts []json.RawMessage
		for query := "?limit=1"; ; {
			items, next := read(query)
			if len(items) > 1 || len(parts) > len(whole) {
				t.Fatalf("%s: a part of %d, %d so far", list, len(items), len(parts))
			}
			if parts = append(parts, items...); next == "" {
				break
			}
			query = "?limit=1&after=" + next
		}
		if fmt.Sprint(parts) != fmt.Sprint(whole) {
			t.Errorf("%s: the parts are %s, the whole is %s", list, parts, whole)
		}
		for _, bad := range []string{"?limit=0", "?limit=1001", "?limit=x", "?after=nothing"} {
			if status, text := r.ask("GET", list+bad, ""); status != http.StatusUnprocessableEntity {
				t.Errorf("GET %s: status %d: %.200s", list+bad, status, text)
			}
		}
	}
}
