package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/workdir"
)

// described is a part of the description of the routes.
type described struct {
	Paths      map[string]map[string]operation
	Components struct{ Schemas map[string]schema }
}

type operation struct {
	OperationID string
	Parameters  []struct {
		Name, In, Description string
		Schema                schema
	}
	RequestBody struct {
		Content map[string]struct{ Schema schema }
	}
}

type schema struct {
	Ref              string `json:"$ref"`
	Type             any
	Properties       map[string]schema
	Required         []string
	Items            *schema
	Minimum, Maximum *float64
	MinLength        int
	MaxLength        int
	MaxItems         int
}

// of resolves a reference.
func (d described) of(s schema) schema {
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		return d.Components.Schemas[name]
	}
	return s
}

func (s schema) is(kind string) bool {
	return strings.Contains(fmt.Sprint(s.Type), kind)
}

// right is a small value that the schema takes.
func (d described) right(s schema) any {
	s = d.of(s)
	switch {
	case s.is("object"):
		out := map[string]any{}
		for _, name := range s.Required {
			out[name] = d.right(s.Properties[name])
		}
		return out
	case s.is("array"):
		return []any{}
	case s.is("string"):
		return strings.Repeat("x", max(1, s.MinLength))
	case s.is("boolean"):
		return false
	case s.Minimum != nil:
		return *s.Minimum
	}
	return 1
}

// wrongs are values that the schema does not take, as JSON.
func (d described) wrongs(s schema) (all []string) {
	s = d.of(s)
	for kind, value := range map[string]string{"object": `{"a": 1}`, "array": `[[[1]]]`, "string": `"\u0000x"`, "boolean": `true`, "number": `-1e308`} {
		if !s.is(kind) && (kind != "number" || !s.is("integer")) {
			all = append(all, value)
		}
	}
	if s.is("integer") || s.is("number") {
		all = append(all, `1e999`, `-1`, `"1"`, `01`, `0x10`, `NaN`, `Infinity`, `1_000`, `.5`, `5.`, `--1`, `+1`)
		if s.Maximum != nil {
			all = append(all, fmt.Sprint(*s.Maximum+1), `99999999999999999999`)
		}
	}
	if s.is("integer") {
		all = append(all, `1.5`, `9223372036854775808`, `1e30`)
	}
	if s.is("string") {
		all = append(all, "\"\xff\xfe\"", `"\ud800"`, `"\x00"`, "\"a\nb\"", `'a'`, `a`, `"\u00"`)
		if s.MaxLength > 0 && s.MaxLength < 1<<20 {
			all = append(all, `"`+strings.Repeat("é", s.MaxLength+1)+`"`)
		}
		if s.MinLength > 0 {
			all = append(all, `""`)
		}
	}
	if s.is("array") && s.MaxItems > 0 {
		all = append(all, `[`+strings.Repeat(`"x",`, s.MaxItems)+`"x"]`)
	}
	if s.is("array") && s.Items != nil {
		for _, w := range d.wrongs(*s.Items) {
			all = append(all, "["+w+"]")
		}
	}
	if s.is("object") && s.Properties != nil {
		all = append(all, d.bodies(s)...)
	}
	return all
}

// bodies are wrong bodies: each has one property that is wrong.
func (d described) bodies(s schema) (all []string) {
	right, _ := d.right(s).(map[string]any)
	with := func(leave, more string) string {
		out := []string{}
		for name, v := range right {
			if name != leave {
				text, _ := json.Marshal(v)
				out = append(out, fmt.Sprintf("%q: %s", name, text))
			}
		}
		if more != "" {
			out = append(out, more)
		}
		return "{" + strings.Join(out, ", ") + "}"
	}
	for name, p := range s.Properties {
		for _, w := range d.wrongs(p) {
			all = append(all, with(name, fmt.Sprintf("%q: %s", name, w)))
		}
		value, _ := json.Marshal(d.right(p))
		all = append(all, with(name, fmt.Sprintf("%q: %s, %q: %s", name, value, name, value)), with(name, fmt.Sprintf("%q: %s", strings.ToUpper(name), value)))
	}
	for _, name := range s.Required {
		if all = append(all, with(name, "")); !s.Properties[name].is("null") { // what may be left out may be null
			all = append(all, with(name, fmt.Sprintf("%q: null", name)))
		}
	}
	return append(all, with("", `"nobody": 1`), with("", `"__proto__": {}`), with("", `"": 1`))
}

