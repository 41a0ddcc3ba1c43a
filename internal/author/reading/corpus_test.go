package reading_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/recipe"
)

// reader is a reader of koda's own recipes, with the library.
func reader(tb testing.TB) (*reading.Reader, *recipe.Library) {
	tb.Helper()
	root := filepath.Join("..", "..", "..", "templates", "recipes")
	l, err := recipe.Load(os.DirFS(root))
	if err != nil {
		tb.Fatal(err)
	}
	r, err := reading.New(os.DirFS(filepath.Join(root, "words")), l.Manifests())
	if err != nil {
		tb.Fatal(err)
	}
	return r, l
}

// cases reads a file of lines "words | what comes of them".
func cases(t *testing.T, name string) [][2]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out [][2]string
	for s := bufio.NewScanner(f); s.Scan(); {
		if line := strings.TrimSpace(s.Text()); line != "" && !strings.HasPrefix(line, "#") {
			i := strings.LastIndex(line, " | ")
			if i < 0 {
				out = append(out, [2]string{line, ""})
				continue
			}
			out = append(out, [2]string{strings.ReplaceAll(line[:i], `\n`, "\n"), line[i+3:]})
		}
	}
	return out
}

// known is what is known of every video here: five scenes, and seven bounces.
var known = reading.Known{
	Scenes: func(v recipe.Values) ([]koda.SceneStart, error) {
		var beats []struct {
			Kind string `json:"scene"`
		}
		if json.Unmarshal([]byte(v["beats"]), &beats) == nil && len(beats) > 1 { // those of a story are its rows
			var out []koda.SceneStart
			for i, b := range beats {
				out = append(out, koda.SceneStart{Title: b.Kind, Start: float64(i)})
			}
			return out, nil
		}
		return []koda.SceneStart{{Title: "Intro"}, {Title: "Loop 1", Start: 1}, {Title: "Loop 2", Start: 2}, {Title: "Loop 3", Start: 3}, {Title: "Outro", Start: 4}}, nil
	},
	Auto: map[string]string{"bounces": "7", "duration": "5", "background": "#ffd166", "color": "#3b0f46", "accent": "#d0186f"},
}

// check compares a corpus with what comes out; a quick run takes one line in eight. With KODA_UPDATE it prints the corpus as it is now.
func check(t *testing.T, name string, come func(string) string) {
	t.Helper()
	wrong, all := 0, cases(t, name)
	if testing.Short() {
		all = needs.Some(all)
	}
	for _, c := range all {
		got := come(c[0])
		if os.Getenv("KODA_UPDATE") != "" {
			fmt.Printf("%s | %s\n", strings.ReplaceAll(c[0], "\n", `\n`), got)
			continue
		}
		if got != c[1] {
			wrong++
			t.Errorf("%s\n  got  %s\n  want %s", c[0], got, c[1])
		}
	}
	t.Logf("%d of %d", len(all)-wrong, len(all))
}

// TestPrompts: what prompts come to.
func TestPrompts(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	check(t, "prompts.txt", func(prompt string) string { return request(r, prompt) })
}

// TestUnseen: what prompts come to that were written before the reader was run.
func TestUnseen(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	check(t, "unseen.txt", func(prompt string) string { return request(r, prompt) })
}

func request(r *reading.Reader, prompt string) string {
	return come(r, r.Read(reading.Brief{Prompt: prompt}))
}

func come(r *reading.Reader, q reading.Request) string {
	var out []string
	switch {
	case q.NotAnimation != "":
		return "none: " + q.NotAnimation
	case q.Recipe == nil:
		out = append(out, "unfit")
	default:
		out = append(out, q.Recipe.Name)
		style := q.Recipe.StyleIDs()[0]
		if len(q.Styles) > 0 {
			out = append(out, strings.Join(q.Styles, "+"))
			style = q.Styles[0]
		}
		v := q.Recipe.Defaults(style)
		next, notes, err := r.Apply(q.Recipe, v, q.Edits, known)
		if err != nil {
			return "error: " + err.Error() + " (" + koda.HintOf(err) + ")"
		}
		q.Notes = append(q.Notes, notes...)
		out = append(out, differences(q.Recipe, v, next)...)
	}
	if q.Width > 0 {
		out = append(out, fmt.Sprintf("frame=%dx%d", q.Width, q.Height))
	}
	if !q.FPS.IsZero() {
		out = append(out, "fps="+q.FPS.String())
	}
	if q.Loop {
		out = append(out, "looped")
	}
	if q.Transparent {
		out = append(out, "clear")
	}
	if q.Format != "" {
		out = append(out, "file="+q.Format)
	}
	if q.Missing != "" {
		out = append(out, "missing="+q.Missing)
	}
	if len(q.Left) > 0 {
		out = append(out, "left="+strings.Join(q.Left, ","))
	}
	for _, n := range q.Notes {
		out = append(out, fmt.Sprintf("note=%q", n))
	}
	return strings.Join(out, " ")
}

