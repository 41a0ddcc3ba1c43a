package bundle_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// TestBrand: what is wrong with a brand.json is said in a line each and costs nobody the page; a logo or a font that is not there stops the build.
func TestBrand(t *testing.T) {
	t.Parallel()
	b := withFonts(t, "")
	for _, tt := range []struct{ brand, want, failed string }{
		{brand: `{}`},
		{brand: `{"colors": {"background": "#0a3", "series": ["#FF7a45"]}, "fonts": {"mono": "JetBrains Mono Variable"}, "logo": "public/images/koda.svg"}`},
		{brand: `{"fonts": {"display": "Mine", "files": {"Mine": "/images/koda.svg"}}}`},
		{brand: `{"colors": {"background": "blu"}}`, want: `colors.background "blu" is no colour such as #10233f: it is not used`},
		{brand: `{"colors": {"accent": 5}}`, want: "colors.accent is no text: it is not used"},
		{brand: `{"colors": {"series": "#ff0000"}}`, want: "colors.series is no list of colours: it is not used"},
		{brand: `{"colors": {"series": ["#ff0000", "#12"]}}`, want: `colors.series "#12" is no colour such as #10233f: it is not used`},
		{brand: `{"colors": {"backgroud": "#ff0000"}}`, want: `"colors.backgroud" is not known: did you mean background?`},
		{brand: `{"palette": "red"}`, want: `"palette" is not known: it may have colors, fonts, logo`},
		{brand: `[]`, want: "the whole is no object {…}: it is not used"},
		{brand: `{"fonts": {"display": "Comic Sans"}}`, want: `the font "Comic Sans" is not here, and another takes its place: koda fonts lists those that are, koda fonts add FILE adds one`},
		{brand: `{"logo": "public/images/mine.svg"}`, failed: "src/brand.json: logo: there is no file public/images/mine.svg"},
		{brand: `{"fonts": {"files": {"Mine": "../mine.woff2"}}}`, failed: "src/brand.json: fonts.files.Mine: there is no file ../mine.woff2"},
	} {
		page, _, err := b.BuildWith(t.Context(), onStage(t, `{"recipe": "headline", "text": "Hello"}`, map[string]string{"src/brand.json": tt.brand, "public/images/koda.svg": "<svg/>"}), nil)
		if got := ""; tt.failed != "" || err != nil {
			if err != nil {
				got = koda.Sentence(err)
			}
			if !strings.Contains(got, tt.failed) || tt.failed == "" {
				t.Errorf("%s\n  got  %q\n  want %q", tt.brand, got, tt.failed)
			}
			continue
		}
		want := ""
		if tt.want != "" {
			want = "src/brand.json: " + tt.want
		}
		if got := strings.Join(page.Warnings, "; "); got != want {
			t.Errorf("%s\n  got  %s\n  want %s", tt.brand, got, want)
		}
	}
}
