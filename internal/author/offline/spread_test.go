package offline_test

import (
	"encoding/json"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// A new project has a look by its prompt: the same each time, its own for most prompts,
// another one where somebody sets it. An edit of its texts leaves it alone.
func TestSpread(t *testing.T) {
	t.Parallel()
	variant := func(p *project) string {
		var params struct{ Variant json.Number }
		if err := json.Unmarshal([]byte(p.files[paramsPath]), &params); err != nil {
			t.Fatal(err)
		}
		return params.Variant.String()
	}
	seen := map[string]bool{}
	for _, prompt := range []string{`"Ship it"`, `"Summer sale"`, `"Welcome back"`, `"We are hiring"`, `"Open house"`, `"New in town"`} {
		b := brief(prompt, sized(320, 180))
		p, pl := made(t, author(), b)
		again, _ := made(t, author(), b)
		if variant(p) != variant(again) {
			t.Errorf("%s: variant %s, and then %s", prompt, variant(p), variant(again))
		}
		seen[variant(p)] = true
		was := variant(p)
		if err := p.change(b, pl, `change the text to "Another text"`); err != nil || variant(p) != was {
			t.Errorf("%s: an edit makes variant %s of %s (%v)", prompt, variant(p), was, err)
		}
		b.Params = map[string]string{"variant": "0"}
		if p, _ := made(t, author(), b); variant(p) != "0" {
			t.Errorf("%s: variant %s is not the one that was set", prompt, variant(p))
		}
	}
	if len(seen) < 3 {
		t.Errorf("six prompts have %d looks", len(seen))
	}
	// A project from before has none, and looks as it did.
	p, _ := made(t, author(), brief(`"Ship it"`, sized(320, 180)))
	p.files[paramsPath] = `{"recipe": "headline", "style": "playful", "text": "Ship it"}`
	row, err := author().Row(t.Context(), recipe.FS(p.files), json.RawMessage(`{"text": "Ship more"}`), nil)
	if err != nil {
		t.Fatal(err, koda.HintOf(err))
	}
	var fields map[string]any
	if err := json.Unmarshal(row, &fields); err != nil || fields["variant"] != nil {
		t.Errorf("a row has variant %v (%v)", fields["variant"], err)
	}
}
