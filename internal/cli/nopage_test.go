package cli_test

import (
	"strings"
	"testing"
)

// TestNoPage: for a directory that is not a page yet, the error says what the
// directory lacks.
func TestNoPage(t *testing.T) {
	dir := page(t)
	t.Chdir(t.TempDir())
	write(t, "empty/x", "")
	write(t, "site/index.html", "")
	write(t, "site/ball.svg", "")
	for _, c := range []struct{ ref, message, hint string }{
		{"./gone", `there is nothing to draw in "./gone"`, "koda.json and index.html"},
		{"./empty", "./empty has no koda.json and no index.html", "koda new"},
		{"./empty/x", "./empty/x is not a page", "HTML, SVG or Lottie"},
		{"site", "site has no koda.json", "the page offers window.__exportSeekTo(seconds) and sets window.__exportReady: `koda init site` writes"},
		{"site/index.html", "site has no koda.json", "`koda init site`"},
		{"site/ball.svg", "site has no koda.json", "`koda init site/ball.svg`"},
		{dir + "/index.html", "index.html is a file, and koda draws directories", "name its directory: " + dir},
	} {
		for _, command := range []string{"render", "still", "sheet", "bench"} {
			f := newFace(t)
			status, said := f.run(command, c.ref), f.err.String()
			if status != 10 || !strings.Contains(said, c.message) || !strings.Contains(said, c.hint) || strings.Count(said, "\n") != 2 {
				t.Errorf("%s %s: status %d:\n%s", command, c.ref, status, said)
			}
		}
	}
}
