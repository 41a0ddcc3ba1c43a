package browser

import (
	"context"

	"github.com/koda-video/koda/internal/koda"
)

// rootScript finds an empty element that frameworks fill with a page, if the page shows
// nothing else.
const rootScript = `(() => {
	if (document.querySelector('canvas,svg,img,video,iframe') || document.body.innerText.trim()) return ''
	for (const id of ['root', 'app', '__next', 'svelte']) {
		const e = document.getElementById(id)
		if (e && !e.children.length && !e.shadowRoot) return '#' + id
	}
	return ''
})()`

// emptyRoot is a sentence about an empty root element. It is there only if all pictures
// of the page were the same, because then the page's code never filled the root.
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
