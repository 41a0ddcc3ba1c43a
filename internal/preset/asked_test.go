package preset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/preset"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	asks := func(names ...string) preset.Asked { return preset.Asked{Presets: names, Now: true} }
	says := func(names ...string) preset.Asked { return preset.Asked{Presets: names} }
	for text, want := range map[string]preset.Asked{
		"render it as gif": asks("gif"), "Export as a GIF, please!": asks("gif"), "save it as mov": asks("mov"), "export prores": asks("mov"),
		"render it for YouTube": asks("youtube"), "export mp4 square": asks("square"), "export it in square": asks("square"), "render webm and gif": asks("webm", "gif"),
		"render for tik tok": asks("tiktok"), "export for youtube shorts": asks("tiktok"), "convert it to webm": asks("webm"), "als gif exportieren": asks("gif"),
		"exporte en gif": asks("gif"), "as a gif please": says("gif"), "gif": says("gif"), "I need a webm, too": says("webm"), "can I have it as mp4?": says("final"),
		"render gif gif": asks("gif"), "export avi": {Unknown: "avi", Now: true}, "render it as mkv": {Unknown: "mkv", Now: true},
		"make it square": {}, "square": {}, "portrait please": {}, "render it in blue": {}, "render the shadow": {}, "save the whale": {}, "convert to euros": {},
		"a gif of a cat": {}, "gif in red": {}, "": {}, "export": {}, "render it": {}, "make the title say gif": {}, "x": {}, "bigger": {}, "save as draft 2": {},
	} {
		if diff := cmp.Diff(want, preset.Ask(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
