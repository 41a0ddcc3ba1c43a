package draw

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
)

// keyReader asks a page for the keys of the frames of a segment, in rising order,
// until the page has no key. A page without keys is asked once.
type keyReader struct {
	tab  Tab
	last string
	any  bool // last is the key of a frame
	none bool // the page offers no keys, or no longer
	all  hash.Hash
}

// begin prepares for the frames of a segment. The key of the page's first picture
// is in the name of the segment too, as a picture can depend on what was drawn
// before.
func (k *keyReader) begin(ctx context.Context) error {
	k.last, k.any, k.none, k.all = "", false, false, sha256.New()
	_, err := k.next(ctx, func() (string, bool, error) { return k.tab.FirstKey(ctx) })
	k.any = false
	return err
}

// repeats reports whether a frame has the key of the last frame asked for. A page
// that fails to name a frame counts as a page without keys: if something is wrong
// with the frame, drawing it reports that.
func (k *keyReader) repeats(ctx context.Context, frame int) (bool, error) {
	return k.next(ctx, func() (string, bool, error) { return k.tab.FrameKey(ctx, frame) })
}

func (k *keyReader) next(ctx context.Context, ask func() (string, bool, error)) (same bool, err error) {
	if k.none {
		return false, nil
	}
	key, ok, err := ask()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil || !ok {
		k.none = true
		return false, nil //nolint:nilerr // see above
	}
	fmt.Fprintf(k.all, "%d %s\n", len(key), key)
	same = k.any && key == k.last
	k.last, k.any = key, true
	return same, nil
}

// digest covers the keys of all frames that were asked for, and the key of the
// first picture; "" when the page did not name them all.
func (k *keyReader) digest() string {
	if k.none {
		return ""
	}
	return hex.EncodeToString(k.all.Sum(nil))
}
