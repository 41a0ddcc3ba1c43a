package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// servedRun is a home, and the server that runs there.
type servedRun struct {
	t      testing.TB
	dir    string
	env    []string
	url    string
	secret string
	server *exec.Cmd
	client *http.Client // of the clients that follow
	args   []string     // of the server
	port   string       // "" is any
	change func(*exec.Cmd)

	mu  sync.Mutex
	log strings.Builder // what the server said after it began
}

// said is what servers said after they began.
func (r *servedRun) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.String()
}

// Write implements io.Writer.
func (r *servedRun) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(b)
}

var (
	listensAt = regexp.MustCompile(`koda listens at (\S+)`)
	itsToken  = regexp.MustCompile(`koda_[\w-]+`)
)

func newServedRun(t testing.TB) *servedRun {
	t.Helper()
	needs.FFmpeg(t)
	r := &servedRun{t: t, dir: t.TempDir(), client: &http.Client{Transport: &http.Transport{}}}
	home := filepath.Join(r.dir, ".home")
	must(t, os.MkdirAll(home, 0o755))
	r.env = append(os.Environ(), asKoda+"=1", "HOME="+home, "KODA_HOME="+filepath.Join(r.dir, ".koda-home"), "XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
	return r
}

// koda runs a command to its end.
func (r *servedRun) koda(args ...string) string {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("koda %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// begin starts a server.
func (r *servedRun) begin(env ...string) {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"serve", "--port", cmp.Or(r.port, "0")}, r.args...)...)
	cmd.Dir, cmd.Env = r.dir, append(slices.Clone(r.env), env...)
	if r.change != nil {
		r.change(cmd)
	}
	said, err := cmd.StderrPipe()
	must(r.t, err)
	must(r.t, cmd.Start())
	r.server = cmd
	lines := bufio.NewReader(said)
	for r.url, r.secret = "", ""; r.secret == ""; {
		line, err := lines.ReadString('\n')
		if err != nil {
			r.t.Fatalf("the server ended: %q, %v", line, err)
		}
		if m := listensAt.FindStringSubmatch(line); m != nil {
			r.url = m[1]
		}
		if r.url != "" {
			r.secret = itsToken.FindString(line)
		}
	}
	go func() { _, _ = io.Copy(r, lines) }()
	r.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// ask sends a request and returns the status and the body.
func (r *servedRun) ask(method, path, body string, secrets ...string) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	must(r.t, err)
	secret := r.secret
	if len(secrets) > 0 {
		secret = secrets[0]
	}
	if req.Header.Set("Content-Type", "application/json"); secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	res, err := http.DefaultClient.Do(req)
	must(r.t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	must(r.t, err)
	return res.StatusCode, string(data)
}

// stands asks, and reads where the project stands afterwards.
func (r *servedRun) stands(want int, method, path, body string) (s served) {
	r.t.Helper()
	status, text := r.ask(method, path, body)
	if err := json.Unmarshal([]byte(text), &s); err != nil || status != want {
		r.t.Fatalf("%s %s: status %d, want %d: %s, %v", method, path, status, want, text, err)
	}
	if strings.Contains(text, r.dir) {
		r.t.Errorf("%s %s names a directory of this machine: %s", method, path, text)
	}
	return s
}

type served struct {
	ID, Phase, Waiting, Preview string
	Seq                         int64
	Output                      struct{ Video, SHA256 string }
}

// follower reads the events of a project, over servers that come and go.
type follower struct {
	mu   sync.Mutex
	seqs []int64
	text strings.Builder
	last chan struct{} // closed once a final video is there
}

// read reads the events of one server until it ends.
func (f *follower) read(r *servedRun, project string) error {
	f.mu.Lock()
	after := int64(0)
	if len(f.seqs) > 0 {
		after = f.seqs[len(f.seqs)-1]
	}
	f.mu.Unlock()
	req, err := http.NewRequest(http.MethodGet, r.url+"/api/nodes/"+project+"/events", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+r.secret)
	req.Header.Set("Last-Event-ID", strconv.FormatInt(after, 10))
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		f.mu.Lock()
		f.text.WriteString(lines.Text() + "\n")
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			n, err := strconv.ParseInt(id, 10, 64)
			if err != nil {
				return err
			}
			f.seqs = append(f.seqs, n)
		}
		if lines.Text() == "event: "+string(koda.EventOutput) {
			close(f.last)
		}
		f.mu.Unlock()
	}
	return nil
}

