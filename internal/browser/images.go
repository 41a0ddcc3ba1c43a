package browser

import (
	"bytes"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/chromedp/cdproto/headlessexperimental"

	"github.com/koda-video/koda/internal/koda"
)

// Chromium shows in a frame the pictures of animated images that are due before its
// end, counts from the ends of frames, and so is up to two pictures early. In frames
// without length it is exact, but such a frame never ends when the page changes in
// it, too. So what a page shows at a time is drawn first, and its images are brought
// to the time of the frame when nothing else changes.
//
// In a page that plays by itself each frame runs callbacks, which change it. There images
// move between two frames, in one of their own that ends where the next of its kind
// begins: a picture due by the time of a frame is shown in it, where pictures last as
// long as a frame or longer; others are up to one picture early.

// pictures says how far the animated images of a page are.
type pictures struct {
	wait bool // there are some, and they have not begun
	move bool // there are some, and they have
}

func (o *Options) pictures() pictures {
	return pictures{wait: controlled(o.Info) && len(animatedImages(o.Page.Files)) > 0}
}

// after draws what comes to the screen after the page showed a time: what it changes
// late, and the pictures of animated images.
func (t *Tab) after(ctx context.Context, frame int) error {
	var at []int
	switch {
	case !controlled(t.opts.Info):
		return nil
	case t.images.wait:
		// They begin at time 0, as if the frames before were captured, too. The frame
		// after a leap starts them moving, the next one finds them there.
		at = []int{0, frame, frame}
	case t.images.move:
		at = []int{frame}
	case t.follows:
		_, err := t.calm(ctx)
		return err
	}
	for _, n := range at {
		length, err := t.calm(ctx)
		if err != nil {
			return err
		}
		if t.images.wait {
			if _, err := t.evaluate(ctx, "__koda.run()"); err != nil {
				return err
			}
			t.images = pictures{move: true}
			t.zero = t.ticks + tickStep
		}
		t.ticks = max(t.ticks+tickStep, t.ticksAt(n))
		if _, err := t.change(ctx, length); err != nil {
			return err
		}
	}
	return nil
}

// calm draws what the page shows, and what its observers then change. It returns how
// long a frame may be in which images move, in ms: one without length needs a page that
// changes nothing any more.
func (t *Tab) calm(ctx context.Context) (float64, error) {
	rest := 0 // drawings in a row that changed nothing
	for range redraws {
		t.ticks += tickStep
		damage, err := t.change(ctx, t.interval())
		if err == nil { // observers are told in a task of their own
			_, err = t.evaluate(ctx, "__koda.turn()")
		}
		if rest++; damage {
			rest = 0
		}
		if err != nil || rest > 1 || rest == 1 && !t.follows {
			return tickStep, err
		}
	}
	return t.interval(), nil
}

// afterFrame is how long after a frame of a page that plays its images move, in ms: far
// from where frames come, which are up to half of timelineGrain early or late, and at no
// time at which something begins or ends.
const afterFrame = 1.73

// animatePlaying brings the animated images of a page that plays to the time of its next
// frame.
func (t *Tab) animatePlaying(ctx context.Context, frame int) error {
	if frame == 0 || !t.images.wait && !t.images.move {
		return nil
	}
	at := t.zero + 1000*t.seconds(frame-1) + afterFrame
	if t.images.wait {
		if _, err := t.evaluate(ctx, "__koda.run()"); err != nil {
			return err
		}
		t.images = pictures{move: true}
		at -= timelineGrain / 2 // what is due at the time of a frame is
	}
	t.ticks = max(t.ticks+tickStep, math.Floor(1000*at)/1000+tickStep/2)
	// A little less, as these frames count in whole microseconds: no picture may be due
	// just after one of them, and so in the next of the page's.
	_, err := t.change(ctx, t.interval()-2*tickStep)
	return err
}

// change draws the screen as it is in a frame of a length, in ms, and reports whether
// that changed.
func (t *Tab) change(ctx context.Context, interval float64) (bool, error) {
	res, err := t.beginFrame(ctx, headlessexperimental.BeginFrameParams{FrameTimeTicks: t.ticks, Interval: interval})
	t.stale = t.stale || res.HasDamage
	return res.HasDamage, err
}

// mostImages bounds the animated images of a page that play from time 0 before
// they are shown.
const mostImages = 64

// animatedImages lists the files of a page that are images with several pictures.
func animatedImages(files map[string]koda.PageFile) []string {
	list := []string{}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if len(list) < mostImages && animated(files[path].Body) {
			list = append(list, path)
		}
	}
	return list
}

// animated reports whether a file is an image that moves, or a GIF, which may.
func animated(body []byte) bool {
	head := body[:min(len(body), 4096)]
	switch {
	case bytes.HasPrefix(head, []byte("GIF8")):
		return true
	case bytes.HasPrefix(head, []byte("\x89PNG")):
		return bytes.Contains(head, []byte("acTL"))
	case bytes.HasPrefix(head, []byte("RIFF")):
		return bytes.Contains(head, []byte("WEBPVP8X")) && bytes.Contains(head, []byte("ANIM"))
	}
	return len(head) > 12 && bytes.Contains(head[4:min(len(head), 64)], []byte("ftypavis"))
}
