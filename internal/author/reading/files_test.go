package reading_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/koda"
)

// A shell leaves line breaks as \n. They are line breaks, but for those in the texts of code.
func TestRead_shellBreaks(t *testing.T) {
	r, _ := reader(t)
	for prompt, want := range map[string]string{
		`top 3 reasons to adopt a cat\n1. they purr\n2. they nap`: `list title="Top 3 reasons to adopt a cat" items="they purr; they nap" marks=number`,
		`title "Hello\nWorld", blue`:                              `headline text="Hello\nWorld" color=#2463eb`,
		`python code print("a\nb") typed`:                         `code code=print("a\nb") language=python`,
	} {
		if got := request(r, prompt); got != want {
			t.Errorf("%s\n got  %s\n want %s", prompt, got, want)
		}
	}
}

// TestRead_brought: pictures that nobody names go where a picture is missing, one called a logo to the place of the logo.
func TestRead_brought(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	picture := func(name string) koda.Asset {
		return koda.Asset{Name: name, Path: "public/images/" + name, Kind: "image"}
	}
	for _, c := range []struct {
		prompt string
		assets []koda.Asset
		want   string
	}{
		{"logo reveal", []koda.Asset{picture("acme.svg")}, "logo image=public/images/acme.svg"},
		{`promo "Ship faster" with the button "Try it"`, []koda.Asset{picture("logo.svg"), picture("shot.png")}, `promo text="Ship faster" action="Try it" image=public/images/shot.png logo=public/images/logo.svg`},
		{`promo "Ship faster", b.png`, []koda.Asset{picture("a.png"), picture("b.png")}, `promo text="Ship faster" image=public/images/b.png`},
	} {
		if got := come(r, r.Read(reading.Brief{Prompt: c.prompt, Assets: c.assets})); got != c.want {
			t.Errorf("%s\n got  %s\n want %s", c.prompt, got, c.want)
		}
	}
}

// TestChange_scene: a scene that is added shows its words, and one of a picture the picture.
func TestChange_scene(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	q := r.Read(reading.Brief{Prompt: `story with two scenes: "Before" then "After"`})
	v, _, err := r.Apply(q.Recipe, q.Recipe.Defaults("smooth"), q.Edits, known)
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		`add a third scene that says "Thank you"`: `{"text":"Thank you"}`,
		"then show b.png":                         `{"picture":"b.png"}`,
	} {
		c, err := r.Change(q.Recipe, v, reading.Known{Scenes: known.Scenes, Assets: []koda.Asset{{Path: "b.png"}}}, said)
		if err != nil || !strings.HasSuffix(c.Values["beats"], ","+want+"]") {
			t.Errorf("%s: %s, %v, want %s at the end", said, c.Values["beats"], err, want)
		}
	}
}
