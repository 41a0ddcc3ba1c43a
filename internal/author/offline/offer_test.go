package offline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/tool"
)

// Where no recipe is near, three that show anything are offered, and one answer says the
// recipe, by number or name, and the style.
func TestOffer(t *testing.T) {
	t.Parallel()
	b := brief("a wug eats a dax")
	q, err := author().Clarify(t.Context(), b, nil, tool.Desk{})
	if err != nil || q == nil || len(q.Options) != 3 {
		t.Fatalf("offered %+v, %v", q, err)
	}
	first := q.Options[0].ID
	for _, ans := range []koda.Answer{{Text: "1 smooth"}, {Text: first + ", smooth"}, {Text: "smooth " + q.Options[0].Label}} {
		p, err := author().Plan(t.Context(), b, ans, nil, tool.Desk{})
		if err != nil || p.Data["recipe"] != first || p.Style != "smooth" {
			t.Errorf("%q: %q, %q, %v", ans.Text, p.Data["recipe"], p.Style, err)
		}
	}
	if p, err := author().Plan(t.Context(), b, koda.Answer{OptionID: first}, nil, tool.Desk{}); err != nil || p.Data["recipe"] != first {
		t.Errorf("by its option: %q, %v", p.Data["recipe"], err)
	}
}

// An answer that names no recipe is another prompt; one that no recipe draws is refused in its own words.
func TestOffer_Prompt(t *testing.T) {
	t.Parallel()
	b := brief("a wug eats a dax")
	p, err := author().Plan(t.Context(), b, koda.Answer{Text: "happy birthday Anna, 3 seconds"}, nil, tool.Desk{})
	if err != nil || p.Data["recipe"] != "greeting" || p.TotalDuration != 3 || !strings.Contains(p.Scenes[0].Description, "Anna") {
		t.Errorf("another prompt: %+v, %v", p, err)
	}
	_, err = author().Plan(t.Context(), b, koda.Answer{Text: "a blicket"}, nil, tool.Desk{})
	if koda.CodeOf(err) != koda.CodeNotAnimation || !strings.Contains(err.Error(), `"a blicket"`) || strings.Contains(koda.HintOf(err), "--") {
		t.Errorf("%v, hint %q", err, koda.HintOf(err))
	}
}

// A recipe that was offered and needs words which the prompt does not have shows those of
// its example. Named by a flag, it is refused as before.
func TestOffer_Example(t *testing.T) {
	t.Parallel()
	b := brief("a unicorn flying over a castle")
	for name, param := range map[string]string{"list": "items", "code": "code", "quote": "text", "terminal": "text", "changelog": "items"} {
		p, err := author().Plan(t.Context(), b, koda.Answer{Text: name}, nil, tool.Desk{})
		if err != nil || p.Data["recipe"] != name || !slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, "is an example") }) {
			t.Errorf("%s: %v, notes %q", name, err, p.Notes)
		}
		if got := p.Data[param]; got == "" || got == "[]" {
			t.Errorf("%s: %s is %q", name, param, got)
		}
	}
	b.Recipe = "list"
	if _, err := author().Plan(t.Context(), b, koda.Answer{}, nil, tool.Desk{}); koda.CodeOf(err) != koda.CodeUsage {
		t.Errorf("a list of nothing: %v", err)
	}
}

// TestScoreAny: a recipe that cannot show what a prompt does not say gives way to another.
func TestScoreAny(t *testing.T) {
	t.Parallel()
	for prompt, recipe := range map[string]string{"final result Lions": "headline", "half time 0-0": "score"} {
		if p, err := author().Plan(t.Context(), brief(prompt), koda.Answer{}, nil, tool.Desk{}); err != nil || p.Data["recipe"] != recipe {
			t.Errorf("%s: %v %v", prompt, p.Data["recipe"], err)
		}
	}
}
