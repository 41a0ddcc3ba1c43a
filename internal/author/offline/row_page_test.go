package offline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/recipe"
	"github.com/koda-video/koda/internal/timeline"
)

// A row that changes the last scene alone keeps the keys and the pictures of all others,
// although its last text is longer. Its own scene has other keys and other pictures.
func TestRow_pictures(t *testing.T) {
	beats := func(last string) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`[{"scene":"title","text":"Great work"},{"scene":"bars","text":"Tickets","items":"Jan 30; Feb 45"},{"scene":"quote","text":"So far so good"},{"scene":"title","text":%q}]`, last))
	}
	b := brief("thanks", sized(320, 180))
	b.Recipe, b.Params = "story", map[string]string{"beats": string(beats("Thanks, Ann!")), "duration": "10"}
	p, _ := made(t, author(), b)
	page, err := koda.ParseManifest([]byte(p.files["koda.json"]))
	if err != nil {
		t.Fatal(err)
	}
	row, err := author().Row(t.Context(), recipe.FS(p.files), json.RawMessage(fmt.Sprintf(`{"who": 7, "beats": %s}`, beats("Thanks, Maximilian!"))), []string{"who"})
	if err != nil {
		t.Fatal(err, koda.HintOf(err))
	}
	last := timeline.FirstAt(page.Scenes[3].Start, koda.FPS{Num: 30, Den: 1})
	was, now := p.openWith(t, 320, 180, 1, 30, `{"who": 3}`), p.openWith(t, 320, 180, 1, 30, string(row))
	for _, n := range []int{0, 12, 80, 90, last - 1, last, last + 50} {
		same := n < last
		if a, b := key(t, was, n), key(t, now, n); (a == b) != same {
			t.Errorf("frame %d of %d: its keys are\n%s\n%s", n, last, a, b)
		}
		if a, b := shoot(t, was, n), shoot(t, now, n); same && !bytes.Equal(a, b) {
			t.Errorf("frame %d differs", n)
		} else if n > last && bytes.Equal(a, b) {
			t.Errorf("frame %d is the same", n)
		}
	}
}

// A morph begins with the picture of the scene before, and moves what both scenes have.
func TestMorph(t *testing.T) {
	b := brief("thanks", sized(320, 180))
	b.Recipe, b.Params = "story", map[string]string{"backdrop": "plain", "duration": "6", "beats": `[{"scene":"title","text":"Tickets"},{"scene":"bars","text":"Tickets","items":"Jan 30; Feb 45","transition":"morph"}]`}
	p, _ := made(t, author(), b)
	page, err := koda.ParseManifest([]byte(p.files["koda.json"]))
	if err != nil {
		t.Fatal(err)
	}
	cut := timeline.FirstAt(page.Scenes[1].Start, koda.FPS{Num: 30, Den: 1})
	tab := p.open(t, 320, 180, 1, 30)
	before, first, later := decode(t, shoot(t, tab, cut-1)), decode(t, shoot(t, tab, cut)), decode(t, shoot(t, tab, cut+14))
	if d := difference(before, first, 48); d > 0.025 { // a pixel of so small a frame
		t.Errorf("the morph begins with a leap: %.4f of the picture differs", d)
	}
	if d := difference(first, later, 48); d < 0.05 {
		t.Errorf("nothing moves: %.4f of the picture differs", d)
	}
}
