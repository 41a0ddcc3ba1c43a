package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/serve"
)

// delivered is what a webhook was told.
type delivered struct {
	id, at, signature string
	body              []byte
}

// hookServer listens as a webhook does, and answers with the statuses in turn.
func hookServer(t *testing.T, statuses ...int) (url string, heard chan delivered) {
	heard = make(chan delivered, 100)
	answers := make(chan int, len(statuses))
	for _, s := range statuses {
		answers <- s
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		status := http.StatusNoContent
		select {
		case status = <-answers:
		default:
		}
		w.Header().Set("Location", "http://"+r.Host+"/elsewhere")
		w.WriteHeader(status)
		heard <- delivered{r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp"), r.Header.Get("Webhook-Signature"), body}
	}))
	t.Cleanup(s.Close)
	return s.URL, heard
}

// TestServe_webhooks: who wants to know is told, signed, of videos that are done and of work
// that failed, again after a failure and by the next server; and no address inside is reached.
func TestServe_webhooks(t *testing.T) {
	inServers(t)
	t.Parallel()
	const secret = "a secret of sixteen"
	r := newServedRun(t)
	all, heardAll := hookServer(t)
	one, heard := hookServer(t, http.StatusInternalServerError)
	r.begin("KODA_WEBHOOK_PRIVATE=on", "KODA_WEBHOOK="+all, "KODA_WEBHOOK_SECRET=another secret of koda")
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=300", `{"prompt": "bouncing ball", "duration": 2, "presets": ["square"], "yes": true, "webhook": {"url": "`+one+`", "secret": "`+secret+`"}}`)
	path := "/api/projects/" + p.ID
	first := <-heard // and it did not take it
	must(t, r.server.Process.Kill())
	_ = r.server.Wait()
	r.begin("KODA_WEBHOOK_PRIVATE=on", "KODA_WEBHOOK="+all, "KODA_WEBHOOK_SECRET=another secret of koda")
	again := <-heard
	if again.id != first.id || string(again.body) != string(first.body) {
		t.Errorf("told again: %s %s, first %s %s", again.id, again.body, first.id, first.body)
	}
	if want := "v1," + serve.Sign(secret, again.id, again.at, again.body); again.signature != want {
		t.Errorf("signed %s, want %s", again.signature, want)
	}
	var body struct {
		Event   string
		Project served
		Render  struct{ Video, Status string }
		Error   struct{ Code string }
	}
	must(t, json.Unmarshal(again.body, &body))
	if body.Event != "done" || body.Project.ID != p.ID || body.Project.Output.Video == "" || strings.Contains(string(again.body), r.dir) {
		t.Errorf("told %s", again.body)
	}
	got := <-heardAll
	q1 := got.id
	if !strings.Contains(string(got.body), `"event":"done"`) || got.signature == again.signature {
		t.Errorf("the webhook of the settings is told %s", got.body)
	}
	// A render by itself, which fails, tells its own webhook too; a redirect is a failure.
	render, heardRender := hookServer(t, http.StatusTemporaryRedirect)
	_, head, text := r.send("GET", path+"/files/src/App.tsx", "")
	if status, _, _ := r.send("PUT", path+"/files/src/App.tsx", text+"\nthrow new Error('no page')", "If-Match", head.Get("ETag")); status != http.StatusOK {
		t.Fatalf("the page: status %d", status)
	}
	if status, got := r.ask("POST", path+"/renders?wait=300", `{"format": "gif", "webhook": {"url": "`+render+`/hook", "secret": "`+secret+`"}}`); status < 400 {
		t.Fatalf("a page that throws: status %d: %s", status, got)
	}
	for _, c := range []chan delivered{heardRender, heard, heardAll, heardRender} {
		got := <-c
		for got.id == again.id || strings.HasPrefix(got.id, q1) { // of the server that was killed before it could note that it told it
			got = <-c
		}
		must(t, json.Unmarshal(got.body, &body))
		if body.Event != "failed" || body.Error.Code == "" || strings.Contains(string(got.body), r.dir) {
			t.Errorf("told %s", got.body)
		}
	}
	for name, bad := range map[string]string{
		"no URL": `{"url": "x", "secret": "` + secret + `"}`, "another scheme": `{"url": "file:///etc/passwd", "secret": "` + secret + `"}`,
		"a name and a password": `{"url": "http://a:b@example.org", "secret": "` + secret + `"}`, "no secret": `{"url": "http://example.org"}`,
		"a short one": `{"url": "http://example.org", "secret": "x"}`, "not base64": `{"url": "http://example.org", "secret": "whsec_!!!!!!!!!!!!!!!!"}`,
	} {
		if status, got := r.ask("POST", path+"/renders", `{"webhook": `+bad+`}`); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", name, status, got)
		}
	}
	// Without the setting nothing inside is reached, by whatever name.
	must(t, r.server.Process.Kill())
	_ = r.server.Wait()
	r.begin()
	for _, inside := range []string{one, "http://[::1]:1/", "http://169.254.169.254/latest"} {
		if status, got := r.ask("POST", path+"/renders", `{"webhook": {"url": "`+inside+`", "secret": "`+secret+`"}}`); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d: %s", inside, status, got)
		}
	}
	byName := strings.Replace(one, "127.0.0.1", "localhost", 1)
	q := r.stands(http.StatusCreated, "POST", "/api/projects?wait=300", `{"prompt": "bouncing ball", "duration": 2, "presets": ["square"], "yes": true, "webhook": {"url": "`+byName+`", "secret": "`+secret+`"}}`)
	for !strings.Contains(r.said(), "is given up") {
		r.ask("GET", "/api/projects/"+q.ID, "")
	}
	if len(heard) > 0 {
		t.Errorf("reached: %s", (<-heard).body)
	}
}