// differences lists the parameters that changed, in the manifest's order, then those of scenes.
func differences(m *recipe.Manifest, from, to recipe.Values) []string {
	var out []string
	names := m.ParamNames()
	for _, name := range slices.Sorted(maps.Keys(to)) {
		if _, _, own := recipe.ParseOwn(name); own {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(from)) {
		if _, ok := to[name]; !ok {
			out = append(out, "-"+name)
		}
	}
	for _, name := range names {
		if value := to[name]; value != from[name] {
			out = append(out, name+"="+plain(value))
		}
	}
	return out
}

// plain writes a value for people: rows as "Apples 30, Pears 45", lists as "a; b".
func plain(value string) string {
	var texts []string
	var rows []map[string]any
	switch {
	case json.Unmarshal([]byte(value), &texts) == nil:
		value = strings.Join(texts, "; ")
	case json.Unmarshal([]byte(value), &rows) == nil:
		var list []string
		for _, row := range rows {
			var cells []string
			for _, k := range slices.Sorted(maps.Keys(row)) {
				cells = append(cells, fmt.Sprint(row[k]))
			}
			list = append(list, strings.TrimSpace(strings.Join(cells, " ")))
		}
		value = strings.Join(list, ", ")
	}
	if value == "" || strings.ContainsAny(value, " \n") {
		return fmt.Sprintf("%q", value)
	}
	return value
}

// TestEdits: what changes come to. A line is "prompt => change | what is different".
func TestEdits(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	check(t, "edits.txt", func(line string) string { return edit(r, line) })
}

// TestEditKept: what changes leave as it is, since nobody asked for other words.
func TestEditKept(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	check(t, "edit-kept.txt", func(line string) string { return edit(r, line) })
}

// edit tells what a change makes of the video of a prompt.
func edit(r *reading.Reader, line string) string {
	prompt, said, _ := strings.Cut(line, " => ")
	q := r.Read(reading.Brief{Prompt: prompt})
	if q.Recipe == nil {
		return "unfit"
	}
	style := q.Recipe.StyleIDs()[0]
	if len(q.Styles) > 0 {
		style = q.Styles[0]
	}
	v, _, err := r.Apply(q.Recipe, q.Recipe.Defaults(style), q.Edits, known)
	if err != nil {
		return "error: " + err.Error()
	}
	c, err := r.Change(q.Recipe, v, known, said)
	if err != nil {
		return "error: " + err.Error()
	}
	out := differences(q.Recipe, v, c.Values)
	if c.Undo {
		out = append(out, "undo")
	}
	if c.Width > 0 {
		out = append(out, fmt.Sprintf("frame=%dx%d", c.Width, c.Height))
	}
	if !c.FPS.IsZero() {
		out = append(out, "fps="+c.FPS.String())
	}
	switch {
	case !c.Understood || len(out) == 0 && len(c.Left) > 0:
		out = append(out, "nothing")
	case len(out) == 0 && c.Already:
		out = append(out, "already")
	case len(out) == 0:
		out = append(out, "nothing")
	}
	if c.Refused != "" {
		out = append(out, fmt.Sprintf("refused=%q", c.Refused))
	}
	if len(c.Left) > 0 {
		out = append(out, "left="+strings.Join(c.Left, ","))
	}
	for _, n := range c.Notes {
		out = append(out, fmt.Sprintf("note=%q", n))
	}
	return strings.Join(out, " ")
}
