package browser_test

import "testing"

// koda believes a page that says it fills the frame only if the page's background
// fills the picture.
func TestCovered(t *testing.T) {
	t.Parallel()
	const then = `<script>window.__exportSeekTo = (t) => { document.documentElement.className = t > 0 ? 'later' : '' }; window.__exportReady = true</script>`
	tab := open(t, options(t, page(`<!doctype html><style>
		body { background: #fff } .later body { background: rgb(255 255 255 / 99%) }</style>`+then)))
	for n, want := range []bool{true, false, false} {
		if got, err := tab.Covered(t.Context(), n); err != nil || got != want {
			t.Errorf("frame %d: covered %v, %v", n, got, err)
		}
		capture(t, tab, n) // the question changes nothing
	}
	for css, want := range map[string]bool{
		"html{background:red}":                        true,
		"html{background:oklch(50% 0.1 200)}":         true,
		"html{background:oklch(50% 0.1 200 / 0.5)}":   false,
		"body{background:transparent}":                false,
		"body{background:url(data:,) #123}":           true,
		"html{background:red;opacity:.5}":             false,
		"html{background:red;clip-path:inset(1px)}":   false,
		"body{background:red;contain:paint}":          false,
		"html{background:#0001} body{background:red}": false,
		"div{background:red;position:fixed;inset:0}":  false,
	} {
		tab := open(t, options(t, page("<!doctype html><style>"+css+"</style><div></div>"+then)))
		if got, err := tab.Covered(t.Context(), 0); err != nil || got != want {
			t.Errorf("%s: covered %v, %v", css, got, err)
		}
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
}
