package browser

import (
	"context"
	"fmt"
)

// coverScript asks whether the page, as it stands, has an opaque background by its own
// styles: html has a background colour without alpha, or leaves the background to a body
// that has one. Such a colour fills the whole canvas. Styles that could make it
// transparent again must be absent.
const coverScript = `(() => {
	const plain = (s) => s.opacity === '1' && s.filter === 'none' && s.clipPath === 'none' && s.maskImage === 'none' && s.mixBlendMode === 'normal' &&
		s.visibility === 'visible' && s.display !== 'none' && s.contain === 'none' && s.backgroundClip === 'border-box'
	const solid = (s) => !s.backgroundColor.startsWith('rgba(') && !s.backgroundColor.includes('/')
	const root = getComputedStyle(document.documentElement)
	if (!plain(root)) return ''
	if (solid(root)) return 'yes'
	if (root.backgroundColor !== 'rgba(0, 0, 0, 0)' || root.backgroundImage !== 'none' || !document.body) return ''
	const body = getComputedStyle(document.body)
	return plain(body) && solid(body) ? 'yes' : ''
})()`

// Covered shows frame n, unless the page already shows it, and reports whether the page
// has a background that fills the picture. It takes no picture. If Covered says false,
// the picture may still be opaque.
func (t *Tab) Covered(ctx context.Context, frame int) (bool, error) {
	answer, err := t.Ask(ctx, frame, coverScript)
	return answer == "yes", err
}

// Ask shows frame n, unless the page already shows it, and returns the string that a
// script of koda's gives there. It takes no picture. The page may have changed what the
// script works with: its answer is the page's word.
func (t *Tab) Ask(ctx context.Context, frame int, script string) (string, error) {
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	if t.sought != frame {
		if err := t.seek(bound, frame); err != nil {
			return "", t.failed(ctx, bound, "seek", err)
		}
	}
	answer, err := t.evaluate(bound, script)
	if err != nil {
		return "", t.failed(ctx, bound, fmt.Sprintf("look at frame %d", frame), err)
	}
	return answer, nil
}
