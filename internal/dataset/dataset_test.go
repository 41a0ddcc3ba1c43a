package dataset_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/dataset"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const base = `{"schema": 1, "styles": [{"id": "plain", "label": "Plain", "description": "plain", "words": {}}], "params": [
	{"name": "style", "type": "choice", "default": "plain", "choices": {"plain": {}}, "help": "look"},
	{"name": "duration", "type": "number", "auto": true, "default": "auto", "help": "length"}]}`

func param(name, kind, rest string) string {
	return fmt.Sprintf(`{"name": %q, "type": %q, "help": "it", %s}`, name, kind, rest)
}

// invented are recipes that koda does not have.
var invented = map[string][]string{
	"chart": {
		param("title", "text", `"default": "", "takes": ["text"]`),
		param("rows", "rows", `"default": [], "max": 500, "takes": ["rows"], "columns": [{"name": "label", "type": "text"}, {"name": "value", "type": "number", "required": true}]`),
		param("currency", "text", `"default": "", "takes": ["currency"]`),
		param("unit", "text", `"default": "", "takes": ["percent.sign"]`),
	},
	"points": {
		param("title", "text", `"default": ""`),
		param("items", "texts", `"default": [], "max": 60, "takes": ["list"]`),
	},
	"log": {
		param("title", "text", `"default": ""`),
		param("entries", "rows", `"default": [], "max": 60, "takes": ["rows"], "columns": [{"name": "version", "type": "text"}, {"name": "date", "type": "text"}, {"name": "group", "type": "text"}, {"name": "item", "type": "text", "required": true}]`),
	},
	"tinted": {
		param("rows", "rows", `"default": [], "takes": ["rows"], "columns": [{"name": "label", "type": "text"}, {"name": "value", "type": "number", "required": true}, {"name": "color", "type": "color"}, {"name": "unit", "type": "text"}]`),
	},
	"slides": {
		param("slides", "rows", `"default": [], "takes": ["rows"], "columns": [{"name": "picture", "type": "file", "required": true}, {"name": "caption", "type": "text"}]`),
	},
	"film": {
		param("session", "file", `"default": "", "takes": ["recording"]`),
		param("length", "number", `"default": 1, "takes": ["recording.seconds"]`),
		param("title", "text", `"default": "", "takes": ["subtitle"]`),
	},
	"beats": {
		param("beats", "rows", `"default": [], "max": 60, "takes": ["rows"], "columns": [{"name": "scene", "type": "text"}, {"name": "text", "type": "text"}, {"name": "items", "type": "text"}, {"name": "seconds", "type": "number"}]`),
	},
}

// manifest is an invented recipe.
func manifest(t *testing.T, name string) *recipe.Manifest {
	t.Helper()
	text := fmt.Sprintf(`{"schema": 1, "name": %q, "title": "It", "about": "It.", "base": "ground", "examples": ["it"], "params": [%s]}`, name, strings.Join(invented[name], ","))
	l, err := recipe.Load(recipe.FS(map[string]string{name + "/recipe.json": text, "ground/base.json": base, name + "/score.ts": ""}))
	if err != nil {
		t.Fatal(err)
	}
	m := l.Manifest(name)
	if m == nil {
		t.Fatalf("no recipe %s", name)
	}
	return m
}

// recipeFor is the invented recipe that fits a shape.
var recipeFor = map[string]string{
	"rows": "chart", "rows.share": "chart", "series": "chart", "list": "points", "markdown": "log", "beats": "beats", "recording": "film",
}

// said is an error as people see it.
func said(err error) string {
	return fmt.Sprintf("error %s: %v\nhint: %s\n", koda.CodeOf(err), err, koda.HintOf(err))
}

// tell is all that is read from a file.
func tell(t *testing.T, folder, name string, data []byte) string {
	t.Helper()
	s, err := dataset.Read(name, data)
	if err != nil {
		return said(err)
	}
	again, err := dataset.Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	shapes := again.Shapes()
	fmt.Fprintln(&b, "shapes:", strings.Join(shapes, " "))
	if s.Recipe != "" {
		fmt.Fprintln(&b, "recipe:", s.Recipe)
	}
	m := manifest(t, "chart")
	if len(shapes) > 0 && name != "survey.csv" && (filepath.Ext(name) != ".csv" || folder == "good") {
		m = manifest(t, recipeFor[shapes[0]])
	}
	again.Reduce("")
	values, notes, err := again.Fill(m, "", nil)
	if err != nil {
		return b.String() + said(err)
	}
	for i := range m.Params {
		p := &m.Params[i]
		value, ok := values[p.Name]
		if !ok {
			continue
		}
		value, err := p.Parse(value, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&b, "%s:", p.Name)
		var items []json.RawMessage
		if (p.Type == recipe.Rows || p.Type == recipe.Texts) && json.Unmarshal([]byte(value), &items) == nil {
			for n, item := range items {
				if n == 8 {
					fmt.Fprintf(&b, "\n  … %d in all", len(items))
					break
				}
				fmt.Fprintf(&b, "\n  %s", item)
			}
			b.WriteByte('\n')
			continue
		}
		fmt.Fprintln(&b, "", value)
	}
	for _, n := range notes {
		fmt.Fprintln(&b, "note:", n)
	}
	return b.String()
}

func TestFiles(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"good", "bad"} {
		files, err := filepath.Glob("testdata/" + folder + "/*")
		if err != nil {
			t.Fatal(err)
		}
		golden := "testdata/" + folder + ".txt"
		var got strings.Builder
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := tell(t, folder, filepath.Base(file), data)
			fmt.Fprintf(&got, "== %s\n%s\n", filepath.Base(file), text)
			if isError := strings.Contains(text, "error "); isError != (folder == "bad") {
				t.Errorf("%s: %s", file, text)
			}
			if strings.Count(text, "error USAGE: ") != strings.Count(text, "error ") || strings.Contains(text, "hint: \n") {
				t.Errorf("%s: an error is USAGE with a hint:\n%s", file, text)
			}
		}
		if *update {
			if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", golden, diff)
		}
	}
}

// rowsOf are the rows that a recipe gets of a file, and the notes.
func rowsOf(t *testing.T, data, prompt string) (rows []map[string]any, notes []string) {
	t.Helper()
	s, err := dataset.Read("big.csv", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	s.Reduce(prompt)
	if len(s.Encode()) > 200_000 {
		t.Errorf("a brief gets %d bytes", len(s.Encode()))
	}
	values, notes, err := s.Fill(manifest(t, "chart"), prompt, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(values["rows"]), &rows); err != nil {
		t.Fatal(err)
	}
	return rows, notes
}

func TestManyRowsBecomeFew(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, header string
		row          func(i int) string
		prompt       string
		rows         int
		first        map[string]any
		note         string
	}{
		{
			"one label often", "order,country,amount,tax", func(i int) string { return fmt.Sprintf("A%d,%c,2,1", i, 'A'+i%4) }, "", 4,
			map[string]any{"label": "A", "value": 10000.0}, "The 20000 rows of big.csv are added up by country: 4 rows.",
		},
		{
			"a named column", "order,country,amount,tax", func(i int) string { return fmt.Sprintf("A%d,%c,2,1", i, 'A'+i%4) }, "bars of the tax by country", 4,
			map[string]any{"label": "A", "value": 5000.0}, "The 20000 rows of big.csv are added up by country: 4 rows.",
		},
		{
			"in time", "time,load", func(i int) string { return fmt.Sprintf("2024-01-01 10:00:00.%05d,%d", i, i) }, "", 500,
			map[string]any{"label": "2024-01-01 10:00:00.00000", "value": 19.5}, "Of the 20000 rows of big.csv, every 20 neighbours are shown as their mean.",
		},
		{
			"the largest", "city,people", func(i int) string { return fmt.Sprintf("C%d,%d", i, i) }, "", 500,
			map[string]any{"label": "C19501", "value": 19501.0}, "Of the 20000 rows of big.csv, the 999 largest are shown; the others are added up as Other.",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			fmt.Fprintln(&b, test.header)
			for i := range 20_000 {
				fmt.Fprintln(&b, test.row(i))
			}
			rows, notes := rowsOf(t, b.String(), test.prompt)
			if len(rows) != test.rows {
				t.Fatalf("%d rows, want %d: %v", len(rows), test.rows, notes)
			}
			if diff := cmp.Diff(test.first, rows[0]); diff != "" {
				t.Error(diff)
			}
			if len(notes) == 0 || notes[0] != test.note {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	_, err := dataset.Read("big.csv", make([]byte, 100<<20))
	if err == nil || !strings.Contains(err.Error(), "big.csv: 100 MB are too much: at most 16 MB are read") || koda.HintOf(err) == "" {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 4096 {
			f.Add(filepath.Ext(file), data)
		}
	}
	f.Fuzz(func(t *testing.T, ending string, data []byte) {
		s, err := dataset.Read("x"+ending, data)
		for _, name := range []string{"chart", "points", "log", "beats"} {
			if err != nil {
				break
			}
			s.Reduce("")
			m := manifest(t, name)
			values, _, wrong := s.Fill(m, "name", nil)
			if wrong != nil && (koda.CodeOf(wrong) != koda.CodeUsage || koda.HintOf(wrong) == "") {
				t.Fatal(wrong)
			}
			if text := values["rows"]; text != "" && s.Members == nil && !json.Valid([]byte(text)) {
				t.Fatal(text)
			}
		}
		if err != nil && (koda.CodeOf(err) != koda.CodeUsage || koda.HintOf(err) == "") {
			t.Fatal(err)
		}
	})
}

// TestDetails: what is about a number, such as its colour or unit, is found by its name
// only and where it holds that; pictures are found by what they look like.
func TestDetails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ recipe, table, want string }{
		{"tinted", "name,city,sold\nAda,Rome,3\nBob,Oslo,4", `[{"label":"Ada","value":3},{"label":"Bob","value":4}]`},
		{"tinted", "name,sold,color,unit\nAda,3,red,km\nBob,4,#123456,mi", `[{"label":"Ada","value":3,"color":"red","unit":"km"},{"label":"Bob","value":4,"color":"#123456","unit":"mi"}]`},
		{"tinted", "color,units\nrose gold,3\nmidnight,4", `[{"label":"rose gold","value":3},{"label":"midnight","value":4}]`},
		{"slides", "place,file\nRome,a.jpg\nOslo,b.PNG", `[{"picture":"a.jpg","caption":"Rome"},{"picture":"b.PNG","caption":"Oslo"}]`},
		{"slides", "place,picture\nRome,nice\nOslo,cold", `no column holds the names of pictures; there are "place", "picture"`},
	} {
		s, err := dataset.Read("it.csv", []byte(c.table))
		if err != nil {
			t.Fatal(err)
		}
		values, _, err := s.Fill(manifest(t, c.recipe), "", nil)
		got := values["rows"] + values["slides"]
		if err != nil {
			got = err.Error()
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%q as %s:\n%s\nwant\n%s", c.table, c.recipe, got, c.want)
		}
	}
}
