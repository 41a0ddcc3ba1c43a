package offline_test

import (
	"bytes"
	"fmt"
	"image"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// TestScenes_pictures: a scene that was changed is drawn as the whole would be if
// it had been changed so, the others as if nothing had been: from the very frame
// on at which koda cuts the video, at every rate. Frame keys tell them apart.
func TestScenes_pictures(t *testing.T) {
	for _, tt := range []struct {
		prompt, style, change string
		width, height, fps    int
		cuts                  []float64
	}{
		{"bouncing ball", "playful", "navy background and a green star", 640, 360, 15, []float64{0, 1.68, 3.5}},
		{"bouncing ball", "cinematic", "lighter background", 480, 480, 24, []float64{0, 1.5, 3.333333}},
		{`title "Grüße" "from koda"`, "smooth", "white text on navy", 360, 640, 30, []float64{0, 1.5, 3.566667}},
	} {
		t.Run(fmt.Sprintf("%s/%s", tt.prompt[:5], tt.style), func(t *testing.T) {
			b := brief(tt.prompt, sized(tt.width, tt.height))
			pl := plan(t, b, koda.Answer{OptionID: tt.style})
			first := timeline.FirstAt(tt.cuts[1], koda.FPS{Num: tt.fps, Den: 1})
			after := timeline.FirstAt(tt.cuts[2], koda.FPS{Num: tt.fps, Den: 1})
			drawn := func(said string, frames ...int) (pictures map[int]image.Image, keys map[int]string) {
				pictures, keys = map[int]image.Image{}, map[int]string{}
				p := build(t, b, koda.Answer{OptionID: tt.style})
				p.manifest(t, func(m *koda.Manifest) {
					m.Scenes = []koda.SceneStart{{Start: tt.cuts[0]}, {Start: tt.cuts[1]}, {Start: tt.cuts[2]}}
				})
				if said != "" {
					if err := p.change(b, pl, said); err != nil {
						t.Fatal(err)
					}
				}
				tab := p.open(t, tt.width, tt.height, 0.5, tt.fps)
				for _, n := range frames {
					pictures[n], keys[n] = decode(t, shoot(t, tab, n)), key(t, tab, n)
				}
				return pictures, keys
			}
			was, wasKeys := drawn("", first-1, first, after-1, after)
			all, _ := drawn(tt.change, first, after-1)
			got, gotKeys := drawn(tt.change+" in scene 2", first-1, first, after-1, after)
			for n := range got {
				want, inside := was[n], n >= first && n < after
				if inside {
					want = all[n]
					if d := difference(was[n], got[n], 16); d < 0.01 {
						t.Errorf("frame %d of scene 2 is as before", n)
					}
				}
				if d := difference(want, got[n], 8); d > 0.0005 {
					t.Errorf("frame %d, scene 2 being %d–%d: %.4f of it is not as it should be", n, first, after-1, d)
				}
				if same := wasKeys[n] == gotKeys[n]; same == inside {
					t.Errorf("frame %d, scene 2 being %d–%d: its key is the same: %v", n, first, after-1, same)
				}
			}
		})
	}
}

// A change of the first scene is one of the first scene alone, although a page
// shows it first: its other frames keep their bytes, and what they are told by.
func TestScenes_first(t *testing.T) {
	b := brief("bouncing ball", sized(640, 360))
	p := build(t, b, koda.Answer{OptionID: "playful"})
	drawn := func() (first, key0, key50 string, frame50, frame0 []byte) {
		tab := p.open(t, 640, 360, 0.5, 30)
		first, ok, err := tab.FirstKey(t.Context())
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		return first, key(t, tab, 0), key(t, tab, 50), shoot(t, tab, 50), shoot(t, tab, 0)
	}
	first, key0, key50, frame50, frame0 := drawn()
	if first != key0 {
		t.Errorf("the page of a plain project shows %s first, frame 0 is %s", first, key0)
	}
	if err := p.change(b, plan(t, b, koda.Answer{OptionID: "playful"}), "navy background in scene 1"); err != nil {
		t.Fatal(err)
	}
	newFirst, newKey0, newKey50, newFrame50, newFrame0 := drawn()
	if first != newFirst || key50 != newKey50 || !bytes.Equal(frame50, newFrame50) {
		t.Errorf("frame 50 of scene 2 changed: first %v, key %v, picture %v", first != newFirst, key50 != newKey50, !bytes.Equal(frame50, newFrame50))
	}
	if key0 == newKey0 || difference(decode(t, frame0), decode(t, newFrame0), 24) < 0.5 {
		t.Errorf("frame 0 did not change: key %v", key0 != newKey0)
	}
}

// The parameters of a render stand over what scenes have of their own.
func TestScenes_props(t *testing.T) {
	b := brief(`title "Ann"`, sized(640, 360))
	p := build(t, b, koda.Answer{OptionID: "smooth"})
	if err := p.change(b, plan(t, b, koda.Answer{OptionID: "smooth"}), "navy background in scene 2"); err != nil {
		t.Fatal(err)
	}
	tab := p.openWith(t, 640, 360, 0.5, 30, `{"background": "#c00000"}`)
	corner := func(n int) [3]int { return rgb(decode(t, shoot(t, tab, n)), 2, 90) }
	if one, two := corner(30), corner(75); one != two || one[0] < 100 || one[2] > 40 {
		t.Errorf("with a red background scene 1 is %v and scene 2 is %v", one, two)
	}
}
