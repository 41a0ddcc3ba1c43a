package reading_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/author/reading"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/wish"
)

// TestSidesOf: names and figures belong together in whatever order they stand.
func TestSidesOf(t *testing.T) {
	t.Parallel()
	for example, want := range map[string]string{
		"⟦l Rovers⟧ ⟦v 3⟧ - ⟦v 1⟧ ⟦l United⟧":                                   "Rovers=3 United=1",
		"⟦l Rovers⟧ vs ⟦l United⟧, ⟦v 3⟧ - ⟦v 1⟧":                               "Rovers=3 United=1",
		"⟦l Rovers⟧ ⟦v 3⟧, ⟦l United⟧ ⟦v 1⟧":                                    "Rovers=3 United=1",
		"⟦v 3⟧ ⟦l Rovers⟧, ⟦v 1⟧ ⟦l United⟧":                                    "Rovers=3 United=1",
		"⟦v 3⟧ - ⟦v 1⟧ for ⟦l Rovers⟧ against ⟦l United⟧":                       "Rovers=3 United=1",
		"⟦l Rovers⟧ ⟦v 3:1⟧ ⟦l United⟧":                                         "Rovers=3 United=1",
		"⟦l we⟧ won ⟦v 21⟧-⟦v 14⟧ against the ⟦l Hawks⟧":                        "we=21 Hawks=14",
		"from ⟦v 4.8 s⟧ to ⟦v 0.9 s⟧":                                           "=4.8 s =0.9 s",
		"⟦t revenue⟧ from ⟦v $1.2M⟧ in ⟦l 2022⟧ to ⟦v $3.8M⟧ in ⟦l 2024⟧":       "2022=$1.2M 2024=$3.8M",
		"⟦l Free⟧, ⟦l Pro⟧ ⟦v $9/mo⟧, ⟦l Team⟧ ⟦v $29/mo⟧":                      "Free= Pro=$9/mo Team=$29/mo",
		"⟦l Basic⟧ ⟦v $9⟧: ⟦i 1 user⟧, ⟦i 5 GB⟧; ⟦l Pro⟧ ⟦v $29⟧: ⟦i 10 users⟧": "Basic=$9/1 user/5 GB Pro=$29/10 users",
		"⟦l pros⟧: ⟦i cheap⟧, ⟦i warm⟧; ⟦l cons⟧: ⟦i slow⟧":                     "pros=/cheap/warm cons=/slow",
		"⟦t Half time⟧": "",
	} {
		e, err := wish.ParseExample("compare\t" + example)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, reading.SidesOf(e)); d != "" {
			t.Errorf("%s (-want +got):\n%s", example, d)
		}
	}
}

// TestSides_examples: what examples of results and comparisons call sides is drawn as sides.
func TestSides_examples(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	examples, err := reading.Examples(os.DirFS(filepath.Join("..", "..", "..", "templates", "learn", "examples")))
	if err != nil {
		t.Fatal(err)
	}
	examples = slices.DeleteFunc(examples, func(e wish.Example) bool { return e.Subject != "score" && e.Subject != "compare" })
	if testing.Short() {
		examples = needs.Some(examples)
	}
	right, all := 0, 0
	for _, e := range examples {
		all++
		if got := come(r, r.ReadExample(e)); strings.HasPrefix(got, e.Subject+" ") && strings.Contains(got, " sides=") {
			right++
		} else {
			t.Logf("%s\n  came out as %s", e, got)
		}
	}
	t.Logf("%d of %d", right, all)
	if 100*right < 99*all {
		t.Errorf("%d of %d examples come out as sides", right, all)
	}
}

// TestMinutes: the sign of a minute stays with its number at the end of a text.
func TestMinutes(t *testing.T) {
	t.Parallel()
	r, _ := reader(t)
	e, err := wish.ParseExample("score\t⟦l Lions⟧ ⟦v 2⟧ ⟦l Tigers⟧ ⟦v 0⟧, ⟦s Amy 12', Zoe 77'⟧, dark")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := come(r, r.ReadExample(e)), `note="Amy 12', Zoe 77'"`; !strings.Contains(got, want) {
		t.Errorf("%s\nwant %s in it", got, want)
	}
}
