package browser

import (
	"context"
	"fmt"
)

// coverScript asks the page as it stands whether it says itself that nothing
// shines through: whether html, or body where html leaves it to it, has a
// background colour without alpha, which then fills the whole canvas, and
// nothing is done to them that could take it away again.
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

// Covered shows frame n, unless the page shows it already, takes no picture, and
// reports whether the page has a background that fills it. False proves nothing:
// a picture may.
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
