package offline_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
)

// A chart becomes a chart of another kind with the same data, and changes by the words of that kind. Code that a person
// changed stays, and a video without such data is not turned into a chart.
func TestTurn(t *testing.T) {
	t.Parallel()
	a := author()
	b := brief(`pie chart titled "Browsers": Chrome 60, Safari 25, Firefox 15, on navy`)
	p, pl := made(t, a, b)
	pie := p.snapshot()
	for _, tt := range []struct{ said, want, note string }{
		{"turn it into a bar chart", `"recipe": "bars"`, "The pie chart is a bar chart now, with the same data."},
		{"Safari is 30", `"value":30`, ""},
		{"bars from smallest to largest", `"sort": "up"`, ""},
		{"make it a pie chart again", `"recipe": "pie"`, "The bar chart is a pie chart now, with the same data."},
		{"use bars instead, and Firefox is 20", `"Firefox","value":20`, "The pie chart is a bar chart now, with the same data."},
		{"show it as a line instead", `"recipe": "line"`, "The bar chart is a line chart now, with the same data."},
	} {
		if err := p.change(b, pl, tt.said); err != nil {
			t.Fatalf("%s: %v (%s)", tt.said, err, koda.HintOf(err))
		}
		params := p.files[paramsPath]
		if !strings.Contains(params, tt.want) || !strings.Contains(params, `"Browsers"`) || !strings.Contains(params, "#14225c") {
			t.Errorf("%s:\n%s\nwant %s in it", tt.said, params, tt.want)
		}
		if said := p.said[len(p.said)-1]; !strings.Contains(said, tt.note) || strings.Contains(said, "any more") {
			t.Errorf("%s: said %q", tt.said, said)
		}
		if u, err := a.CheckUpdate(p.tree()); err != nil || !u.Newest || len(u.Edited) > 0 {
			t.Errorf("%s: %+v, %v", tt.said, u, err)
		}
	}
	p.files = pie
	p.files[recipe.ScorePath] += "\n// mine\n"
	if err := p.change(b, pl, "turn it into a bar chart"); koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(err.Error(), recipe.ScorePath) {
		t.Errorf("code that a person changed: %v", err)
	}
	b = brief("quote: Less is more")
	p, pl = made(t, a, b)
	if err := p.change(b, pl, "turn it into a bar chart"); koda.CodeOf(err) != koda.CodeInvalidInput || !strings.Contains(koda.HintOf(err)+err.Error(), "koda new") {
		t.Errorf("a quote: %v (%s)", err, koda.HintOf(err))
	}
}
