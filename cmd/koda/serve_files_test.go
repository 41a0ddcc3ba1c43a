package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// send sends a body with headers, and returns status, headers and body.
func (r *servedRun) send(method, path, body string, header ...string) (int, http.Header, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	must(r.t, err)
	req.Header.Set("Authorization", "Bearer "+r.secret)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	must(r.t, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	must(r.t, err)
	return res.StatusCode, res.Header, string(data)
}

// logo is a small picture.
func logo(t *testing.T) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 40, 40))
	for i := range 1600 {
		m.Set(i%40, i/40, color.RGBA{uint8(i), 80, 200, 255})
	}
	var b bytes.Buffer
	must(t, png.Encode(&b, m))
	return b.String()
}

// TestServe_assets: pictures come with a brief or to a project, in a body or a form; what they
// are, their content says; and nothing gets out of the project.
func TestServe_assets(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	brief, err := json.Marshal(map[string]any{"prompt": "bouncing ball", "duration": 2, "assets": []map[string]string{{"name": "../../logo.png", "data": base64.StdEncoding.EncodeToString([]byte(logo(t)))}}})
	must(t, err)
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", string(brief))
	path := "/api/projects/" + p.ID
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "sound.wav")
	must(t, err)
	_, err = part.Write([]byte("RIFF\x08\x00\x00\x00WAVEfmt "))
	must(t, err)
	must(t, w.Close())
	if status, _, body := r.send("POST", path+"/assets", form.String(), "Content-Type", w.FormDataContentType()); status != http.StatusCreated || !strings.Contains(body, `"public/audio/sound.wav"`) {
		t.Errorf("a form: status %d: %s", status, body)
	}
	for _, want := range []string{"logo-2.svg", "logo-2.svg"} { // the same content is the same asset
		_, _, _ = r.send("POST", path+"/assets?name=logo.svg", "<svg/>")
		if status, _, body := r.send("POST", path+"/assets?name=logo.svg", `<svg onload="alert(1)"></svg>`, "Content-Type", "image/svg+xml"); status != http.StatusCreated || !strings.Contains(body, want) {
			t.Errorf("an SVG: status %d: %s", status, body)
		}
	}
	if status, _, body := r.send("GET", path+"/assets", ""); status != http.StatusOK || strings.Count(body, `"path"`) != 4 || !strings.Contains(body, "public/images/logo.png") {
		t.Errorf("the list: status %d: %s", status, body)
	}
	status, head, body := r.send("GET", path+"/files/public/images/logo.png", "")
	if status != http.StatusOK || body != logo(t) || head.Get("Content-Type") != "image/png" || head.Get("Content-Disposition") != "" || len(head.Get("ETag")) != 66 {
		t.Errorf("the picture: status %d, %v", status, head)
	}
	if _, head, _ = r.send("GET", path+"/files/public/images/logo-2.svg", ""); head.Get("Content-Type") != "image/svg+xml" || !strings.HasPrefix(head.Get("Content-Disposition"), "attachment") || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("an SVG is answered with %v", head)
	}
	for name, bad := range map[string]struct {
		query, body, kind, says string
	}{
		"no name":        {"", "x", "", "no name"},
		"a program":      {"?name=a.exe", "MZ", "", "no kind koda can use"},
		"damaged":        {"?name=a.png", "\x89PNG\r\n\x1a\n", "", "damaged"},
		"empty":          {"?name=a.png", "", "", "is empty"},
		"only dots":      {"?name=../..", "x", "", "name"},
		"a zero byte":    {"?name=a%00.png", "x", "", "name"},
		"no file":        {"", "--x\r\n\r\n--x--\r\n", "multipart/form-data; boundary=x", "no part"},
		"no boundary":    {"", "x", "multipart/form-data", "no part"},
		"a form cut off": {"", form.String()[:form.Len()/2], w.FormDataContentType(), "no part"},
	} {
		status, _, body := r.send("POST", path+"/assets"+bad.query, bad.body, "Content-Type", bad.kind)
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, bad.says) || strings.Contains(body, r.dir) || strings.Contains(body, "/tmp") {
			t.Errorf("%s: status %d: %s", name, status, body)
		}
	}
	if status, _, body := r.send("POST", path+"/assets?name=a.txt", strings.Repeat("x", 33<<20)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("too long: status %d: %s", status, body)
	}
	if status, _, body := r.send("DELETE", path+"/files/public/images/logo-2.svg", "", "If-Match", "*"); status != http.StatusNoContent {
		t.Errorf("delete: status %d: %s", status, body)
	}
	if status, _, _ := r.send("GET", path+"/files/public/images/logo-2.svg", ""); status != http.StatusNotFound {
		t.Errorf("deleted: status %d", status)
	}
}

