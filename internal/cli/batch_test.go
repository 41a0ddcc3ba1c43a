package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
)

func TestBatchOutputs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rows, output string
		want         []string // the files below the directory; for the usage error, a part of the error
		bad          bool
	}{
		{`[{"title": "a"}, {"title": "b"}]`, "{title}-{index}.mp4", []string{"a-1.mp4", "b-2.mp4"}, false},
		{"{\"n\": 1.50}\n{\"n\": true}\n", "{name}-{n}", []string{"demo-1.50.mp4", "demo-true.mp4"}, false},
		{`{"name": "Zoë Ball"}`, "{name}.mp4", []string{"Zoë Ball.mp4"}, false},
		{`[{}, {}, {}]`, "", []string{"demo-1.mp4", "demo-2.mp4", "demo-3.mp4"}, false},
		{`[{"a": 1}]`, "{b}.mp4", []string{`row 1 has no field "b"`}, true},
		{`[{"a": 1}, {"a": 1}]`, "{a}.mp4", []string{"rows 1 and 2 would both be"}, true},
		{`[{"a": "../x"}]`, "{a}.mp4", []string{`"a" of row 1 cannot be part of a file name`}, true},
		{`[{"a": "x\ny"}]`, "{a}.mp4", []string{"cannot be part of a file name"}, true},
		{`[{"a": []}]`, "{a}.mp4", []string{"cannot be part of a file name"}, true},
		{`[{}, 7]`, "{index}.mp4", []string{"row 2 is not an object"}, true},
		{`[{}, null]`, "{index}.mp4", []string{"row 2 is not an object"}, true},
		{`[]`, "{index}.mp4", []string{"there are no rows"}, true},
		{``, "{index}.mp4", []string{"there are no rows"}, true},
		{"{\"a\": 1}\n{\"a\": ", "{index}.mp4", []string{"row 2"}, true},
		{"title,colour\nHello,red\n", "{index}.mp4", []string{"rows.json, line 1: this is no JSON"}, true},
		{`"a"`, "{index}.mp4", []string{"it holds no table and no JSON objects"}, true},
		{`[{"a": 1}`, "{index}.mp4", []string{"unexpected end of JSON input"}, true},
		{"\n\n[{\"a\": 1},\n{\"a\": 2},\n]\n", "{index}.mp4", []string{"line 5: invalid character ']'"}, true},
		{"[{\"a\": 1}, // first\n{}]", "{index}.mp4", []string{"line 1: invalid character '/'"}, true},
		{`{"a": 1} [{"a": 2}]`, "{index}.mp4", []string{"row 2 is not an object"}, true},
		{"  \n\t", "{index}.mp4", []string{"there are no rows"}, true},
		{"\xef\xbb\xbf{\"a\": 1}", "{a}.mp4", []string{"1.mp4"}, false},
		{strings.Repeat("{}\n", 10_001), "{index}.mp4", []string{"there are 10001 rows, more than 10000"}, true},
		{`[{}]`, "rows.json/{index}.mp4", []string{"rows.json is not a directory"}, true},
		{`[{}]`, "no/such/{index}.mp4", []string{"no/such/1.mp4"}, false},
		{`[{}]`, "{index}.{index}", []string{"1.1.mp4"}, false},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		file := filepath.Join(dir, "rows.json")
		write(t, file, tt.rows)
		f := newFace(t)
		status := f.run("render", page(t), "--batch", file, "--output", filepath.Join(dir, tt.output))
		if tt.bad {
			if status != 2 || !strings.Contains(f.err.String(), tt.want[0]) || !strings.Contains(f.err.String(), "hint: ") || len(f.render.specs) > 0 {
				t.Errorf("%.80s to %s: status %d: %s", tt.rows, tt.output, status, f.err.String())
			}
			continue
		}
		var got []string
		for _, s := range f.render.specs {
			got = append(got, strings.TrimPrefix(s.Output, dir+"/"))
		}
		if d := cmp.Diff(tt.want, got); d != "" || status != 0 || f.out.String() != strings.Join(outputs(f.render.specs), "\n")+"\n" {
			t.Errorf("%s to %s: status %d: %s%s", tt.rows, tt.output, status, d, f.err.String())
		}
	}
}

