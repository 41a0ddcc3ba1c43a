package offline_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
)

// Each text of a recipe that people name can have a colour and a size of its own; what no part has is told.
func TestParts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ prompt, part string }{
		{`quote "Be yourself." by Oscar Wilde`, "author"},
		{`quote "Be yourself." by Oscar Wilde`, "text"},
		{`countdown from 3 to 1 then "GO!"`, "text"},
		{`countdown from 3 to 1 then "GO!"`, "numbers"},
		{`logo reveal for Acme with the tagline "Built to last"`, "tagline"},
		{`headline "Grand Opening" with "Friday 6pm" below`, "subtitle"},
		{`happy birthday Anna, "from all of us" below`, "subtitle"},
		{`promo for Acme: half price until Friday, with the button Buy now`, "subtitle"},
		{`count from 0 to 500 "members"`, "text"},
		{`headline "Grand Opening" with "Friday 6pm" below`, "grand"},
		{`headline "Grand Opening" with "Friday 6pm" below`, "Friday 6PM"},
		{`headline "Lift off" with a rocket above`, "sign"},
	} {
		for part, told := range map[string]bool{tt.part: false, "nothing": true} {
			b := brief(tt.prompt)
			b.Style = "smooth"
			b.Params = map[string]string{"parts": `[{"part":"` + part + `","color":"#1fa34a","size":1.4}]`}
			said := strings.Join(plan(t, b, koda.Answer{}).Notes, "\n")
			if strings.Contains(said, "No part is called") != told {
				t.Errorf("%s, part %s: the plan says %s", tt.prompt, part, said)
			}
		}
	}
}

// A single text has its colour and its size on the page, the others keep theirs.
func TestParts_page(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	look := func(parts string) string { // the colour and the tenths of a font's unit of the two texts
		b := brief(`quote "Be yourself." by Oscar Wilde`, sized(512, 288))
		b.Style, b.Params = "smooth", map[string]string{"background": "#101020", "parts": parts}
		p, _ := made(t, author(), b)
		tab := p.open(t, 512, 288, 1, eyeFPS)
		shoot(t, tab, 4*eyeFPS)
		got, err := tab.Ask(t.Context(), 4*eyeFPS, `[...document.querySelectorAll('svg[fill]')].filter((g) => /Wilde|yourself/.test(g.textContent)).map((g) => getComputedStyle(g).fill + ' ' + Math.round(10 * parseFloat(getComputedStyle(g).fontSize))).join('; ')`)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got, want := look("[]"), "rgb(255, 250, 242) 160; rgb(255, 250, 242) 60"; got != want {
		t.Errorf("without: %s, want %s", got, want)
	}
	if got, want := look(`[{"part":"author","color":"#ffd21f","size":1.5}]`), "rgb(255, 250, 242) 160; rgb(255, 210, 31) 90"; got != want {
		t.Errorf("the author gold and larger: %s, want %s", got, want)
	}
}

// Words of a text have their colour wherever the text breaks, and the words around keep theirs.
func TestParts_words(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	b := brief(`headline "Big Summer Sale"`, sized(512, 512))
	b.Style, b.Params = "smooth", map[string]string{"background": "#101020", "parts": `[{"part":"summer sale","color":"#ffd21f"}]`}
	p, _ := made(t, author(), b)
	tab := p.open(t, 512, 512, 1, eyeFPS)
	shoot(t, tab, 4*eyeFPS)
	got, err := tab.Ask(t.Context(), 4*eyeFPS, `(() => {
		const found = {}
		for (const letter of document.querySelectorAll('svg text')) (found[getComputedStyle(letter).fill] ??= []).push(letter.textContent)
		return Object.entries(found).map(([fill, letters]) => fill + ' ' + letters.join('')).join('; ')
	})()`)
	if want := "rgb(255, 250, 242) Big; rgb(255, 210, 31) SummerSale"; err != nil || got != want {
		t.Errorf("the page has %s, want %s (%v)", got, want, err)
	}
}

// The plan names the points that are ticked; a scene that has none of them says nothing of ticks.
func TestParts_done(t *testing.T) {
	t.Parallel()
	for done, want := range map[string]string{
		`[]`:               "Then they are ticked off one by one.",
		`["tea"]`:          "Then \"tea\" is ticked off.",
		`["tea", "juice"]`: "Then \"tea\" and \"juice\" are ticked off one by one.",
		`["coffee"]`:       "",
	} {
		b := brief("checklist: tea, juice, milk")
		b.Style, b.Params = "smooth", map[string]string{"marks": "tick", "done": done}
		said := plan(t, b, koda.Answer{}).Scenes[0].Description
		if _, then, _ := strings.Cut(said, "Then "); (want == "") != (then == "") || !strings.HasSuffix(said, want) {
			t.Errorf("done %s: the plan says %q, want %q", done, said, want)
		}
	}
}
