package draw_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/koda-video/koda/internal/draw"
	"github.com/koda-video/koda/internal/koda"
)

type namedTab struct {
	draw.Tab
	first string
	keys  []string
}

func (n namedTab) FrameKey(_ context.Context, frame int) (string, bool, error) {
	return n.keys[frame], true, nil
}

func (n namedTab) FirstKey(context.Context) (string, bool, error) { return n.first, true, nil }

func (n namedTab) Close() error { return nil }

// Two segments have equal digests only if the key of the page's first picture and
// every key of the span are equal, whatever the keys are.
func TestKeysAreSound(t *testing.T) {
	t.Parallel()
	digest := func(t *rapid.T, tab namedTab, start, end int) string {
		d := draw.New(draw.Config{Open: func(context.Context, koda.CaptureInfo, koda.Page, koda.Viewport) (draw.Tab, error) { return tab, nil }})
		seen, err := d.Inspect(context.Background(), koda.InspectJob{Keys: []koda.Span{{Start: start, End: end}}})
		if err != nil || len(seen.Keys) != 1 || seen.Keys[0] == "" {
			t.Fatalf("%+v, %v", seen, err)
		}
		return seen.Keys[0]
	}
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "1 a", "1 a\n1 b", "\n"}), rapid.String())
		a := rapid.SliceOfN(key, 2, 12).Draw(t, "keys")
		b := slices.Clone(a)
		first := key.Draw(t, "first")
		other := rapid.OneOf(rapid.Just(first), key).Draw(t, "another first")
		if rapid.Bool().Draw(t, "edited") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = key.Draw(t, "new")
		}
		if rapid.Bool().Draw(t, "moved") {
			i := rapid.IntRange(0, len(b)-2).Draw(t, "swap")
			b[i], b[i+1] = b[i+1], b[i]
		}
		start := rapid.IntRange(0, len(a)-1).Draw(t, "start")
		end := rapid.IntRange(start+1, len(a)).Draw(t, "end")
		one, two := digest(t, namedTab{first: first, keys: a}, start, end), digest(t, namedTab{first: other, keys: b}, start, end)
		if equal := first == other && slices.Equal(a[start:end], b[start:end]); (one == two) != equal {
			t.Fatalf("%q and %q of %d-%d: equal %v, one digest %v", a, b, start, end, equal, one == two)
		}
	})
}