// wholes are bodies that are no JSON object of any kind.
func wholes() map[string]string {
	return map[string]string{
		"empty": "", "null": "null", "a list": "[]", "a text": `"x"`, "a number": "5", "half": `{"text": "x`, "two": `{} {}`, "a tail": `{} x`, "a comma": `{"a": 1,}`,
		"a comment": `{/* */}`, "BOM": "\ufeff{}", "UTF-16": "\xff\xfe{\x00}\x00", "NUL": "\x00", "gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00", "a form": "text=x&why=x",
		"zip":  "PK\x03\x04\x14\x00",
		"deep": strings.Repeat("[", 1<<17), "deep objects": strings.Repeat(`{"a":`, 1<<16) + "1" + strings.Repeat("}", 1<<16), "latin-1": "{\"text\": \"\xe9t\xe9\", \"why\": \"\xe9\", \"prompt\": \"\xe9\"}",
		"YAML": "text: x\nwhy: x\n", "XML": `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>`,
	}
}

// request is a request to a route.
type request struct {
	what, method, path, query, body string
	header                          map[string]string
	may                             bool // it may be answered well
}

// walk lists wrong requests to a route about a project. None of them changes anything.
func (d described) walk(method, path string, op operation, ids map[string]string) (all []request) {
	place := func(change map[string]string) string {
		at := path
		for name, v := range ids {
			if c, ok := change[name]; ok {
				v = c
			}
			at = strings.Replace(at, "{"+name+"}", v, 1)
		}
		return at
	}
	method = strings.ToUpper(method)
	reads := method == http.MethodGet
	body := op.RequestBody.Content["application/json"]
	raw := len(op.RequestBody.Content) > 0 && body.Schema.Ref == ""
	right := ""
	if body.Schema.Ref != "" {
		data, _ := json.Marshal(d.right(body.Schema))
		right = string(data)
	}
	add := func(r request) {
		if r.method == "" {
			r.method = method
		}
		if r.path == "" {
			r.path = place(nil)
		}
		all = append(all, r)
	}
	for _, p := range op.Parameters {
		switch p.In {
		case "path":
			for _, id := range []string{
				"..", ".", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc%2fpasswd", "..%2f..%2fetc", "%00", "a%00b", strings.Repeat("a", 4096), "%f0%9f%8e%ac", "%ff%fe", "%e2%80%ae", "'%20OR%201=1--", "%0d%0aX:%20y",
				"a%5cb", "-", "*", "%3Cscript%3E", "%7B%7Bid%7D%7D", "true", "0", "%2Fetc%2Fpasswd", "", "%20", ".koda%2fstate.json", "~", "con",
			} {
				add(request{what: p.Name + " " + id, path: place(map[string]string{p.Name: id}), body: right, header: map[string]string{"If-Match": "*"}})
			}
		case "query":
			values := []string{"%ff", "%00"}
			if p.Schema.is("integer") || p.Schema.is("number") {
				values = append(values, "x", "-1", "1e999", "NaN", "Inf", "0x10", "1_0", "%20%201", "99999999999999999999", "true", "1,2", "%D9%A1")
			}
			if p.Schema.MaxLength > 0 {
				values = append(values, strings.Repeat("a", p.Schema.MaxLength+1))
			}
			if p.Schema.Maximum != nil {
				values = append(values, fmt.Sprint(*p.Schema.Maximum+1))
			}
			for _, v := range values {
				add(request{what: "query " + p.Name, query: p.Name + "=" + v, body: right})
			}
			add(request{what: "query twice", query: p.Name + "=1&" + p.Name + "=2", body: right})
		case "header":
			for _, v := range []string{strings.Repeat("x", 300), "\xff\xfe", "é", `"`, "..", "-1", "99999999999999999999", "1; DROP TABLE", "W/\"a\"", "0x1", " 1 1"} {
				add(request{what: "header " + p.Name + ": " + v, header: map[string]string{p.Name: v}, body: right, may: p.Name != "Last-Event-ID" && p.Name != "If-Match"})
			}
		}
	}
	for _, q := range []string{"nobody=1", "%zz", "a=%", "wait=%zz", ";", "=", "limit=1;after=2"} {
		add(request{what: "query " + q, query: q, body: right})
	}
	for _, m := range []string{"PATCH", "TRACE", "BREW", "get", "PROPFIND", "M-SEARCH"} {
		add(request{what: "method " + m, method: m, body: right})
	}
	for _, tail := range []string{"/", "//", "/..", "/./x", "/nothing", "%2f", "?x"} {
		add(request{what: "path and " + tail, path: place(nil) + tail, body: right, header: map[string]string{"If-Match": `"x"`}})
	}
	for _, token := range []string{"", "Bearer", "Bearer ", "Basic eDp5", "Bearer a b", "bearer\tx", "Bearer " + strings.Repeat("a", 8000), "Bearer \xff", "Bearer ü", "Bearer koda_", "Digest x", "Bearer ' OR 1=1", "Bearer ../../x"} {
		add(request{what: "token " + token, header: map[string]string{"Authorization": token}, body: right})
	}
	for name, values := range map[string][]string{
		"Host": {"evil.example", "localhost:1", "[::1", "\xff", "127.0.0.1.evil.example"}, "Origin": {"https://evil.example", "null", "http://[", "\x80"},
	} {
		for _, v := range values {
			add(request{what: name + " " + v, header: map[string]string{name: v}, body: right})
		}
	}
	if reads { // what else there is in a head may be left unseen
		for name, values := range map[string][]string{
			"Range":  {"bytes=9999999999-", "bytes=5-1", "bytes=-", "bytes=a-b", "bytes=0-0,0-0,0-0", "bytes=" + strings.Repeat("0-0,", 5000) + "0-0", "chars=0-1", "bytes=-99999999999999999999", "\xff", "bytes=1-9223372036854775808"},
			"Accept": {"text/html", "application/cbor", "*", "\xff", "image/*;q=2", strings.Repeat("a/b,", 2000)}, "If-None-Match": {"\xff", `"`, "*x"}, "If-Modified-Since": {"never"}, "If-Range": {"\xff"},
			"Cookie": {"koda=x; koda=y", "\xff", "koda=" + strings.Repeat("a", 5000)}, "Accept-Encoding": {"\xff"}, "Upgrade": {"websocket"}, "Content-Type": {"\xff"}, "Idempotency-Key": {"a b"},
			"Sec-WebSocket-Key": {"x"}, "Connection": {"upgrade"},
		} {
			for _, v := range values {
				if strings.HasSuffix(path, "/events") {
					continue // a stream would go on
				}
				add(request{what: name + " " + v, header: map[string]string{name: v}, may: true})
			}
		}
		return all
	}
	for _, key := range []string{" ", "a b", "é", "\xff", strings.Repeat("k", 256)} {
		add(request{what: "key " + key, header: map[string]string{"Idempotency-Key": key}, body: right, query: "nobody=1"})
	}
	if body.Schema.Ref == "" && !raw {
		return all
	}
	for _, c := range []string{"gzip", "br", "identity, gzip", "x", "zstd"} {
		add(request{what: "Content-Encoding " + c, header: map[string]string{"Content-Encoding": c}, body: right})
	}
	if raw {
		for what, text := range wholes() {
			if op.RequestBody.Content["application/gzip"].Schema.Type != nil {
				add(request{what: "body " + what, body: text})
			}
		}
		return all
	}
	for _, c := range []string{"text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=latin-1", "application/json; charset=utf-16", "json", ";", "\xff", "application/cbor", "application/json;"} {
		add(request{what: "Content-Type " + c, header: map[string]string{"Content-Type": c}, body: right, may: c == "application/json;", query: "nobody=1"})
	}
	for what, text := range wholes() {
		add(request{what: "body " + what, body: text})
	}
	for _, text := range d.bodies(d.of(body.Schema)) {
		add(request{what: "body " + text, body: text})
	}
	return all
}

