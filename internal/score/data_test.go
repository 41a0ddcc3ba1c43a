package score_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/theatre"
)

// numbered are n rows with the values 1 to n.
func numbered(n int) string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"label":"Row %d","value":%d}`, i+1, i+1)
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// TestData: recipes that show data say what they show, add up what is too much, and
// refuse in one sentence what they cannot show.
func TestData(t *testing.T) {
	t.Parallel()
	lib, err := recipe.Load(os.DirFS(filepath.Join("..", "..", "templates", "recipes")))
	if err != nil {
		t.Fatal(err)
	}
	type set = map[string]string
	for recipeName, cases := range map[string][]struct {
		set  set
		want string // in what is told of the score, or in its refusal
	}{
		"bars": {
			{set{}, "There is no data to show"},
			{set{"rows": numbered(1)}, "A bar grows: Row 1 1."},
			{set{"rows": numbered(40)}, "40 bars grow"},
			{set{"rows": numbered(10000)}, "There are 10000 rows; the 39 largest are shown and the other 9961 are added up"},
			{set{"rows": `[{"value":-3},{"label":"b","value":0}]`}, "2 bars grow: -3, b 0."},
			{set{"rows": numbered(3), "sort": "down"}, "3 bars grow: Row 3 3, Row 2 2, Row 1 1."},
			{set{"rows": `[{"label":"revenue","value":1200000,"unit":"$"},{"label":"churn","value":2.3,"unit":"%"}]`}, "2 numbers run up together: revenue 1200000 $ and churn 2.3 %."},
			{set{"rows": `[{"label":"a","value":1,"unit":"km"},{"label":"b","value":2,"unit":"km"}]`}, "2 bars grow"},
		},
		"line": {
			{set{"rows": numbered(10000)}, "There are 10000 values; every 34 neighbours are shown as their mean."},
			{set{"rows": `[{"label":"2023","value":4099999.9999999995}]`}, "2023 4100000."},
		},
		"pie": {
			{set{"rows": numbered(24)}, "the 9 largest are shown"},
			{set{"rows": `[{"label":"a","value":-1}]`}, "a is -1, and a part of a whole cannot be negative"},
			{set{"rows": `[{"label":"a","value":0}]`}, "all parts are 0"},
			{set{"rows": numbered(3)}, "A pie with 3 parts"},
			{set{"rows": numbered(3), "form": "donut"}, "A ring with 3 parts"},
		},
		"counter": {
			{set{"percent": "40"}, "from 0 to 40"},
			{set{"to": "73", "form": "ring"}, "A ring fills to 73 %."},
			{set{"rows": `[{"label":"users","value":8431},{"label":"churn","value":2.3,"unit":"%"}]`}, "users 8431 and churn 2.3 %"},
		},
		"countdown": {
			{set{}, "count down from 10 to 1"},
			{set{"from": "1", "to": "5"}, "count up from 1 to 5"},
			{set{"from": "300"}, "count down from 5:00 to 0:01"},
			{set{"from": "100"}, "count down from 100 to 1"},
			{set{"from": "3600", "to": "0"}, "run down in 60 s of video"},
			{set{"text": "Go!", "duration": "5"}, `"Go!"`},
			{set{"text": "Go!", "duration": "3.5"}, `"Go!"`}, // no whole number of frames
		},
		"clock": {
			{set{"from": "9:00", "to": "5:00"}, "from 9:00 to 5:00"},
			{set{"from": "25:00"}, `"25:00" is no time of the day`},
			{set{"to": "soon"}, `"soon" is no time of the day`},
		},
		"code": {
			{set{"code": "a\nb"}, `"a b"`},
			{set{}, "there is no code to show"},
			{set{"code": "a\nb", "mark": "4"}, `the code has lines 1 to 2, and "4" is none of them`},
			{set{"code": strings.Repeat("long ", 1999)}, "Code is typed"},
		},
		"terminal": {
			{set{"text": "$ ls\na.txt\n$ cat a.txt"}, `"ls" and "cat a.txt"`},
			{set{}, "there is no command to type"},
		},
		"changelog": {
			{set{"rows": `[{"group":"Added","item":"New **thing** ([#12](https://example.com))","version":"2.0"},{"group":"Fixed","item":"Old","version":"1.0"}]`}, `"New thing"`},
			{set{"items": `["a","b"]`, "title": "v2.4"}, `The line above "Release notes"`},
			{set{"items": `["a","b"]`, "version": "2.4", "locale": "de-DE"}, `The line above "Änderungen"`},
			{set{"items": `["a","b"]`, "title": "What's new"}, `"a" and "b"`},
			{set{"rows": `[{"item":"a","version":"1.0"}]`, "version": "3"}, "the changelog has no version 3"},
			{set{}, "there are no changes to show"},
			{set{"items": `["offline mode"]`, "fixed": `["login loop"]`, "title": "v3"}, `"login loop"`},
		},
		"headline": {
			{set{"text": "Hi", "color": "#e5343d"}, "texts are red #e5343d"},
			{set{"text": "Hi", "color": "#808080"}, "texts are grey #808080"},
			{set{"text": "Hi", "color": "#e5343d", "background": "#ffffff"}, "texts are red #e5343d"}, // 4.2 is enough for large letters
			{set{"text": "Hi", "color": "#ffffff", "background": "#f5f5dc"}, "Letters #ffffff on #f5f5dc cannot be read: they are drawn #"},
		},
		"greeting": {
			{set{"tint": "#e5343d", "accent": "#17181c"}, "The background is black #17181c"},
			{set{"tint": "#ffd700", "background": "#00008b"}, "texts are yellow #ffd700"},
		},
		"orbit": {
			{set{}, "8 planets go round the sun: Mercury,"},
			{set{}, "texts are white"}, // on the ground of its scene, not on that of the style
			{set{"background": "#ffffff"}, "The background is white #ffffff"},
			{set{"what": "atom", "electrons": "1", "loop": "true"}, "An electron goes round a nucleus."},
			{set{"planets": "[]"}, "there are no planets to show"},
		},
	} {
		m := lib.Manifest(recipeName)
		script := compiled(t, lib, recipeName)
		for i, c := range cases {
			for _, style := range m.StyleIDs() {
				t.Run(fmt.Sprintf("%s/%d/%s", recipeName, i, style), func(t *testing.T) {
					t.Parallel()
					if got := told(t, m, script, style, c.set); !strings.Contains(got, c.want) {
						t.Errorf("%v\nis told as %q\nwant %q in it", c.set, got, c.want)
					}
				})
			}
		}
	}
}

// told is all that a score says for people. The score is checked as an author does it.
func told(t *testing.T, m *recipe.Manifest, script, style string, set map[string]string) string {
	t.Helper()
	values := m.Defaults(style)
	values["style"] = style
	for name, said := range set {
		value, err := m.Param(name).Parse(said, hex{})
		if err != nil {
			t.Fatal(err)
		}
		values[name] = value
	}
	s, err := runner.Run(t.Context(), script, m.ScoreParams(values), recipe.Env{FPS: 25, Width: 1280, Height: 720}, true)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Refused) > 0 {
		return s.Refused[0].Message
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	theatre.New(s.Motion, koda.FPS{Num: 25, Den: 1}).Encode()
	all := s.Said
	for _, scene := range s.Scenes {
		all = append(all, scene.Description)
	}
	return strings.Join(all, "\n")
}
