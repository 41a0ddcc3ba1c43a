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
	bound, cancel := t.frameBound(ctx)
	defer cancel()
	if t.sought != frame {
		if err := t.seek(bound, frame); err != nil {
			return false, t.failed(ctx, bound, "seek", err)
		}
	}
	answer, err := t.evaluate(bound, coverScript)
	if err != nil {
		return false, t.failed(ctx, bound, fmt.Sprintf("ask for the background of frame %d", frame), err)
	}
	return answer == "yes", nil
}
