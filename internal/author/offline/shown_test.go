package offline_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// TestShown reads what stands on the page of a recipe near its end, without blanks and
// with its ticks: numbers are written as people write them, and what is no list of things
// to do is not ticked.
func TestShown(t *testing.T) {
	needs.Chromium(t)
	type set = map[string]string
	for _, tt := range needs.Some([]struct {
		recipe, style string
		params        set
		want          []string // a text with ! before it is not there
	}{
		{"counter", "smooth", set{"to": "10000"}, []string{"10,000"}},
		{"counter", "playful", set{"to": "25000", "currency": "EUR"}, []string{"€25,000"}},
		{"counter", "smooth", set{"to": "25000", "currency": "EUR", "locale": "de-DE"}, []string{"25.000€"}},
		{"counter", "cinematic", set{"to": "1000000"}, []string{"1,000,000"}},
		{"counter", "smooth", set{"to": "1200000"}, []string{"1.2M"}},
		{"counter", "smooth", set{"to": "1234567"}, []string{"1,234,567"}},
		{"counter", "smooth", set{"rows": `[{"label":"a","value":25000},{"label":"b","value":1200000,"unit":"$"}]`}, []string{"25,000", "$1.2M"}},
		{"line", "smooth", set{"rows": `[{"label":"a","value":11},{"label":"b","value":17},{"label":"c","value":12400},{"label":"d","value":15}]`}, []string{"11", "17", "12,400"}},
		{"line", "smooth", set{"rows": `[{"label":"2026-01-09","value":11},{"label":"2026-01-10","value":17}]`}, []string{"Jan9", "Jan10", "!2026"}},
		{"bars", "smooth", set{"locale": "de-DE", "rows": `[{"label":"2025-12","value":11},{"label":"2026-03","value":17}]`}, []string{"Dez.2025", "März2026"}},
		{"bars", "smooth", set{"rows": `[{"label":"2025-12","value":11},{"label":"since","value":17}]`}, []string{"2025-12", "since"}},
		{"countdown", "smooth", set{"from": "300", "to": "295"}, []string{"295"}},
		{"countdown", "playful", set{"from": "62"}, []string{"0:01"}},
		{"countdown", "cinematic", set{"from": "100"}, []string{"!0:01"}},
		{"list", "smooth", set{"items": `["Espresso 2.10","Mocha 3.50"]`}, []string{"Espresso2.10", "!✓"}},
		{"list", "playful", set{"items": `["Espresso 2.10","Mocha 3.50"]`}, []string{"!1Espresso", "!✓"}},
		{"list", "playful", set{"items": `["fast","free"]`}, []string{"1fast", "2free"}},
		{"list", "smooth", set{"items": `["fast","free"]`, "marks": "check"}, []string{"✓✓"}},
	}) {
		t.Run(fmt.Sprint(tt.recipe, tt.want), func(t *testing.T) {
			t.Parallel()
			b := brief("", sized(512, 288))
			b.Recipe, b.Params, b.Style = tt.recipe, tt.params, tt.style
			p, _ := made(t, author(), b)
			page, err := koda.ParseManifest([]byte(p.files["koda.json"]))
			if err != nil {
				t.Fatal(err)
			}
			last := int(page.Duration*eyeFPS) - 1
			tab := p.open(t, 512, 288, 1, eyeFPS)
			shoot(t, tab, last)
			got, err := tab.Ask(t.Context(), last, `document.querySelector('#root').textContent.replace(/\s+/g, '') + '✓'.repeat(document.querySelectorAll('path[pathLength]').length)`)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.want {
				text, not := strings.CutPrefix(want, "!")
				if strings.Contains(got, text) == not {
					t.Errorf("the page shows %q\nwant %q in it", got, want)
				}
			}
		})
	}
}

// TestCountdown_ground: numbers that change the colour of the whole frame keep to the
// colour that a person asks for.
func TestCountdown_ground(t *testing.T) {
	b := brief("", sized(512, 288))
	b.Recipe, b.Params, b.Style = "countdown", map[string]string{"from": "5", "background": "#2463eb"}, "playful"
	p, _ := made(t, author(), b)
	tab := p.open(t, 512, 288, 1, eyeFPS)
	for beat := range 5 {
		if c := rgb(decode(t, shoot(t, tab, (beat+1)*eyeFPS-1)), 4, 4); c[2] < c[0]+80 || c[2] < c[1]+40 {
			t.Errorf("the frame of number %d is rgb%v, want blue", 5-beat, c)
		}
	}
}