// inner are words that only koda's own people understand, that say where it runs, or that name
// what only a command line has.
var inner = regexp.MustCompile("`koda (?:show|list|new|edit|accept|answer|resume|cancel|history) ?|process [0-9]|--(?:name|duration|preset|style)|" + `goroutine|\.go:|runtime error|panic|strconv\.|json: |reflect\.|/root/|/tmp/|/proc/|\*serve\.|sql: |SQLITE|huma|nil pointer`)

// complaint is what is wrong with the answer to a wrong request, and the answer; "" if nothing
// is.
func (r *servedRun) complaint(q request, status int, head http.Header, body string) string {
	var p struct {
		Type, Title, Detail, Code, Hint string
		Status                          int
	}
	kind := head.Get("Content-Type")
	why := ""
	switch found := inner.FindString(body); {
	case status < 400 && q.may:
		return ""
	case status < 400, status >= 500:
		why = fmt.Sprint("status ", status)
	case strings.Contains(body, r.dir):
		why = "it names a directory"
	case found != "":
		why = "it says " + found
	case kind != "application/problem+json":
		why = "its type is " + kind
	case json.Unmarshal([]byte(body), &p) != nil || p.Status != status || p.Type != "about:blank" || p.Title == "" || p.Detail == "":
		why = "it is no problem detail"
	case !aCode.MatchString(p.Code):
		why = "it has no code"
	case p.Hint == "":
		why = "it has no hint"
	case len(body) > 4096:
		why = "it is long"
	default:
		return ""
	}
	return fmt.Sprintf("%s\n%.300s", why, body)
}

