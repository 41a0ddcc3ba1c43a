package browser

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// rootScript finds an element that frameworks are told to fill, and that has
// nothing in it, on a page that shows nothing else.
const rootScript = `(() => {
	if (document.querySelector('canvas,svg,img,video,iframe') || document.body.innerText.trim()) return ''
	for (const id of ['root', 'app', '__next', 'svelte']) {
		const e = document.getElementById(id)
		if (e && !e.children.length && !e.shadowRoot) return '#' + id
	}
	return ''
})()`

// emptyRoot is a sentence on the root of a page that is empty, of which all
// pictures were the same: its code never put anything there.
func (t *Tab) emptyRoot() []koda.Mishap {
	if t.pictures != 1 || t.gone() != nil {
		return nil
	}
	ctx, done := context.WithTimeout(t.life, asked)
	defer done()
	root, err := t.evaluate(ctx, rootScript)
	if err != nil || root == "" {
		return nil
	}
	return []koda.Mishap{{What: root + " is empty: the page's code put nothing there", Times: 1}}
}
