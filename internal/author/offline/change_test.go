package offline_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

const points = `list "Sleep": dark room, cool air, no screens, less coffee, more walks, early light, warm feet, quiet nights, same hour`

// TestChange_oneItem: new words for one item are new parameters. Scenes that do not show them keep their keyframes.
func TestChange_oneItem(t *testing.T) {
	t.Parallel()
	b := brief(`release notes of koda 2.0: "dark mode", "faster start", "no more crashes", "new icons", "GIF output", "shared rows", "fewer clicks", "more fonts", "same hour"`)
	pl := plan(t, b, koda.Answer{OptionID: "smooth"})
	if len(pl.Scenes) < 2 {
		t.Fatalf("%d scenes, want several", len(pl.Scenes))
	}
	p := newProject(t)
	for _, task := range tasks(b, pl) {
		p.work(t, task)
	}
	before, sheets := p.snapshot(), p.state(t).Sheets
	if err := p.change(b, pl, "same hour should be same bedtime"); err != nil {
		t.Fatal(err)
	}
	for _, name := range p.changed(before) {
		if name != paramsPath && name != statePath {
			t.Errorf("%s is written anew", name)
		}
	}
	if !strings.Contains(p.files[paramsPath], "same bedtime") {
		t.Errorf("the words are not there: %s", p.files[paramsPath])
	}
	differ := 0
	for id, sheet := range p.state(t).Sheets {
		if !cmp.Equal(sheets[id], sheet) {
			differ++
		}
	}
	if differ > 1 {
		t.Errorf("the keyframes of %d scenes differ", differ)
	}
}

// TestChange_size: another shape is that of koda.json, and later changes keep it.
func TestChange_size(t *testing.T) {
	t.Parallel()
	b := brief(points)
	pl := plan(t, b, koda.Answer{OptionID: "smooth"})
	p := newProject(t)
	for _, task := range tasks(b, pl) {
		p.work(t, task)
	}
	for _, said := range []string{"vertical please, 30 fps", "remove cool air"} {
		if err := p.change(b, pl, said); err != nil {
			t.Fatalf("%q: %v", said, err)
		}
		var m koda.Manifest
		if err := json.Unmarshal([]byte(p.files["koda.json"]), &m); err != nil {
			t.Fatal(err)
		}
		if m.Width != 1080 || m.Height != 1920 || m.FPS.Num != 30 {
			t.Errorf("%q: %dx%d at %s", said, m.Width, m.Height, m.FPS)
		}
	}
	if err := p.change(b, pl, "vertical"); koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), "like that already") {
		t.Errorf("the same again: %v", err)
	}
}

// TestRevision_size: a remark on a plan changes the size of the picture, and a later remark keeps it.
func TestRevision_size(t *testing.T) {
	t.Parallel()
	b := brief(points)
	pl := plan(t, b, koda.Answer{OptionID: "smooth"})
	for _, said := range []string{"square, 24 fps", "remove cool air"} {
		next, err := author().Plan(context.Background(), b, koda.Answer{OptionID: "smooth"}, &koda.Revision{Plan: &pl, Feedback: said}, tool.Desk{})
		if err != nil {
			t.Fatalf("%q: %v", said, err)
		}
		if pl = next; pl.Width != 1080 || pl.Height != 1080 || pl.FPS.Num != 24 {
			t.Errorf("%q: %dx%d at %s", said, pl.Width, pl.Height, pl.FPS)
		}
	}
	p := newProject(t)
	p.work(t, tasks(b, pl)[0])
	if !strings.Contains(p.files["koda.json"], `"width": 1080`) {
		t.Errorf("koda.json: %s", p.files["koda.json"])
	}
}

// TestChange_cannot: what cannot be is refused by name, with changes to try that fit the video.
func TestChange_cannot(t *testing.T) {
	t.Parallel()
	b := brief(`list "Sleep": dark room, cool air, no screens`)
	pl := plan(t, b, koda.Answer{OptionID: "smooth"})
	p := newProject(t)
	for _, task := range tasks(b, pl) {
		p.work(t, task)
	}
	before := p.snapshot()
	for said, want := range map[string]string{
		"make it better":              `changes nothing koda understands: try "remove dark room", "the heading should be \"New words\"", "navy background", "playful"`,
		"frobnicate":                  `changes nothing koda understands`,
		"make it a countdown instead": `names another kind of video: Countdown: ` + "`koda new`",
		"smooth, with a dinosaur":     `koda does not understand dinosaur here`,
		"smooth":                      `it is like that already`,
		"add music":                   `Recipes make no sound`,
		"as a gif":                    `koda render --preset gif`,
		"move the ninth point first":  `There is no number 9`,
		"make cool air pink":          `one colour for all items`,
		"undo that":                   `koda undo goes back`,
	} {
		err := p.change(b, pl, said)
		got := ""
		if err != nil {
			got = err.Error() + ": " + koda.HintOf(err)
		}
		if koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(got, want) {
			t.Errorf("%q: %s\n  want %s", said, got, want)
		}
	}
	if diff := p.changed(before); len(diff) > 0 {
		t.Errorf("refused changes changed %q", diff)
	}
}
