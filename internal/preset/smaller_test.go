package preset_test

import (
	"errors"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

func TestSmaller(t *testing.T) {
	t.Parallel()
	s, err := preset.Spec(manifest(1920, 1080, 5), mustLookup(t, "preview"), preset.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	small, ok := preset.Smaller(s)
	if !ok || small.Width != 320 || small.Height != 180 || small.FPS != fps(15, 2) || small.Frames != 38 || small.Workers != 1 {
		t.Errorf("%v: %+v", ok, small)
	}
	small.First, small.Frames = 30, 8
	if part, ok := preset.Smaller(small); !ok || part.FPS != fps(15, 4) || part.First != 15 || part.Frames != 4 || part.Width != 160 || part.Height != 90 {
		t.Errorf("%v: %+v", ok, part)
	}
	tiny := s
	tiny.Width, tiny.Height = 30, 16
	if got, ok := preset.Smaller(tiny); ok {
		t.Errorf("%+v", got)
	}
	slow := s
	slow.FPS, slow.Frames = fps(1, 1), 5
	if got, ok := preset.Smaller(slow); !ok || got.FPS != fps(1, 1) || got.Frames != 5 {
		t.Errorf("%v: %+v", ok, got)
	}
}

func TestSuggestSmaller(t *testing.T) {
	t.Parallel()
	failed := &koda.Error{Code: koda.CodeRenderFailed, Op: "draw frames", Hint: "run it again"}
	from := 1.0
	for _, c := range []struct {
		preset, target string
		o              preset.Overrides
		err            error
		want           string
	}{
		{"final", "ball", preset.Overrides{}, failed, "run it again; a smaller one asks less of the machine: koda render ball --resolution 960x540 --workers 1"},
		{"reels", "ball", preset.Overrides{}, failed, "run it again; a smaller one asks less of the machine: koda render ball --preset reels --resolution 540x960 --workers 1"},
		{"final", "./my page", preset.Overrides{Format: "gif", From: &from}, &koda.Error{Code: koda.CodeOutOfMemory}, "a smaller one asks less of the machine: koda render './my page' --format gif --from 1 --to 5 --resolution 960x540 --workers 1"},
		{"preview", "ball", preset.Overrides{}, failed, "run it again"},
		{"final", "ball", preset.Overrides{}, &koda.Error{Code: koda.CodePageFailed, Hint: "mend it"}, "mend it"},
		{"final", "ball", preset.Overrides{}, &koda.Error{Code: koda.CodeOutOfMemory, Hint: "hold on to less", Lasting: true}, "hold on to less"},
	} {
		s, err := preset.Spec(manifest(1920, 1080, 5), mustLookup(t, c.preset), c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := preset.SuggestSmaller(c.err, s, c.target)
		if koda.HintOf(got) != c.want || koda.CodeOf(got) != koda.CodeOf(c.err) || got.Error() != c.err.Error() || !errors.Is(got, c.err) {
			t.Errorf("%s of %s: %v, hint %q, want %q", c.preset, c.target, got, koda.HintOf(got), c.want)
		}
	}
	if err := preset.SuggestSmaller(nil, koda.RenderSpec{Kind: koda.RenderFinal}, "ball"); err != nil {
		t.Error(err)
	}
}