// TestServe makes a whole project by HTTP alone. The server is killed while the final video
// is made; the next one goes on with it, and who follows the project misses no event and gets
// none twice.
func TestServe(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball", "duration": 2, "presets": ["square"]}`)
	if p.Waiting != "answer" {
		t.Fatalf("a new project: %+v", p)
	}
	path := "/api/projects/" + p.ID
	p = r.stands(http.StatusOK, "POST", path+"/answer?wait=60", `{"option": "playful"}`)
	r.refuses(path, "plan", `answer {"option": "playful"}`, "redo {}", `checkout {"version": 1}`, "renders {}")
	p = r.stands(http.StatusOK, "POST", path+"/edit?wait=60", `{"text": "make it green"}`)
	p = r.stands(http.StatusOK, "POST", path+"/accept?wait=300", `{}`)
	if p.Waiting != "preview" || p.Preview == "" {
		t.Fatalf("the plan is accepted: %+v", p)
	}
	r.refuses(path, "preview", `answer {"option": "playful"}`, "redo {}", `checkout {"version": 9}`, `message {"text": "x"}`, "cancel {}", `renders {"resolution": "huge"}`, `renders {"from": 9}`)
	if status, body := r.ask("GET", p.Preview, ""); status != http.StatusOK || len(body) < 1000 {
		t.Errorf("the preview: status %d, %d bytes", status, len(body))
	}
	must(t, r.server.Process.Signal(os.Interrupt)) // a server that ends loses nothing either
	if err := r.server.Wait(); err != nil && r.server.ProcessState.ExitCode() != 130 {
		t.Errorf("the server ended with %v", err)
	}

	f := &follower{last: make(chan struct{})}
	r.begin("KODA_FAILPOINT=render.frame") // the server is killed in the middle of the frames
	followed := make(chan error, 1)
	go func() { followed <- f.read(r, p.ID) }()
	if status, body := r.ask("POST", path+"/accept", `{}`); status != http.StatusAccepted {
		t.Fatalf("accept: status %d: %s", status, body)
	}
	if err := r.server.Wait(); r.server.ProcessState.ExitCode() != -1 {
		t.Fatalf("the server was not killed: %v", err)
	}
	must(t, <-followed)
	r.begin()
	go func() { followed <- f.read(r, p.ID) }()
	<-f.last
	p = r.stands(http.StatusOK, "GET", path+"?wait=60", "")
	if p.Phase != "complete" || p.Output.Video == "" {
		t.Fatalf("after the restart: %+v", p)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, seq := range f.seqs {
		if seq != int64(i)+1 {
			t.Fatalf("event %d came where %d was due: %v", seq, i+1, f.seqs)
		}
	}
	if strings.Contains(f.text.String(), r.dir) {
		t.Error("the events name a directory of this machine")
	}
	r.ranges(p.Output.Video)
	r.further(path)
}

// ranges gets a video whole and in parts.
func (r *servedRun) ranges(path string) {
	r.t.Helper()
	_, whole := r.ask("GET", path, "")
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.url+path, nil)
	must(r.t, err)
	req.Header.Set("Authorization", "Bearer "+r.secret)
	req.Header.Set("Range", "lines=1-2") // a unit that is not known asks for nothing
	all, err := http.DefaultClient.Do(req)
	must(r.t, err)
	must(r.t, all.Body.Close())
	if all.StatusCode != http.StatusOK || all.ContentLength != int64(len(whole)) {
		r.t.Errorf("lines of the video: status %d, %d bytes of %d", all.StatusCode, all.ContentLength, len(whole))
	}
	req.Header.Set("Range", "bytes=100-199")
	res, err := http.DefaultClient.Do(req)
	must(r.t, err)
	defer res.Body.Close()
	part, err := io.ReadAll(res.Body)
	must(r.t, err)
	if res.StatusCode != http.StatusPartialContent || len(whole) < 200 || !bytes.Equal(part, []byte(whole[100:200])) || res.Header.Get("Content-Type") != "video/mp4" {
		r.t.Errorf("a range of the video: status %d, %d bytes of %d, %s", res.StatusCode, len(part), len(whole), res.Header.Get("Content-Type"))
	}
}

