package browser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/ffmpeg"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// filmed are options with ffmpeg to decode films with.
func filmed(t *testing.T, p koda.Page) browser.Options {
	t.Helper()
	opts := options(t, p)
	tool := ffmpeg.New(hostos.New(t.TempDir()), "")
	opts.Film = func(ctx context.Context, file []byte) (browser.Film, error) {
		film, err := tool.OpenFilm(ctx, file)
		if err != nil {
			return nil, err
		}
		return film, nil
	}
	return opts
}

// numberedFilm is a film of numbered pictures, twice as large.
func numberedFilm(t *testing.T, pictures int, fps, name string, args ...string) string {
	t.Helper()
	return converted(t, movingGIF(t, pictures, 10, 0), name, []string{"-r", fps}, append([]string{"-vf", "scale=iw*2:ih*2:flags=neighbor"}, args...)...)
}

var filmKinds = []struct {
	name, fps string
	args      []string
}{
	{"b.mp4", "30", []string{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "3", "-g", "12"}},
	{"ntsc.mp4", "30000/1001", []string{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-video_track_timescale", "30000"}},
	{"late.mp4", "24", []string{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-output_ts_offset", "1.5"}},
	{"vp8.webm", "25", []string{"-pix_fmt", "yuv420p", "-c:v", "libvpx", "-b:v", "400k", "-auto-alt-ref", "1", "-lag-in-frames", "10"}},
	{"vp9.webm", "50", []string{"-pix_fmt", "yuv420p", "-c:v", "libvpx-vp9", "-b:v", "400k", "-cpu-used", "8"}},
	{"old.mov", "15", []string{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-x264-params", "keyint=250:open-gop=1"}},
}

// In each frame a video shows the picture of the frame's time, at each rate and
// wherever a capture begins: a video that plays by itself, a looped video, a video
// that the page holds at a time, and a video on a canvas.
func TestFilms(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	for i, kind := range filmKinds {
		out := []koda.FPS{{Num: 30, Den: 1}, {Num: 24, Den: 1}, {Num: 60, Den: 1}, {Num: 30000, Den: 1001}, {Num: 25, Den: 1}, {Num: 30, Den: 1}}[i]
		t.Run(fmt.Sprintf("%s at %v", kind.name, out), func(t *testing.T) {
			t.Parallel()
			const pictures = 40
			film := numberedFilm(t, pictures, kind.fps, kind.name, kind.args...)
			opts := filmed(t, page(`<!doctype html><style>body { margin: 0 } video, canvas { display: block; width: 192px; height: 24px }</style>
				<video src="/`+kind.name+`" autoplay muted loop></video>
				<video id="once" muted><source src="/nothing.xyz" type="video/xyz"><source src="/`+kind.name+`"></video>
				<video id="held" src="/`+kind.name+`" muted></video>
				<canvas id="flat" width="192" height="24"></canvas><canvas id="deep" width="192" height="24"></canvas><canvas id="heldflat" width="192" height="24"></canvas><script>
				const video = document.querySelector('video'), flatly = flat.getContext('2d')
				once.play()
				window.__exportSeekTo = async (t) => {
					flatly.drawImage(video, 0, 0)
					held.currentTime = .5 + t / 2
					await new Promise((done) => { held.onseeked = done })
					heldflat.getContext('2d').drawImage(held, 0, 0)
					deep.getContext('2d').drawImage(await createImageBitmap(once), 0, 0)
				}
				window.__kodaFrameKey = () => [video.duration, video.videoWidth, video.videoHeight, once.ended].join()
				held.oncanplaythrough = () => { window.__exportReady = true }</script>`, "/"+kind.name, film))
			opts.Viewport.FPS = out
			rate, err := koda.ParseFPS(kind.fps)
			if err != nil {
				t.Fatal(err)
			}
			at := func(num, den int) int { return num * rate.Num / (den * rate.Den) } // the picture at num/den s
			for _, start := range []int{0, 2 * out.Num / out.Den} {
				tab := open(t, opts)
				for n := start; n < start+20; n++ {
					own := at(n*out.Den, out.Num)
					want := []int{own % pictures, min(own, pictures-1), min(at(out.Num+n*out.Den, 2*out.Num), pictures-1)}
					want = append(want, want[0], want[1], want[2])
					p := decode(t, capture(t, tab, n))
					var got []int
					for row := range want {
						got = append(got, number(p, 0, row*24, 2))
					}
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("from %d, frame %d shows %v, want %v", start, n, got, want)
					}
				}
				if got := ask(t, tab, start); !strings.HasSuffix(got, fmt.Sprintf(",192,24,%t", at((start+19)*out.Den, out.Num) >= pictures)) {
					t.Errorf("the video says %s", got)
				}
				if err := tab.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// In a page that plays by itself, a video shows the time since it began to play.
func TestPlayedFilm(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	film := numberedFilm(t, 60, "30", "film.mp4", "-c:v", "libx264", "-pix_fmt", "yuv420p")
	p := page(`<!doctype html><style>body { margin: 0 } video { display: block; width: 192px; height: 24px }</style>
		<video src="/film.mp4" autoplay muted></video><video id="late" src="/film.mp4" muted></video><script>
		setTimeout(() => { late.currentTime = .5; late.play() }, 200)
		</script>`, "/film.mp4", film)
	p.Plays = true
	tab := open(t, filmed(t, p))
	for n := range 20 {
		late := 0
		if n >= 6 {
			late = 15 + n - 6
		}
		picture := decode(t, capture(t, tab, n))
		if a, b := number(picture, 0, 0, 2), number(picture, 0, 24, 2); a != n || b != late {
			t.Errorf("frame %d shows %d and %d, want %d and %d", n, a, b, n, late)
		}
	}
}

// A video that cannot be played is named in a mishap, and the page goes on.
func TestFilmsThatCannotBePlayed(t *testing.T) {
	t.Parallel()
	tab := open(t, filmed(t, page(`<!doctype html><video id="broken" src="/broken.mp4"></video><video id="gone" src="/gone.mp4"></video>
		<video id="far" src="https://example.com/far.mp4"></video><video id="made"></video><script>
		const failed = []
		for (const v of document.querySelectorAll('video')) v.onerror = () => { failed.push(v.id + v.error.code); if (failed.length === 4) window.__exportReady = true }
		made.src = URL.createObjectURL(new Blob(['no film at all'], { type: 'video/mp4' }))
		navigator.mediaDevices.getUserMedia({ video: true }).catch(() => {})
		window.__exportSeekTo = () => {}
		window.__kodaFrameKey = () => failed.sort().join()</script>`, "/broken.mp4", "not a film")))
	capture(t, tab, 0)
	if got := ask(t, tab, 0); got != "broken4,far4,gone4,made4" {
		t.Errorf("these failed: %s", got)
	}
	told := fmt.Sprint(tab.Mishaps())
	for _, want := range []string{"/broken.mp4 cannot be played", "has no file /gone.mp4", "example.com/far.mp4", "the page made", "getUserMedia"} {
		if !strings.Contains(told, want) {
			t.Errorf("%q is not in %s", want, told)
		}
	}
}

// Pages get pictures of a video in many ways: from bytes of their own, by
// callbacks, as frames and as textures. All ways show the same picture.
func TestFilmsAsPagesUseThem(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	film := numberedFilm(t, 60, "30", "film.mp4", "-c:v", "libx264", "-pix_fmt", "yuv420p")
	p := page(`<!doctype html><style>body { margin: 0 } video, canvas { display: block; width: 192px; height: 24px }</style>
		<video id="blob" muted></video><canvas id="called" width="192" height="24"></canvas><canvas id="framed" width="192" height="24"></canvas><canvas id="deep" width="192" height="24"></canvas>
		<script>
		const times = []
		const draw = (now, frame) => {
			called.getContext('2d').drawImage(blob, 0, 0)
			times.push(frame.mediaTime.toFixed(3))
			blob.requestVideoFrameCallback(draw)
		}
		blob.requestVideoFrameCallback(draw)
		const gl = deep.getContext('webgl')
		gl.bindTexture(gl.TEXTURE_2D, gl.createTexture())
		gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer())
		window.__exportSeekTo = async () => {
			const frame = new VideoFrame(blob)
			framed.getContext('2d').drawImage(frame, 0, 0)
			frame.close()
			gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, blob)
			gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, gl.getParameter(gl.TEXTURE_BINDING_2D), 0)
			const pixels = new Uint8ClampedArray(192 * 24 * 4)
			gl.readPixels(0, 0, 192, 24, gl.RGBA, gl.UNSIGNED_BYTE, pixels)
			const flat = new OffscreenCanvas(192, 24).getContext('2d')
			flat.putImageData(new ImageData(pixels, 192, 24), 0, 0)
			window.texture = flat.getImageData(0, 0, 192, 24).data
		}
		window.__kodaFrameKey = () => {
			let n = 0
			for (let b = 0; b < 8; b++) if (texture[4 * (12 * 192 + b * 24 + 12)] > 128) n |= 1 << b
			return n + ' ' + times.slice(-1)
		}
		const load = async () => {
			blob.src = URL.createObjectURL(await (await fetch('/film.mp4')).blob())
			await blob.play()
			window.__exportReady = true
		}
		load()</script>`, "/film.mp4", film)
	p.WebGL = true
	tab := open(t, filmed(t, p))
	for _, n := range []int{0, 1, 2, 10, 11, 40} {
		picture := decode(t, capture(t, tab, n))
		var got []int
		for row := range 3 {
			got = append(got, number(picture, 0, row*24, 2))
		}
		if want := fmt.Sprint([]int{n, n, n}); fmt.Sprint(got) != want {
			t.Errorf("frame %d shows %v", n, got)
		}
		if got, want := ask(t, tab, n), fmt.Sprintf("%d %.3f", n, float64(n)/30); got != want {
			t.Errorf("frame %d: the texture and the callback's time are %s, want %s", n, got, want)
		}
	}
}
