package score_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

func shipped(t *testing.T) *recipe.Library {
	t.Helper()
	lib, err := recipe.Load(os.DirFS(filepath.Join("..", "..", "templates", "recipes")))
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// TestStories: the stories of texts and pictures say every text, keep all of many points
// and pictures, and refuse in one sentence what they cannot show.
func TestStories(t *testing.T) {
	t.Parallel()
	lib := shipped(t)
	type set = map[string]string
	slides := func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"picture":"public/images/a.png"},`, n), ",") + "]"
	}
	for name, cases := range map[string][]struct {
		set  set
		want string
	}{
		"headline": {{set{"text": "Ship it", "subtitle": "every Friday"}, `The line below "every Friday"`}, {set{"text": "  "}, "a headline needs a text"}},
		"list": {
			{set{"items": `["fast","","free"]`, "title": "Why"}, `"fast" and "free"`},
			{set{"items": `["` + strings.Repeat(`a","`, 41) + `b"]`}, "9 points come one after another"},
			{set{}, "a list needs at least one point"},
		},
		"quote":    {{set{"text": "So it goes.", "author": "Kurt"}, `The name "— Kurt"`}, {set{}, "a quote needs its words"}},
		"greeting": {{set{"occasion": "birthday"}, `The greeting "Happy birthday!"`}, {set{"text": "Happy birthday Anna!"}, `"Happy birthday Anna!"`}},
		"promo": {
			{set{"text": "Half price", "badge": "-50%", "action": "Buy"}, `The button "Buy" appears.`}, {set{"badge": "-50%"}, `"-50%"`}, {set{}, "a promo needs a claim"},
		},
		"score": {
			{set{"text": "Full time", "sides": `[{"name":"Lions","figure":"4"},{"name":"Tigers","figure":"2"}]`, "scorers": `["Amy 9'","Zoe 30'"]`}, "Lions 4 and Tigers 2"},
			{set{"sides": `[{"name":"Lions","figure":"4"},{"name":"Tigers","figure":"2"}]`, "scorers": `["Amy 9'","Zoe 30'"]`}, "Amy 9' · Zoe 30'"},
			{set{"text": "Real Madrid 2 - 1 Barcelona, full time"}, "Real Madrid 2 and Barcelona 1"}, {set{"text": "Lions 4, Tigers 2"}, "Lions 4 and Tigers 2"}, {set{"text": "Eagles vs Wolves", "note": "88 - 79"}, "Eagles 88 and Wolves 79"}, {set{"text": "Real Madrid", "note": "2 Barcelona 1, full time"}, "Real Madrid 2 and Barcelona 1"}, {set{"text": "Lions"}, "a score needs two sides"},
		},
		"compare": {
			{set{"sides": `[{"name":"Before","figure":"4.8 s"},{"name":"After","figure":"0.9 s"}]`}, "One becomes the other: Before 4.8 s and After 0.9 s"},
			{set{"sides": `[{"name":"Basic","figure":"$9/mo","lines":"1 user"},{"name":"Pro","figure":"$29/mo"}]`, "best": "pro"}, "2 cards come beside each other: Basic $9/mo (1 user) and Pro $29/mo; Pro $29/mo stands out"},
			{set{"text": "Which one: tea or coffee?"}, "tea and coffee"}, {set{"points": `["Tea: warm, cheap","Coffee: strong"]`}, "Tea (warm, cheap) and Coffee (strong)"}, {set{"text": "tea"}, "a comparison needs two sides"},
		},
		"weather": {
			{set{"days": `["Mon sunny 22","Tue light rain 18/12","Wed 19 cloudy"]`}, "Mon sunny 22°, Tue light rain 18° / 12° and Wed cloudy 19°"},
			{set{"days": `["Wed 16°","sunny Thu 15°","sunny Fri -2°","snow"]`}, "Wed sunny 16°, Thu sunny 15° and Fri snow -2°"},
			{set{"sides": `[{"name":"Mo","figure":"22°C","lines":"heiter bis wolkig"},{"name":"Di","figure":"18°C","lines":"Gewitter"}]`}, "Mo heiter bis wolkig 22°C and Di Gewitter 18°C"},
			{set{"text": "24 degrees and sunny in Berlin", "title": "Weather today"}, `The heading "Berlin"`},
			{set{"text": "Lisbon: 72F, partly cloudy, wind 12 km/h, humidity 60%"}, "partly cloudy 72°F wind 12 km/h humidity 60%"},
			{set{"days": `["東京 晴れのち曇り 24度","湿度60%"]`}, "晴れのち曇り 24度 湿度60%"},
			{set{"text": "Mon 12° rain Tue 14° cloudy"}, "Mon rain 12° and Tue cloudy 14°"}, {set{"title": "Wettervorhersage", "locale": "de-DE"}, "What it shows is an example"},
		},
		"slideshow": {{set{"slides": slides(1)}, "The picture a.png is shown."}, {set{"slides": slides(60)}, "a.png"}, {set{}, "a slideshow needs pictures"}},
		"logo":      {{set{"text": "Acme"}, `The name "Acme"`}, {set{}, "a logo needs a picture or a name"}},
		"story": {
			{set{"beats": `[{"scene":"title","text":"A"},{"scene":"bars","text":"B","items":"Apples 30; Pears 45"},{"scene":"logo","text":"C"}]`}, "Pears 45"},
			{set{"beats": `[{"scene":"titel","text":"A"}]`}, "scene 1: there is no sort of scene named titel"},
			{set{"beats": `[{"scene":"title","text":"A","transition":"melt"}]`}, "scene 1: there is no transition named melt"},
			{set{}, "a story needs scenes"},
		},
	} {
		m := lib.Manifest(name)
		script := compiled(t, lib, name)
		for i, c := range cases {
			for _, style := range m.StyleIDs() {
				t.Run(fmt.Sprintf("%s/%d/%s", name, i, style), func(t *testing.T) {
					t.Parallel()
					if got := told(t, m, script, style, c.set); !strings.Contains(got, c.want) {
						t.Errorf("%v\nis told as %q\nwant %q in it", c.set, got, c.want)
					}
				})
			}
		}
	}
}

// TestStage_composed: a video on the stage begins with something to see, and each of its
// scenes ends as a composed picture: all has come, and nothing has left.
func TestStage_composed(t *testing.T) {
	t.Parallel()
	lib := shipped(t)
	m := lib.Manifest("story")
	script := compiled(t, lib, "story")
	beats := strings.TrimSuffix(strings.Repeat(`{"scene":"title","text":"A long enough title"},{"scene":"list","text":"B","items":"one; two; three"},`, 10), ",")
	for _, style := range m.StyleIDs() {
		for _, duration := range []string{"auto", "20", "120"} {
			for _, loop := range []string{"false", "true"} {
				v := m.Defaults(style)
				v["style"], v["duration"], v["loop"], v["beats"] = style, duration, loop, "["+beats+"]"
				s, err := runner.Run(t.Context(), script, m.ScoreParams(v), recipe.Env{FPS: 30, Width: 1280, Height: 720}, true)
				if err != nil {
					t.Fatal(err)
				}
				where := fmt.Sprintf("%s, %s s, loop %s", style, duration, loop)
				if err := s.Check(); err != nil {
					t.Errorf("%s: %v", where, err)
				}
				if most := koda.MaxScenes(s.Duration); len(s.Scenes) > most || len(s.Motion) != 20 {
					t.Errorf("%s: %d scenes of at most %d, %d sheets", where, len(s.Scenes), most, len(s.Motion))
				}
				seen := loop == "true"
				for i, sheet := range s.Motion {
					for _, track := range sheet.Tracks {
						first, last := track.Keys[0], track.Keys[len(track.Keys)-1]
						seen = seen || i == 0 && track.Prop == "enter" && first.At == 0 && first.Value > 0
						if track.Prop == "leave" {
							t.Errorf("%s: %s leaves scene %s", where, track.Object, sheet.ID)
						}
						if track.Prop == "enter" && (last.Value != 1 || last.At > 0.9*sheet.Length) {
							t.Errorf("%s: %s comes into scene %s until %v of %v s", where, track.Object, sheet.ID, last.At, sheet.Length)
						}
					}
				}
				if !seen {
					t.Errorf("%s: nothing is seen at second 0", where)
				}
			}
		}
	}
}

// TestStage_morph: what two scenes share is there when the second begins; where they share
// nothing, a morph is a fade.
func TestStage_morph(t *testing.T) {
	t.Parallel()
	m := shipped(t).Manifest("story")
	v := m.Defaults("smooth")
	v["style"], v["transition"] = "smooth", "morph"
	v["beats"] = `[{"scene":"title","text":"A"},{"scene":"bars","text":"A","items":"x 1; y 2"},{"scene":"bars","text":"B","items":"x 3; y 2"},{"scene":"shape"}]`
	s, err := runner.Run(t.Context(), compiled(t, shipped(t), "story"), m.ScoreParams(v), recipe.Env{FPS: 30, Width: 1280, Height: 720}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "a morph", "a morph", "a fade"} {
		if !strings.Contains(s.Scenes[i].Notes, want) {
			t.Errorf("scene %d: %q, want %q in it", i+1, s.Scenes[i].Notes, want)
		}
	}
	there := map[string]bool{}
	for i, sheet := range s.Motion {
		for _, track := range sheet.Tracks {
			if track.Prop == "enter" && len(track.Keys) == 1 && track.Keys[0].Value == 1 {
				there[fmt.Sprintf("%d %s", i+1, track.Object)] = true
			}
		}
	}
	if got, want := slices.Sorted(maps.Keys(there)), []string{"2 title", "3 chart", "3 title"}; !slices.Equal(got, want) {
		t.Errorf("there from the start are %q, want %q", got, want)
	}
}

// contrasts is a score that refuses every look whose texts have a contrast below 4.5.
const contrasts = `import { contrast, parse, type Colour } from '../stage/colour'
import { lookOf } from '../stage/look'

const read = (css: string): Colour => parse('#' + css.match(/\d+/g)!.slice(0, 3).map((v) => (+v).toString(16).padStart(2, '0')).join(''))

export default function (params: any) {
  const errors: { param: string; message: string }[] = []
  for (const style of ['playful', 'smooth', 'cinematic']) for (const look of params.looks) for (const tone of ['base', params.tones[style]]) {
    const l = lookOf({ size: 1, font: 'auto', color: 'auto', accent: 'auto', background: 'auto', ...look, style }, { tone } as any)
    const pairs = [[l.ink, l.base], [l.soft, l.base], [l.accentInk, l.base], [l.onAccent, l.accent], [l.onCard, l.card], ...l.series.map((c, i) => [l.onSeries[i], c])]
    pairs.forEach(([a, b], i) => {
      const got = contrast(read(a!), read(b!))
      if (got < 4.4) errors.push({ param: 'looks', message: [style, JSON.stringify(look), tone, 'pair', i, got.toFixed(2)].join(' ') })
    })
  }
  return { duration: 1, scenes: [{ id: 'a', title: 'A', seconds: 1, description: '', notes: '' }], sheets: { a: { length: 1, tracks: [] } }, errors: errors.length > 0 ? errors : undefined }
}`

// TestStage_contrast: every text can be read, whatever colours are asked for. A tenth
// below 4.5 is what rounding to 8 bits takes.
func TestStage_contrast(t *testing.T) {
	t.Parallel()
	var looks []map[string]string
	for _, palette := range []string{"auto", "ocean", "forest", "sunset", "candy", "mono", "neon", "pastel", "earth", "night", "fire", "christmas", "love"} {
		looks = append(looks, map[string]string{"palette": palette})
	}
	for _, asked := range []string{"#ff0000", "#808080", "#ffffff"} {
		looks = append(looks, map[string]string{"background": asked}, map[string]string{"accent": asked})
	}
	code, err := shipped(t).Manifest("headline").Files()
	if err != nil {
		t.Fatal(err)
	}
	code[recipe.ScorePath] = contrasts
	script, err := runner.Compile(t.Context(), recipe.FS(code))
	if err != nil {
		t.Fatal(err)
	}
	params, err := json.Marshal(map[string]any{"looks": looks, "tones": map[string]string{"playful": "accent", "smooth": "contrast", "cinematic": "deep"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := runner.Run(t.Context(), script, params, recipe.Env{FPS: 30, Width: 1280, Height: 720}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Refused {
		t.Error(r.Message)
	}
}