// further looks at what else can be asked of a finished project.
func (r *servedRun) further(path string) {
	t := r.t
	t.Helper()
	if status, body := r.ask("POST", path+"/renders?wait=300", `{"resolution": "360p", "format": "gif", "to": 0.5}`); status != http.StatusOK {
		t.Errorf("a render: status %d: %s", status, body)
	}
	for sub, want := range map[string]string{
		"/renders": "-360p", "/versions": `"number":1`, "/turns": `"kind":"edit"`, "/messages": "make it green", "/files": `"index.html"`,
	} {
		if status, body := r.ask("GET", path+sub, ""); status != http.StatusOK || !strings.Contains(body, want) || strings.Contains(body, r.dir) {
			t.Errorf("GET %s: status %d: %.500s", sub, status, body)
		}
	}
	for _, bad := range []string{"/files/.koda/state.json", "/files/../../etc/passwd", "/files/%2e%2e/%2e%2e/x", "/files/nope.mp4", "/files/src", "/files//etc/passwd"} {
		if status, body := r.ask("GET", path+bad, ""); status != http.StatusNotFound {
			t.Errorf("GET %s: status %d: %.300s", bad, status, body)
		}
	}
	r.refuses(path, "complete", `answer {"option": "playful"}`, "accept {}", `reject {"why": "x"}`, "redo {}", `checkout {"version": 9}`, `message {"text": "x"}`, "cancel {}")
	if status, body := r.ask("DELETE", path, ""); status != http.StatusNoContent {
		t.Errorf("delete: status %d: %s", status, body)
	}
	if status, _ := r.ask("GET", path, ""); status != http.StatusNotFound {
		t.Errorf("a deleted project: status %d", status)
	}
}