// A table is rows, too: by its ending, or by its content.
func TestBatchOfTables(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, rows, want string }{
		{"rows.csv", "title,n,note\nHello,3,\nZoë,1.5,x\n", `{"n":3,"title":"Hello"} {"n":1.5,"note":"x","title":"Zoë"}`},
		{"rows.csv", "\ufefftitle;n\r\nHello;1,5\r\n007;2\r\n", `{"n":1.5,"title":"Hello"} {"n":2,"title":"007"}`},
		{"-", "title\tn\nHello\t3\n", `{"n":3,"title":"Hello"}`},
		{"rows.yaml", "- {title: Hello, n: 3}\n", `{"n":3,"title":"Hello"}`},
	} {
		f := newFace(t)
		f.io.In = strings.NewReader(tt.rows)
		if tt.file != "-" {
			tt.file = filepath.Join(t.TempDir(), tt.file)
			write(t, tt.file, tt.rows)
		}
		status := f.run("render", page(t), "--batch", tt.file, "--output", filepath.Join(t.TempDir(), "{title}.mp4"))
		var got []string
		for _, s := range f.render.specs {
			got = append(got, string(s.Props))
		}
		if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" || status != 0 {
			t.Errorf("%q: status %d: %s%s", tt.rows, status, d, f.err.String())
		}
	}
}

// new --batch makes one project and, of its rows, the videos; only these are printed.
func TestNewBatch(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	dir := t.TempDir()
	out := previewed()
	out.Project.Dir = page(t)
	f.engine.projects, f.engine.replies = []koda.Project{out.Project}, []reply{{out: out}}
	f.engine.render = func(s koda.RenderSpec) (koda.RenderResult, error) { return koda.RenderResult{Video: s.Output}, nil }
	f.io.In = strings.NewReader("who,n\nann,1\nbob,2\n")
	status := f.run("new", "ball", "--yes", "--batch", "-", "--preset", "square", "-o", filepath.Join(dir, "{who}.mp4"))
	if want := dir + "/ann.mp4\n" + dir + "/bob.mp4\n"; status != 0 || f.out.String() != want {
		t.Errorf("status %d, printed %q, want %q\n%s", status, f.out.String(), want, f.err.String())
	}
	if n := len(f.engine.requests); n != 1 || f.engine.requests[0].Brief.To != nil || f.engine.requests[0].Brief.Preset != "square" || !f.engine.requests[0].NoFinal {
		t.Errorf("requests: %+v", f.engine.requests)
	}
	if n := len(f.engine.specs); n != 2 || string(f.engine.specs[1].Props) != `{"n":2,"who":"bob"}` {
		t.Errorf("renders: %+v", f.engine.specs)
	}
}

func outputs(specs []koda.RenderSpec) (all []string) {
	for _, s := range specs {
		all = append(all, s.Output)
	}
	return all
}