// TestServe_writes: a file is changed over HTTP as by hand. Of writers at the same time one
// wins, and no other overwrites it; the next step makes the change a version of the person.
func TestServe_writes(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball", "duration": 2}`)
	path := "/api/projects/" + p.ID
	r.stands(http.StatusOK, "POST", path+"/answer?wait=60", `{"option": "playful"}`)
	r.stands(http.StatusOK, "POST", path+"/accept?wait=300", `{}`)
	file := path + "/files/src/App.tsx"
	_, head, text := r.send("GET", file, "")
	tag := head.Get("ETag")
	for name, tt := range map[string]struct {
		at     string
		header []string
		want   int
	}{
		"without a tag":   {file, nil, http.StatusPreconditionRequired},
		"another tag":     {file, []string{"If-Match", `"` + strings.Repeat("0", 64) + `"`}, http.StatusPreconditionFailed},
		"only if new":     {file, []string{"If-None-Match", "*"}, http.StatusPreconditionFailed},
		"gone":            {path + "/files/src/None.tsx", []string{"If-Match", tag}, http.StatusPreconditionFailed},
		"a video":         {path + "/files/renders/x.mp4", []string{"If-Match", "*"}, http.StatusUnprocessableEntity},
		"koda's own":      {path + "/files/.koda/state.json", []string{"If-Match", "*"}, http.StatusUnprocessableEntity},
		"outside":         {path + "/files/%2e%2e/%2e%2e/x", nil, http.StatusUnprocessableEntity},
		"a directory":     {path + "/files/src", nil, http.StatusUnprocessableEntity},
		"below a file":    {file + "/x.ts", nil, http.StatusUnprocessableEntity},
		"a hidden file":   {path + "/files/src/.env", nil, http.StatusUnprocessableEntity},
		"another package": {path + "/files/node_modules/x.js", nil, http.StatusUnprocessableEntity},
	} {
		if status, _, body := r.send("PUT", tt.at, "x", tt.header...); status != tt.want || strings.Contains(body, r.dir) {
			t.Errorf("%s: status %d, want %d: %s", name, status, tt.want, body)
		}
	}
	if _, _, now := r.send("GET", file, ""); now != text {
		t.Fatal("the file was changed")
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	got := map[int]int{}
	for i := range 8 {
		all.Go(func() {
			status, _, _ := r.send("PUT", file, text+strings.Repeat("\n// by hand", i+1), "If-Match", tag)
			mu.Lock()
			defer mu.Unlock()
			got[status]++
		})
	}
	all.Wait()
	if got[http.StatusOK] != 1 || got[http.StatusPreconditionFailed] != 7 {
		t.Errorf("writers at the same time: %v", got)
	}
	if status, head, body := r.send("PUT", path+"/files/src/more.ts", "export const more = 1\n"); status != http.StatusCreated || len(head.Get("ETag")) != 66 {
		t.Errorf("a new file: status %d: %s", status, body)
	}
	if status, body := r.ask("POST", path+"/renders?wait=300", `{"preset": "preview"}`); status != http.StatusOK {
		t.Fatalf("a render: status %d: %s", status, body)
	}
	_, versions := r.ask("GET", path+"/versions", "")
	var list struct {
		Versions []struct {
			Author         string
			Added, Changed []string
		}
	}
	must(t, json.Unmarshal([]byte(versions), &list))
	last := list.Versions[len(list.Versions)-1]
	if len(list.Versions) != 2 || last.Author != "you" || strings.Join(last.Added, " ") != "src/more.ts" || strings.Join(last.Changed, " ") != "src/App.tsx" {
		t.Errorf("the versions are %s", versions)
	}
	// A change that does not build is refused by the step that would draw it, and is kept.
	_, head, _ = r.send("GET", file, "")
	if status, _, body := r.send("PUT", file, "this is no code", "If-Match", head.Get("ETag")); status != http.StatusOK {
		t.Errorf("no code: status %d: %s", status, body)
	}
	if status, body := r.ask("POST", path+"/renders?wait=300", `{}`); status < 400 || !strings.Contains(body, "BUILD_FAILED") || strings.Contains(body, r.dir) {
		t.Errorf("a render of no code: status %d: %s", status, body)
	}
}