// TestServe_tokens walks every route with every wrong token: nothing of another user's can be
// seen, changed or guessed.
func TestServe_tokens(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.koda("user", "add", "anna")
	theirs := r.koda("token", "new", "--user", "anna", "--write")
	reads := r.koda("token", "new")
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball"}`)
	other := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "title \"Hi\""}`)
	bound := r.koda("token", "new", other.ID, "--write")
	revoked := r.koda("token", "new", "--write", "--json")
	var made struct {
		Payload struct {
			Token  struct{ ID string }
			Secret string
		}
	}
	must(t, json.Unmarshal([]byte(revoked), &made))
	r.koda("token", "revoke", made.Payload.Token.ID)

	var api struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	_, text := r.ask("GET", "/api/openapi.json", "")
	must(t, json.Unmarshal([]byte(text), &api))
	count := 0
	for route, methods := range api.Paths {
		for method := range methods {
			method = strings.ToUpper(method)
			path := strings.NewReplacer("{id}", p.ID, "{turn}", p.ID+"-t1", "{path}", "koda.json").Replace(route)
			for _, wrong := range []string{"", "koda_" + strings.Repeat("A", 43), made.Payload.Secret, r.secret[:len(r.secret)-1], reads + "x"} {
				if status, body := r.ask(method, path, "{}", wrong); status != http.StatusUnauthorized {
					t.Errorf("%s %s with the token %q: status %d: %.200s", method, path, wrong, status, body)
				}
				count++
			}
			if method != http.MethodGet && !strings.HasSuffix(route, "/sync/read") { // which only reads
				if status, body := r.ask(method, path, "{}", reads); status != http.StatusForbidden {
					t.Errorf("%s %s with a token that reads: status %d: %.200s", method, path, status, body)
				}
			}
			if !strings.Contains(route, "{id}") {
				continue
			}
			for _, foreign := range []string{theirs, bound} {
				_, unknown := r.ask(method, strings.Replace(path, p.ID, "000000000000", 1), `{"why":"x","text":"x","version":1}`, foreign)
				status, body := r.ask(method, path, `{"why":"x","text":"x","version":1}`, foreign)
				if status != http.StatusNotFound || body != unknown {
					t.Errorf("%s %s with a token of others: status %d: %.200s", method, path, status, body)
				}
				count++
			}
		}
	}
	// The addresses that are not described: those of agents, of Prometheus, and of people.
	for _, one := range []string{"POST /mcp", "GET /mcp", "DELETE /mcp", "GET /metrics", "GET /", "GET /projects/" + p.ID, "GET /nothing"} {
		method, path, _ := strings.Cut(one, " ")
		for _, wrong := range []string{"", "koda_" + strings.Repeat("A", 43), made.Payload.Secret, r.secret[:len(r.secret)-1], reads + "x"} {
			if status, body := r.ask(method, path, "{}", wrong); status != http.StatusUnauthorized || strings.Contains(body, p.ID) && path != "/projects/"+p.ID {
				t.Errorf("%s with the token %q: status %d: %.200s", one, wrong, status, body)
			}
			count++
		}
	}
	for _, foreign := range []string{theirs, bound} {
		if status, body := r.ask("GET", "/projects/"+p.ID, "", foreign); status != http.StatusNotFound || strings.Contains(body, "bouncing") {
			t.Errorf("the page of a project of others: status %d: %.200s", status, body)
		}
		if status, body := r.ask("GET", "/", "", foreign); status != http.StatusOK || strings.Contains(body, p.ID) {
			t.Errorf("the page of projects: status %d: %.200s", status, body)
		}
		if status, body := r.ask("GET", "/metrics", "", foreign); status != http.StatusForbidden {
			t.Errorf("the numbers of all: status %d: %.200s", status, body)
		}
		count += 3
	}
	if _, list := r.ask("GET", "/api/projects", "", theirs); !strings.Contains(list, `"projects":[]`) {
		t.Errorf("anna sees %s", list)
	}
	if _, list := r.ask("GET", "/api/projects", "", bound); strings.Contains(list, p.ID) || !strings.Contains(list, other.ID) {
		t.Errorf("a token of one project sees %s", list)
	}
	if status, _ := r.ask("POST", "/api/projects", `{"prompt": "x"}`, bound); status != http.StatusForbidden {
		t.Errorf("a token of one project begins another: status %d", status)
	}
	mine := r.stands(http.StatusOK, "GET", "/api/projects/"+p.ID, "")
	if mine.Waiting != "answer" {
		t.Errorf("the project stands elsewhere: %+v", mine)
	}
	t.Log(fmt.Sprint(count, " wrong requests refused"))
}

// TestServe_pages: a person enters with the address that was printed, sees their projects only,
// and what a prompt says is text on every page.
func TestServe_pages(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	jar, err := cookiejar.New(nil)
	must(t, err)
	browser := &http.Client{Jar: jar}
	get := func(path string) (int, string, http.Header) {
		res, err := browser.Get(r.url + path)
		must(t, err)
		defer res.Body.Close()
		data, err := io.ReadAll(res.Body)
		must(t, err)
		return res.StatusCode, string(data), res.Header
	}
	for _, path := range []string{"/", "/projects/123", "/?token=wrong"} {
		if status, body, _ := get(path); status != http.StatusUnauthorized || !strings.Contains(body, "asks for a token") {
			t.Errorf("GET %s: status %d: %s", path, status, body)
		}
	}
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "title \"<script>alert(1)</script>\""}`)
	status, body, head := get("/?token=" + r.secret)
	if status != http.StatusOK || !strings.Contains(body, `href="/projects/`+p.ID) || strings.Contains(body, "<script>alert") {
		t.Errorf("the projects: status %d: %s", status, body)
	}
	if csp := head.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("the policy of content is %q", csp)
	}
	status, body, _ = get("/projects/" + p.ID)
	if status != http.StatusOK || strings.Count(body, `/answer"`) < 3 || strings.Contains(body, "<script>alert") || strings.Contains(body, r.dir) {
		t.Errorf("the project: status %d: %s", status, body)
	}
	for _, path := range []string{"/web/koda.js", "/web/koda.css"} {
		if status, _, _ := get(path); status != http.StatusOK {
			t.Errorf("GET %s: status %d", path, status)
		}
	}
	// A page of another origin does nothing with the cookie of the person.
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/api/projects/"+p.ID+"/answer", strings.NewReader(`{"option":"playful"}`))
	must(t, err)
	req.Header.Set("Origin", "https://evil.example")
	res, err := browser.Do(req)
	must(t, err)
	must(t, res.Body.Close())
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("from another origin: status %d", res.StatusCode)
	}
	if mine := r.stands(http.StatusOK, "GET", "/api/projects/"+p.ID, ""); mine.Waiting != "answer" {
		t.Errorf("the project stands elsewhere: %+v", mine)
	}
}
