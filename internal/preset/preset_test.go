package preset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/preset"
)

func fps(num, den int) koda.FPS { return koda.FPS{Num: num, Den: den} }

func manifest(w, h int, seconds float64) koda.Manifest {
	return koda.Manifest{Schema: 1, Name: "ball", Width: w, Height: h, FPS: fps(60, 1), Duration: seconds}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"preview": "preview", "Final": "final", "youtube": "youtube", "reels": "reels", "Instagram Reels": "reels",
		"instagram": "reels", "shorts": "tiktok", "tiktok": "tiktok", " X ": "twitter", "square": "square", "instagram_post": "square",
	} {
		p, err := preset.Lookup(said)
		if err != nil || p.Name != want {
			t.Errorf("Lookup(%q) = %q, %v, want %q", said, p.Name, err, want)
		}
	}
	for said, hint := range map[string]string{
		"real": `"reel"`, "reals": `"reels"`, "youtub": `"youtube"`, "titkok": `"tiktok"`, "insta": `"instagram"`, "nothing-like-it": "use one of preview, final",
		"": "use one of",
	} {
		_, err := preset.Lookup(said)
		if koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(koda.HintOf(err), hint) {
			t.Errorf("Lookup(%q) = %v, hint %q, want %q in it", said, err, koda.HintOf(err), hint)
		}
	}
}

// Every name and alias leads to one preset only, and each preset makes a spec.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, p := range preset.All() {
		for _, name := range append([]string{p.Name}, p.Aliases...) {
			if other, ok := seen[name]; ok {
				t.Errorf("%q names %s and %s", name, other, p.Name)
			}
			seen[name] = p.Name
		}
		if _, err := preset.Spec(manifest(1920, 1080, 5), p, preset.Overrides{}); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if got := len(preset.Names()); got != len(preset.All()) {
		t.Errorf("%d names", got)
	}
}

func TestParseResolution(t *testing.T) {
	t.Parallel()
	wide, tall, square := preset.Size{Width: 1920, Height: 1080}, preset.Size{Width: 1080, Height: 1920}, preset.Size{Width: 1080, Height: 1080}
	for _, c := range []struct {
		said  string
		shape preset.Size
		want  string
	}{
		{"720p", wide, "1280x720"}, {"720p", tall, "720x1280"}, {"720p", square, "720x720"}, {"480p", wide, "854x480"},
		{"1080p", wide, "1920x1080"}, {"4k", wide, "3840x2160"}, {"4K", tall, "2160x3840"}, {"UHD", wide, "3840x2160"}, {"hd", wide, "1280x720"},
		{"1280x720", tall, "1280x720"}, {" 640 × 360 ", wide, "640x360"}, {"640X360", wide, "640x360"}, {"7680x4320", wide, "7680x4320"}, {"16x16", wide, "16x16"},
	} {
		r, err := preset.ParseResolution(c.said)
		if err != nil {
			t.Errorf("%q: %v", c.said, err)
			continue
		}
		if got, err := r.In(c.shape); err != nil || got.String() != c.want {
			t.Errorf("%q of %v = %v, %v, want %s", c.said, c.shape, got, err, c.want)
		}
	}
	for said, want := range map[string]string{
		"": "not understood", "big": "not understood", "x": "not understood", "12xx8": "not understood", "1e3x5": "not understood", "p": "not understood",
		"0x0": "too small", "-4x100": "too small", "0p": "too small", "-720p": "too small", "8x8": "too small",
		"1281x721": "is odd: video sizes are even: the nearest is 1282x722", "1280x721": "the nearest is 1280x722",
		"7682x100": "too large", "99999999x2": "too large", "9000p": "too large", "99999999999999999999x2": "not understood", "721p": "odd",
	} {
		r, err := preset.ParseResolution(said)
		if err == nil {
			_, err = r.In(wide)
		}
		text := ""
		if err != nil {
			text = err.Error() + ": " + koda.HintOf(err)
		}
		if koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(text, want) || koda.HintOf(err) == "" {
			t.Errorf("%q: got %q (%s), want %q", said, text, koda.CodeOf(err), want)
		}
	}
}

