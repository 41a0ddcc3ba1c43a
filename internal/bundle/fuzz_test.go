package bundle_test

import (
	"testing"
	"testing/fstest"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
)

// FuzzManifest: whatever is in a koda.json, reading it ends, an error has a hint,
// and an accepted manifest is within the limits of a page.
func FuzzManifest(f *testing.F) {
	for _, s := range []string{
		`{"schema": 1, "name": "ball", "width": 1920, "height": 1080, "fps": 60, "duration": 5, "scenes": [{"title": "Intro", "start": 0}]}`,
		`{"schema": 1, "name": "x", "width": 16, "height": 7680, "fps": "30000/1001", "duration": 1e-300}`,
		`{"schema": 1, "width": -2, "height": 1e99, "fps": "1/0", "duration": null, "scenes": [null, {}]}`, `{"schema":1 "a":,}`, `{"scenes": [{"start": [}]}]`, `{}`, `[]`, `null`, ``, "\xef\xbb\xbf{}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := bundle.ReadManifest(fstest.MapFS{"koda.json": {Data: data}})
		if err != nil {
			if koda.CodeOf(err) != koda.CodeInvalidInput || koda.HintOf(err) == "" {
				t.Errorf("%v has no code, or no hint", err)
			}
			return
		}
		sides := m.Width >= koda.MinSide && m.Width <= koda.MaxSide && m.Height >= koda.MinSide && m.Height <= koda.MaxSide
		if !sides || !(m.Duration > 0 && m.Duration <= koda.MaxDuration) || m.FPS.Num <= 0 || m.FPS.Den <= 0 {
			t.Errorf("accepted %+v", m)
		}
	})
}