// A bad row is left out; a broken machine ends the batch.
func TestBatchFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		codes  []koda.Code // the rows' error codes
		status int
		drawn  int
	}{
		{"one", []koda.Code{"", koda.CodePageFailed, ""}, 9, 3},
		{"all", []koda.Code{koda.CodePageFailed, koda.CodeSeekFailed}, 8, 2},
		{"machine", []koda.Code{"", koda.CodeDiskFull, ""}, 1, 2},
	}
	for _, tt := range tests {
		f := newFace(t)
		f.types(strings.Repeat(`{"color": "red"}`, len(tt.codes)))
		f.render.during = func() {
			f.render.err = nil
			if code := tt.codes[len(f.render.specs)-1]; code != "" {
				f.render.err = &koda.Error{Code: code, Op: "it broke", Hint: "mend it"}
			}
		}
		status := f.run("render", page(t), "--batch", "-", "--output", t.TempDir(), "--json")
		if status != tt.status || len(f.render.specs) != tt.drawn {
			t.Fatalf("%s: status %d after %d rows", tt.name, status, len(f.render.specs))
		}
		rows := f.result()["rows"].([]any)
		for i, code := range tt.codes {
			r := rows[i].(map[string]any)
			_, made := r["render"]
			e, failed := r["error"].(map[string]any)
			if tried := i < tt.drawn; made != (tried && code == "") || failed != (tried && code != "") || failed && e["code"] != string(code) {
				t.Errorf("%s: row %d: %v", tt.name, i+1, r)
			}
		}
		if got := string(f.render.specs[0].Props); got != `{"color": "red"}` {
			t.Errorf("%s: parameters %s", tt.name, got)
		}
	}
}

// An event tells of the begin and the end of every row, failed or not. Drawing does
// not begin for a row whose parameters the page cannot read.
func TestBatchEvents(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	f.types(`{"n": 1} {"n": 2} {"n": 3}`)
	f.deps.CheckRow = func(_ context.Context, _ fs.FS, row json.RawMessage, others []string) (json.RawMessage, error) {
		if strings.Contains(string(row), "2") {
			return nil, &koda.Error{Code: koda.CodeInvalidInput, Op: `"n" is no parameter`, Hint: "there are m"}
		}
		return json.RawMessage(`{"used": "` + strings.Join(others, " ") + `"}`), nil
	}
	f.render.during = func() {
		f.render.err = nil
		if len(f.render.specs) == 2 {
			f.render.err = &koda.Error{Code: koda.CodePageFailed, Op: "it broke"}
		}
	}
	dir := t.TempDir()
	if got := f.run("render", page(t), "--batch", "-", "--output", filepath.Join(dir, "{n}-{index}.mp4"), "--json"); got != 9 {
		t.Fatalf("status %d", got)
	}
	var told []string
	for _, e := range f.envelopes() {
		if e.Type != "ROW_UPDATE" {
			continue
		}
		if e.Seq != 0 {
			t.Errorf("a row passes as number %d", e.Seq)
		}
		var p map[string]any
		if err := json.Unmarshal(e.Payload, &p); err != nil {
			t.Fatal(err)
		}
		code := ""
		if failed, ok := p["error"].(map[string]any); ok {
			code = fmt.Sprint(failed["code"])
		}
		told = append(told, fmt.Sprint(p["row"], " of ", p["rows"], " ", p["status"], " ", filepath.Base(fmt.Sprint(p["output"])), " ", p["frames"], " ", code))
	}
	want := []string{
		"1 of 3 started 1-1.mp4 300 ", "1 of 3 done 1-1.mp4 300 ", "2 of 3 started 2-2.mp4 300 ", "2 of 3 failed 2-2.mp4 <nil> INVALID_INPUT",
		"3 of 3 started 3-3.mp4 300 ", "3 of 3 failed 3-3.mp4 <nil> PAGE_FAILED",
	}
	if d := cmp.Diff(want, told); d != "" {
		t.Error(d)
	}
	if len(f.render.specs) != 2 || string(f.render.specs[0].Props) != `{"used": "n index"}` {
		t.Errorf("drew %+v", f.render.specs)
	}
	details := f.result()["error"].(map[string]any)["details"]
	if details != "row 2: \"n\" is no parameter (there are m)\nrow 3: it broke" {
		t.Errorf("details %q", details)
	}
}

func TestBatchMissingFile(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	if got := f.run("render", page(t), "--batch", filepath.Join(t.TempDir(), "no.json")); got != 2 || !strings.Contains(f.err.String(), "no.json") {
		t.Errorf("status %d: %s", got, f.err.String())
	}
	if _, err := os.Stat("demo-1.mp4"); err == nil {
		t.Error("something was made")
	}
}