func TestSpec(t *testing.T) {
	t.Parallel()
	crf := 0
	for _, c := range []struct {
		name   string
		m      koda.Manifest
		preset string
		o      preset.Overrides
		want   koda.RenderSpec
	}{
		{"preview of landscape", manifest(1920, 1080, 5), "preview", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderPreview, Preset: "preview", Width: 640, Height: 360, PageWidth: 1920, PageHeight: 1080, FPS: fps(15, 1),
			Frames: 75, Duration: 5, Format: "mp4", CRF: 28, EncoderPreset: "veryfast",
		}},
		{"preview of portrait", manifest(1080, 1920, 2.5), "preview", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderPreview, Preset: "preview", Width: 360, Height: 640, PageWidth: 1080, PageHeight: 1920, FPS: fps(15, 1),
			Frames: 38, Duration: 2.5, Format: "mp4", CRF: 28, EncoderPreset: "veryfast",
		}},
		{"preview of a rounded shape", manifest(1366, 768, 1), "preview", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderPreview, Preset: "preview", Width: 640, Height: 360, PageWidth: 1366, PageHeight: 768, FPS: fps(15, 1),
			Frames: 15, Duration: 1, Format: "mp4", CRF: 28, EncoderPreset: "veryfast",
		}},
		{"preview of a small page", manifest(320, 240, 1), "preview", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderPreview, Preset: "preview", Width: 320, Height: 240, PageWidth: 320, PageHeight: 240, FPS: fps(15, 1),
			Frames: 15, Duration: 1, Format: "mp4", CRF: 28, EncoderPreset: "veryfast",
		}},
		{"final", manifest(1920, 1080, 5), "final", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, EncoderPreset: "veryfast",
		}},
		{"same shape, smaller", manifest(1920, 1080, 5), "final", preset.Overrides{Resolution: "480p", FPS: "29.97", CRF: &crf, EncoderPreset: "Slow", Format: ".mp4"}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "final", Width: 854, Height: 480, PageWidth: 1920, PageHeight: 1080, FPS: fps(30000, 1001),
			Frames: 150, Duration: 5, Format: "mp4", CRF: 0, EncoderPreset: "slow",
		}},
		{"on a graphics device, by ffmpeg's name", manifest(1920, 1080, 5), "final", preset.Overrides{Encoder: "H264_NVENC"}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "final", Width: 1920, Height: 1080, PageWidth: 1920, PageHeight: 1080, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, EncoderPreset: "veryfast", Encoder: "nvenc",
		}},
		{"another shape by preset", manifest(1920, 1080, 5), "reels", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "reels", Width: 1080, Height: 1920, PageWidth: 1080, PageHeight: 1920, FPS: fps(30, 1),
			Frames: 150, Duration: 5, Format: "mp4", CRF: 18, EncoderPreset: "veryfast",
		}},
		{"another shape by preset, smaller", manifest(1920, 1080, 5), "reels", preset.Overrides{Resolution: "720p"}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "reels", Width: 720, Height: 1280, PageWidth: 1080, PageHeight: 1920, FPS: fps(30, 1),
			Frames: 150, Duration: 5, Format: "mp4", CRF: 18, EncoderPreset: "veryfast",
		}},
		{"another shape by hand", manifest(1920, 1080, 5), "final", preset.Overrides{Resolution: "1000x1000"}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "final", Width: 1000, Height: 1000, PageWidth: 1000, PageHeight: 1000, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, EncoderPreset: "veryfast",
		}},
		{"youtube of a small page is the page enlarged", manifest(1280, 720, 5), "youtube", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "youtube", Width: 1920, Height: 1080, PageWidth: 1280, PageHeight: 720, FPS: fps(60, 1),
			Frames: 300, Duration: 5, Format: "mp4", CRF: 18, EncoderPreset: "veryfast",
		}},
		{"gif of a large page", manifest(1920, 1080, 1), "gif", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "gif", Width: 480, Height: 270, PageWidth: 1920, PageHeight: 1080, FPS: fps(20, 1), Frames: 20, Duration: 1, Format: "gif",
		}},
		{"gif of a page as small as somebody wanted it", manifest(512, 512, 1), "gif", preset.Overrides{}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "gif", Width: 512, Height: 512, PageWidth: 512, PageHeight: 512, FPS: fps(20, 1), Frames: 20, Duration: 1, Format: "gif",
		}},
		{"one frame at least", manifest(1920, 1080, 0.001), "square", preset.Overrides{FPS: "1"}, koda.RenderSpec{
			Kind: koda.RenderFinal, Preset: "square", Width: 1080, Height: 1080, PageWidth: 1080, PageHeight: 1080, FPS: fps(1, 1),
			Frames: 1, Duration: 0.001, Format: "mp4", CRF: 18, EncoderPreset: "veryfast",
		}},
	} {
		p, err := preset.Lookup(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		got, err := preset.Spec(c.m, p, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestSpecRefuses(t *testing.T) {
	t.Parallel()
	bad := 52
	ok := manifest(1920, 1080, 5)
	for _, c := range []struct {
		name   string
		m      koda.Manifest
		preset string
		o      preset.Overrides
		want   string
	}{
		{"too long for reels", manifest(1920, 1080, 90.5), "reels", preset.Overrides{}, "reels takes at most 90 s and the animation has 90.5 s"},
		{"too long for tiktok", manifest(1920, 1080, 181), "shorts", preset.Overrides{}, "at most 180 s"},
		{"too long for twitter", manifest(1920, 1080, 141), "twitter", preset.Overrides{}, "at most 140 s"},
		{"odd page", manifest(1919, 1080, 5), "preview", preset.Overrides{}, "koda.json: size 1919x1080 is odd"},
		{"no duration", manifest(1920, 1080, 0), "final", preset.Overrides{}, "duration 0 is not usable"},
		{"no rate", koda.Manifest{Width: 100, Height: 100, Duration: 1}, "final", preset.Overrides{}, "fps 0 is not usable"},
		{"fps 0", ok, "final", preset.Overrides{FPS: "0"}, `frame rate "0"`},
		{"fps 241", ok, "final", preset.Overrides{FPS: "241"}, `frame rate "241"`},
		{"crf", ok, "final", preset.Overrides{CRF: &bad}, "crf 52"},
		{"encoder preset", ok, "final", preset.Overrides{EncoderPreset: "veryfst"}, "unknown encoder preset"},
		{"encoder", ok, "final", preset.Overrides{Encoder: "nvec"}, `unknown encoder "nvec"`},
		{"encoder of webm", ok, "final", preset.Overrides{Encoder: "auto", Format: "webm"}, "--encoder says nothing about webm"},
		{"format", ok, "final", preset.Overrides{Format: "mp3"}, `unknown format "mp3"`},
		{"resolution", ok, "final", preset.Overrides{Resolution: "1281x720"}, "odd"},
		{"enlarged", manifest(640, 360, 1), "final", preset.Overrides{Resolution: "7680x4320"}, "a page of 640x360 cannot be enlarged to 7680x4320"},
		{"thin", manifest(7680, 16, 1), "final", preset.Overrides{Resolution: "720p"}, "too large"},
	} {
		p, err := preset.Lookup(c.preset)
		if err != nil {
			t.Fatal(err)
		}
		_, err = preset.Spec(c.m, p, c.o)
		if koda.CodeOf(err) != koda.CodeUsage || !strings.Contains(err.Error(), c.want) || koda.HintOf(err) == "" {
			t.Errorf("%s: got %v (%s, hint %q), want %q", c.name, err, koda.CodeOf(err), koda.HintOf(err), c.want)
		}
	}
	if _, err := preset.Spec(manifest(1920, 1080, 90), mustLookup(t, "reels"), preset.Overrides{}); err != nil {
		t.Errorf("exactly the limit: %v", err)
	}
}

func mustLookup(t *testing.T, name string) preset.Preset {
	t.Helper()
	p, err := preset.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
