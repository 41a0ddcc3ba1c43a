package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServe_everywhere: a server at every address of the machine prints an address that leads
// to it, and is called by addresses, but by no name that a page may lead elsewhere.
func TestServe_everywhere(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.args = []string{"--host", "0.0.0.0"}
	r.begin()
	if status, body := r.ask("GET", "/api/projects", ""); status != http.StatusOK {
		t.Errorf("at %s: status %d: %s", r.url, status, body)
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(r.url, "http://"), ":")
	for host, want := range map[string]int{
		"localhost:" + port: http.StatusOK, "198.51.100.7:" + port: http.StatusOK, "[2001:db8::1]:" + port: http.StatusOK,
		"198.51.100.7:1": http.StatusMisdirectedRequest, "evil.example:" + port: http.StatusMisdirectedRequest, "198.51.100.7.evil.example:" + port: http.StatusMisdirectedRequest,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/api/projects", nil)
		must(t, err)
		req.Host = host
		req.Header.Set("Authorization", "Bearer "+r.secret)
		res, err := http.DefaultClient.Do(req)
		must(t, err)
		must(t, res.Body.Close())
		if res.StatusCode != want {
			t.Errorf("called %s: status %d, want %d", host, res.StatusCode, want)
		}
	}
}

// TestServe_deletes: what is deleted while the server works on it ends, and leaves nothing: a
// project by its user, and a user with all that is theirs. Who followed is cut off.
func TestServe_deletes(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.koda("user", "add", "anna")
	theirs := r.koda("token", "new", "--user", "anna", "--write")
	r.begin()
	works := func(prompt, secret string) (p served) {
		t.Helper()
		status, text := r.ask("POST", "/api/projects", fmt.Sprintf(`{"prompt": "title \"%s\", 30 seconds", "yes": true}`, prompt), secret)
		if err := json.Unmarshal([]byte(text), &p); err != nil || status != http.StatusAccepted {
			t.Fatalf("status %d: %s", status, text)
		}
		return p
	}
	mine := works("Mine", r.secret)
	f, followed := &follower{last: make(chan struct{})}, make(chan error, 1)
	go func() { followed <- f.read(r, mine.ID) }()
	if status, body := r.ask("DELETE", "/api/projects/"+mine.ID, ""); status != http.StatusNoContent {
		t.Fatalf("my project: status %d: %s", status, body)
	}
	must(t, <-followed)
	kept := works("Kept", r.secret)
	works("Zanzibar", theirs)
	r.koda("user", "delete", "anna", "--yes")
	if status, _ := r.ask("GET", "/api/projects", "", theirs); status != http.StatusUnauthorized {
		t.Errorf("the token of a deleted user: status %d", status)
	}
	for name, want := range map[string]bool{"title-mine": false, "title-zanzibar": false, "title-kept": true} {
		if _, err := os.Stat(filepath.Join(r.dir, name)); os.IsNotExist(err) == want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	if _, list := r.ask("GET", "/api/projects", ""); r.projects() != 1 || !strings.Contains(list, kept.ID) {
		t.Errorf("after all that: %s", list)
	}
}
