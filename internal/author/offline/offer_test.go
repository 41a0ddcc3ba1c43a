package offline_test

import (
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
