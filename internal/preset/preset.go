package preset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/koda-video/koda/internal/koda"
)

// Preset is a named output.
type Preset struct {
	Name    string          `json:"name"`
	Aliases []string        `json:"aliases,omitempty"`
	About   string          `json:"about"` // one line for people
	Kind    koda.RenderKind `json:"kind"`
	// Width and Height are the pixels of the video; 0: those of koda.json.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	// LongSide, when set, is the most pixels of the longer side: a larger size of
	// koda.json is reduced.
	LongSide int `json:"longSide,omitempty"`
	// Keeps is the longest side that is not reduced to LongSide: whoever makes a project of
	// this size wants this size.
	Keeps         int      `json:"keeps,omitempty"`
	FPS           koda.FPS `json:"fps,omitzero"`  // zero: that of koda.json
	CRF           int      `json:"crf,omitempty"` // on x264's scale
	EncoderPreset string   `json:"encoderPreset,omitempty"`
	Format        string   `json:"format"`
	MaxSeconds    float64  `json:"maxSeconds,omitempty"` // the longest video the platform takes; 0: any length
}

// The names of the two presets that every project uses.
const (
	Preview = "preview"
	Final   = "final"
)

const (
	previewCRF = 28
	finalCRF   = 18
	// On drawn pictures veryfast makes files about as small as medium at the same
	// CRF, and they look the same, in half the time. Faster presets make files
	// three times as large. See BenchmarkEncode in package ffmpeg.
	encoderPreset = "veryfast"
)

// All lists the presets in the order people are shown them.
func All() []Preset {
	fps := func(n int) koda.FPS { return koda.FPS{Num: n, Den: 1} }
	platform := func(name, about string, w, h, rate int, limit float64, aliases ...string) Preset {
		return Preset{
			Name: name, Aliases: aliases, About: about, Kind: koda.RenderFinal, Width: w, Height: h,
			FPS: fps(rate), CRF: finalCRF, EncoderPreset: encoderPreset, Format: MP4, MaxSeconds: limit,
		}
	}
	return []Preset{
		{
			Name: Preview, Aliases: []string{"draft"}, About: "small and quick, to look at before the final video", Kind: koda.RenderPreview,
			LongSide: 640, FPS: fps(15), CRF: previewCRF, EncoderPreset: encoderPreset, Format: MP4,
		},
		{
			Name: Final, Aliases: []string{"mp4", "full"}, About: "size and frame rate of koda.json", Kind: koda.RenderFinal,
			CRF: finalCRF, EncoderPreset: encoderPreset, Format: MP4,
		},
		platform("youtube", "YouTube, landscape", 1920, 1080, 60, 0, "yt", "landscape"),
		platform("reels", "Instagram Reels, portrait, up to 90 s", 1080, 1920, 30, 90, "instagram", "instagram-reels", "instagram-reel", "reel", "portrait"),
		platform("tiktok", "TikTok, portrait, up to 180 s", 1080, 1920, 30, 180, "tik-tok", "shorts", "youtube-shorts"),
		platform("twitter", "X (Twitter), landscape, up to 140 s", 1920, 1080, 30, 140, "x", "tweet"),
		platform("square", "square, for feeds", 1080, 1080, 30, 0, "instagram-post", "instagram-square", "1:1"),
		{
			Name: "gif", About: "animated picture for pages and messages, 480 pixels at most unless the project is small", Kind: koda.RenderFinal,
			LongSide: 480, Keeps: 800, FPS: fps(20), CRF: finalCRF, EncoderPreset: encoderPreset, Format: GIF,
		},
		{
			Name: "webm", Aliases: []string{"transparent", "alpha"}, About: "for web pages and overlays, transparent where the animation is; size and frame rate of koda.json", Kind: koda.RenderFinal,
			CRF: finalCRF, EncoderPreset: encoderPreset, Format: WebM,
		},
		{
			Name: "mov", Aliases: []string{"prores"}, About: "for editing programs, transparent where the animation is; size and frame rate of koda.json", Kind: koda.RenderFinal,
			CRF: finalCRF, EncoderPreset: encoderPreset, Format: MOV,
		},
	}
}

// Names lists the names of the presets, without aliases, in the order of All.
func Names() []string {
	var names []string
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Lookup finds a preset by name or alias; case, spaces and underscores do not
// matter. If the name is unknown, the error is USAGE with the nearest name as hint.
func Lookup(name string) (Preset, error) {
	want := strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
	words := make([]string, 0, 24)
	for _, p := range All() {
		if p.Name == want || slices.Contains(p.Aliases, want) {
			return p, nil
		}
		words = append(append(words, p.Name), p.Aliases...)
	}
	hint := "use one of " + strings.Join(Names(), ", ")
	if near := koda.Nearest(want, words); near != "" {
		hint = fmt.Sprintf("did you mean %q? The presets are %s", near, strings.Join(Names(), ", "))
	}
	return Preset{}, &koda.Error{Code: koda.CodeUsage, Op: fmt.Sprintf("unknown preset %q", name), Hint: hint}
}
