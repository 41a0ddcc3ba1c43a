package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/browser/browsertest"
	"github.com/koda-video/koda/internal/needs"
)

// tone is two seconds of sound as a WAV file.
func tone() string {
	const rate, seconds = 8000, 2
	data := make([]byte, 44+2*rate*seconds)
	copy(data, "RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	le := binary.LittleEndian
	le.PutUint32(data[4:], uint32(len(data)-8))
	le.PutUint32(data[24:], rate)
	le.PutUint32(data[28:], 2*rate)
	le.PutUint16(data[32:], 2)
	le.PutUint16(data[34:], 16)
	copy(data[36:], "data")
	le.PutUint32(data[40:], uint32(len(data)-44))
	for i := range rate * seconds {
		le.PutUint16(data[44+2*i:], uint16(int16(8000*math.Sin(float64(i)/3))))
	}
	return string(data)
}

// The sound plays with the picture, follows the scrubber, and is gone with its file.
func TestPreview_sound(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	r := newServedRun(t)
	r.boxPage("#ff0000")
	r.write("box/public/audio/tone.wav", tone())
	url, _ := r.preview("box")
	p := browsertest.Open(t, 1000, 700)
	p.Visit(url + "#t=0.5")
	const sound = "document.querySelector('#sound')"
	p.Until("the sound is there", settled+" && !document.querySelector('#mute').hidden && "+sound+".duration === 2 && "+sound+".paused")
	p.Press(" ")
	p.Until("it plays from where the picture is", "!"+sound+".paused && "+sound+".currentTime > 0.6")
	if apart := browsertest.Ask[float64](p, "Math.abs("+sound+".currentTime - document.querySelector('#scrub').value / 10)"); apart > 0.5 {
		t.Errorf("sound and picture are %g s apart", apart)
	}
	browsertest.Ask[any](p, "(() => { const s = document.querySelector('#scrub'); s.value = 15; s.dispatchEvent(new Event('input')) })()")
	p.Until("it follows the scrubber", sound+".currentTime >= 1.5")
	p.Until("it begins again with the picture", sound+".currentTime < 1")
	p.Press("m")
	p.Until("it is muted", sound+".muted && !"+sound+".paused")
	p.Press("m ")
	p.Until("it pauses with the picture", "!"+sound+".muted && "+sound+".paused")
	p.Press("\u0305\u0302")
	p.Until("it stands where the picture stands", "Math.abs("+sound+".currentTime - 1.8) < 0.01")
	must(t, os.Remove(filepath.Join(r.dir, "box/public/audio/tone.wav")))
	p.Until("its file is gone", "document.querySelector('#mute').hidden && !"+sound+".hasAttribute('src')")
}

// A page that plays by itself plays by koda's clock: forward frame by frame, and from its
// beginning when the person goes back.
func TestPreview_plays(t *testing.T) {
	t.Parallel()
	needs.Chromium(t)
	r := newServedRun(t)
	r.write("box/koda.json", `{"schema": 1, "name": "box", "width": 320, "height": 180, "fps": 10, "duration": 2, "play": true}`)
	r.write("box/index.html", `<!doctype html><body style="margin:0;background:#fff"><div id="box" style="position:absolute;width:20px;height:20px;top:70px;background:#f00"></div>
<script>const step = (now) => { box.style.left = Math.round(now / 10) + 'px'; requestAnimationFrame(step) }; requestAnimationFrame(step)</script>`)
	url, _ := r.preview("box")
	p := browsertest.Open(t, 1000, 700)
	p.Visit(url)
	p.Until("the picture is there", settled)
	for _, frame := range []int{15, 5, 19} {
		browsertest.Ask[any](p, fmt.Sprintf("(() => { const s = document.querySelector('#scrub'); s.value = %d; s.dispatchEvent(new Event('input')) })()", frame))
		p.Until("the frame is seen", fmt.Sprintf("document.documentElement.dataset.frame === '%d'", frame))
		sees(t, p, fmt.Sprint("frame ", frame), float64(10*frame+10), 80, "#ff0000")
		sees(t, p, fmt.Sprint("beside it in frame ", frame), float64(10*frame-20), 80, "#ffffff")
	}
}
