package draw

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
)

// keyReader asks a page for the keys of the frames of a segment, in rising
// order, until it has none: a page without keys is asked once.
type keyReader struct {
	tab  Tab
	last string
	any  bool // last is the key of a frame
	none bool // the page offers no keys, or no longer
	all  hash.Hash
}

// begin makes ready for the frames of a segment. What a page shows first, when it
// is loaded, is in the name of the segment too: what was drawn before can be in
// a picture.
func (k *keyReader) begin(ctx context.Context) error {
	k.last, k.any, k.none, k.all = "", false, false, sha256.New()
	_, err := k.next(ctx, func() (string, bool, error) { return k.tab.FirstKey(ctx) })
	k.any = false
	return err
}

// repeats reports whether a frame has the key of the one asked for before. A
// page that fails to name a frame is a page without keys: drawing the frame
// says what is wrong with it, if anything is.
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

// digest covers the keys of all frames that were asked for, and of what is shown
// first; "" when the page did not name them all.
func (k *keyReader) digest() string {
	if k.none {
		return ""
	}
	return hex.EncodeToString(k.all.Sum(nil))
}
