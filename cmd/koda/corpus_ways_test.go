package main

import (
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/timeline"
)

// freshAt are the frames that are compared with fresh pages. None of them is the
// first frame of a segment, as a fresh page draws that frame anyway.
var freshAt = []int{1, 5, 14, 31, 40, 59, 61, 68, 77, 95, 104, 119}

// try draws a page in all ways.
func (c *corpus) try(t *testing.T, p corpusPage) (r corpusRow) {
	t.Helper()
	dir, home := c.lay(t, p), t.TempDir()
	out := filepath.Join(home, "out.mp4")
	whole := c.draw(t, home, "", "render", dir, "-o", out)
	r.said = whole.said()
	if whole.ExitCode != 0 || p.bad {
		return r
	}
	rate := koda.FPS{Num: 60, Den: 1}
	r.frames, r.timed = whole.Render.Frames, !p.notime
	if r.timed {
		r.wrong = p.wrong(t, out, rate, whole.Render.Frames)
	}
	count := func(d corpusEnd) {
		r.of++
		if d.Render.SHA256 == whole.Render.SHA256 {
			r.alike++
		}
	}
	count(whole)
	count(c.rendered(t, home, "", dir, "-o", out, "--no-cache", "--workers", "1"))
	if !c.all {
		return r
	}
	count(c.rendered(t, home, "", dir, "-o", out, "--no-cache"))
	end := busy(t, 4)
	count(c.rendered(t, home, "", dir, "-o", out, "--no-cache"))
	end()
	count(c.resumed(t, dir))

	frames := filepath.Join(home, "frames")
	c.rendered(t, home, "", dir, "--format", "png", "-o", frames)
	for _, n := range freshAt {
		still := filepath.Join(home, "still.png")
		at := strconv.FormatFloat(float64(n)*float64(rate.Den)/float64(rate.Num), 'f', 6, 64)
		if d := c.draw(t, home, "", "still", dir, "--at", at, "-o", still); d.ExitCode != 0 {
			t.Fatalf("koda still --at %s: %s", at, d.said())
		}
		r.fresh.compare(t, frameFile(frames, n), still)
	}
	must(t, os.WriteFile(filepath.Join(dir, "koda.json"), fmt.Appendf(nil, corpusManifest, p.name, corpusShort), 0o600))
	uncut := filepath.Join(home, "uncut")
	short := c.rendered(t, home, "", dir, "--format", "png", "-o", uncut)
	for n := whole.Render.Frames / 2; n < short.Render.Frames; n++ {
		r.cut.compare(t, frameFile(frames, n), frameFile(uncut, n))
	}
	return r
}

// resumed kills koda when its first segment is finished and its second segment
// nearly. Another koda draws the rest.
func (c *corpus) resumed(t *testing.T, dir string) corpusEnd {
	t.Helper()
	home := t.TempDir()
	out := filepath.Join(home, "out.mp4")
	if d := c.draw(t, home, "KODA_FAILPOINT=render.segment:2", "render", dir, "-o", out, "--workers", "1"); !d.Killed {
		t.Fatalf("koda outlived the failpoint: %s", d.said())
	}
	d := c.rendered(t, home, "", dir, "-o", out)
	if d.Render.Reused == 0 {
		t.Error("the second koda drew all frames again")
	}
	return d
}

// rates draws a page in a format at all rates; in mp4 also at a smaller size.
func (c *corpus) rates(t *testing.T, p corpusPage, format string) {
	t.Helper()
	dir, home := c.lay(t, p), t.TempDir()
	var r corpusRow
	try := func(rate koda.FPS, args ...string) {
		out := filepath.Join(home, "out."+format)
		d := c.rendered(t, home, "", append([]string{dir, "-o", out, "--format", format, "--fps", rate.String()}, args...)...)
		want := timeline.Frames(corpusDuration, rate)
		if d.Render.Frames != want {
			t.Errorf("%v: %d frames, want %d", rate, d.Render.Frames, want)
		}
		wrong := p.wrong(t, out, rate, want)
		if wrong > 0 {
			t.Errorf("%s at %v %q: %d of %d frames show a wrong time", format, rate, args, wrong, want)
		}
		r.of, r.frames, r.wrong = r.of+1, r.frames+want, r.wrong+wrong
		must(t, os.RemoveAll(out))
	}
	for _, rate := range corpusRates {
		try(rate)
	}
	if format == "mp4" {
		try(corpusRates[0], "--resolution", "320x180")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := c.matrix[p.name]
	sum.of, sum.frames, sum.wrong = sum.of+r.of, sum.frames+r.frames, sum.wrong+r.wrong
	c.matrix[p.name] = sum
}

// ownBegin is how many ms after 0 a page that plays by itself may begin to count
// its time: libraries make their first frame after loading and setting up, and some
// do not count it.
const ownBegin = 60

// wrong counts the frames of a video, or of a directory of pictures, that show a
// wrong time, and logs them.
func (p corpusPage) wrong(t *testing.T, video string, rate koda.FPS, frames int) (wrong int) {
	t.Helper()
	times := timesOf(t, video, p.gray)
	if len(times) != frames {
		t.Errorf("%s has %d frames, want %d", filepath.Base(video), len(times), frames)
	}
	begin := p.from * 1000
	at := func(n int) float64 { return 1000*float64(n)*float64(rate.Den)/float64(rate.Num) - begin }
	if p.own && len(times) > 0 {
		begin = at(len(times)-1) - float64(times[len(times)-1])
		if t.Logf("its time begins at %.1f ms", begin); math.Abs(begin) > ownBegin {
			begin = 0
		}
	}
	for n, got := range times {
		ms := at(n)
		if p.own && (n == 0 || ms < 0) {
			continue // the page has not begun to count
		}
		if !p.shows(got, ms) {
			if wrong++; wrong <= 3 {
				t.Logf("frame %d at %v shows %d ms, not %.3f", n, rate, got, ms)
			}
		}
	}
	return wrong + max(0, frames-len(times))
}

// shows reports whether a barcode shows a time, to the millisecond or to the page's
// own step.
func (p corpusPage) shows(got int, ms float64) bool {
	for _, near := range []float64{ms - 1, ms, ms + 1} {
		near = max(near, 0)
		if p.step > 0 {
			near = math.Floor(near/p.step) * p.step
		}
		if math.Abs(float64(got)-near) <= 1 {
			return true
		}
	}
	return false
}

func frameFile(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("frame_%05d.png", n)) }

// compare adds the difference of two pictures that should be equal.
func (d *frameDifference) compare(t *testing.T, a, b string) {
	t.Helper()
	first, second := picture(t, a), picture(t, b)
	if first.Bounds() != second.Bounds() {
		t.Fatalf("%s is %v, %s is %v", a, first.Bounds(), b, second.Bounds())
	}
	d.add(first, second)
}

func picture(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	p, err := png.Decode(f)
	must(t, err)
	return p
}

// busy keeps the machine busy with n loops until the returned function is called.
func busy(t *testing.T, n int) (end func()) {
	t.Helper()
	var loops []*exec.Cmd
	for range n {
		loop := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		must(t, loop.Start())
		loops = append(loops, loop)
	}
	return func() {
		for _, loop := range loops {
			_ = loop.Process.Kill()
			_ = loop.Wait()
		}
	}
}