var aCode = regexp.MustCompile(`^[A-Z_]+$`)

// wrong sends a wrong request, and returns what is wrong with the answer.
func (r *servedRun) wrong(q request) string {
	req := &http.Request{
		Method: q.method, URL: &url.URL{Scheme: "http", Host: r.host(), Opaque: q.path, RawQuery: q.query}, Host: r.host(), Header: http.Header{}, ContentLength: int64(len(q.body)),
		Body: io.NopCloser(strings.NewReader(q.body)),
	}
	if q.body == "" {
		req.Body = http.NoBody
	}
	req.Header.Set("Authorization", "Bearer "+r.secret)
	req.Header.Set("Content-Type", "application/json")
	for name, v := range q.header {
		if name == "Host" {
			req.Host = v
		} else if req.Header[name] = []string{v}; v == "" {
			req.Header.Del(name)
		}
	}
	client := &http.Client{Transport: r.client.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute) // a stream that should not have begun
	defer cancel()
	res, err := client.Do(req.WithContext(ctx))
	if err != nil {
		return fmt.Sprintf("no answer\n%v", err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return fmt.Sprintf("half an answer\n%v", err)
	}
	return r.complaint(q, res.StatusCode, res.Header, string(data))
}

// TestServe_wrong sends wrong requests to every route that is described: wrong types, sizes,
// encodings, names, ranges, methods and tokens. Each answer is a problem detail with a code and
// a hint, none names what is inside koda or where it runs, and nothing changes.
func TestServe_wrong(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.env = append(r.env, "KODA_SERVE_WRITES=none")
	r.begin()
	p := r.stands(http.StatusCreated, "POST", "/api/projects?wait=60", `{"prompt": "bouncing ball"}`)
	must(t, os.WriteFile(r.dir+"/bouncing-ball/public-note.txt", []byte("a note"), 0o644))
	_, before := r.ask("GET", "/api/projects/"+p.ID, "")
	_, files := r.ask("GET", "/api/projects/"+p.ID+"/files", "")
	var d described
	_, text := r.ask("GET", "/api/openapi.json", "")
	must(t, json.Unmarshal([]byte(text), &d))
	var all []request
	for path, methods := range d.Paths {
		for method, op := range methods {
			all = append(all, d.walk(method, path, op, map[string]string{"id": p.ID, "turn": p.ID + "-t1", "path": "public-note.txt"})...)
		}
	}
	r.tries(t, len(d.Paths), all)
	r.refuses("/api/projects/"+p.ID, "question", "accept {}", "redo {}", "checkout {\"version\": 1}", "message {\"text\": \"x\"}", "cancel {}", "renders {}", "answer {}", "answer {\"option\": \"nobody\"}")
	for _, body := range []string{`{"prompt": "ball", "duration": 0.01}`, `{"prompt": "ball", "duration": 3600}`, `{"prompt": "ball", "name": "bouncing-ball"}`, `{"prompt": "ball", "presets": ["imax"]}`, `{"prompt": "ball", "recipe": "nope"}`, `{"prompt": "  "}`} {
		if c := r.wrong(request{method: http.MethodPost, path: "/api/projects", body: body}); c != "" {
			t.Errorf("a project %s: %s", body, c)
		}
	}
	release := r.holds("bouncing-ball")
	r.refuses("/api/projects/"+p.ID, "somebody else's work", `answer {"option": "playful"}`)
	release()
	if _, after := r.ask("GET", "/api/projects/"+p.ID, ""); after != before {
		t.Errorf("the project stands elsewhere: %s, before: %s", after, before)
	}
	if _, after := r.ask("GET", "/api/projects/"+p.ID+"/files", ""); after != files || r.projects() != 1 {
		t.Errorf("%d projects; the files are %s, before: %s", r.projects(), after, files)
	}
}

// holds takes the lock of a project, as another process at work does.
func (r *servedRun) holds(name string) (release func()) {
	r.t.Helper()
	free, err := (&workdir.Storage{Now: time.Now}).Lock(filepath.Join(r.dir, name))
	must(r.t, err)
	return func() { must(r.t, free()) }
}

// refuses asks for what cannot be done where a project stands: a route below its path and a
// body each.
func (r *servedRun) refuses(path, where string, asks ...string) {
	r.t.Helper()
	for _, one := range asks {
		route, body, _ := strings.Cut(one, " ")
		if c := r.wrong(request{method: http.MethodPost, path: path + "/" + route, body: body}); c != "" {
			r.t.Errorf("%s at %s: %s", one, where, c)
		}
	}
}

// tries sends wrong requests, some at a time, and tells which were answered wrongly.
func (r *servedRun) tries(t *testing.T, paths int, all []request) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	kinds, bad := map[string][]string{}, 0
	next := make(chan request)
	for range 8 {
		wg.Go(func() {
			for q := range next {
				if c := r.wrong(q); c != "" {
					mu.Lock()
					bad++
					why, answer, _ := strings.Cut(c, "\n")
					kinds[why] = append(kinds[why], fmt.Sprintf("%s %.100s?%.60s: %.100q: %s", q.method, q.path, q.query, q.what, answer))
					mu.Unlock()
				}
			}
		})
	}
	for _, q := range all {
		next <- q
	}
	close(next)
	wg.Wait()
	for _, c := range slices.Sorted(maps.Keys(kinds)) {
		t.Errorf("%s\n    %d times, as in %s", c, len(kinds[c]), strings.Join(kinds[c][:min(4, len(kinds[c]))], "\n    "))
	}
	t.Logf("%d wrong requests to %d paths, %d answered wrongly", len(all), paths, bad)
}
