package wish_test

import (
	"testing"

	"github.com/koda-video/koda/internal/wish"
)

func TestParseExample(t *testing.T) {
	t.Parallel()
	e, err := wish.ParseExample("list\t⟦t 3 tips⟧:\\n⟦i rest⟧, ⟦i read⟧ in red")
	if err != nil {
		t.Fatal(err)
	}
	if e.Subject != "list" || e.Text != "3 tips:\nrest, read in red" || len(e.Phrases) != 3 {
		t.Errorf("%+v", e)
	}
	if p := e.Phrases[1]; p.Role != wish.Item || e.Text[p.From:p.To] != "rest" {
		t.Errorf("%+v", p)
	}
	for _, bad := range []string{"no tab", "list\t⟦t open", "list\t⟦q unknown role⟧", "list\t⟦t a ⟦i b⟧⟧"} {
		if _, err := wish.ParseExample(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
