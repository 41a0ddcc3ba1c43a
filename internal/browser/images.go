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

// Chromium shows in a frame those pictures of animated images that are due before the
// frame ends. It counts from the ends of frames, and so it is up to two pictures early.
// In frames without length Chromium is exact, but a frame without length never ends if
// the page also changes in it. So koda first draws what the page shows at a time, and
// brings the images to that time when nothing else changes.
//
// In a page that plays by itself, each frame runs callbacks, which change the page. There
// images move between two frames, in a frame of their own that ends where the next frame
// of this kind begins. If the pictures of an image last as long as a frame or longer,
// each frame shows the picture that is due at its time. Otherwise a frame is up to one
// picture early.

// pictures says how far the animated images of a page have come.
type pictures struct {
	wait bool // there are images, and they have not begun to move
	move bool // there are images, and they move
}

func (o *Options) pictures() pictures {
	return pictures{wait: controlled(o.Info) && len(animatedImages(o.Page.Files)) > 0}
}

// after draws what comes to the screen late, after the page showed a time: late changes
// of the page, and the pictures of animated images.
func (t *Tab) after(ctx context.Context, frame int) error {
	var at []int
	switch {
	case !controlled(t.opts.Info):
		return nil
	case t.images.wait:
		// The images begin at time 0, as if the frames before were captured too. After a
		// leap, the first frame starts the images, and the next frame finds them at their
		// time.
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

// calm draws what the page shows, and then what the page's observers change. It returns
// how long a frame may last in which images move, in ms. Only a page that changes nothing
// more allows a frame without length.
func (t *Tab) calm(ctx context.Context) (float64, error) {
	rest := 0 // drawings in a row without a change
	for range redraws {
		t.ticks += tickStep
		damage, err := t.change(ctx, t.interval())
		if err == nil { // observers run in a task of their own
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

// afterFrame is how long after a frame of a page that plays its images move, in ms. That
// moment is far from any frame, which may be half of timelineGrain early or late, and
// nothing begins or ends at it.
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
		at -= timelineGrain / 2 // include a picture that is due at the time of the frame
	}
	t.ticks = max(t.ticks+tickStep, math.Floor(1000*at)/1000+tickStep/2)
	// A little less than a whole frame, because these frames count in whole microseconds:
	// a picture that is due just after one of them would come a frame late.
	_, err := t.change(ctx, t.interval()-2*tickStep)
	return err
}

// change draws the screen as it is, in a frame of a given length in ms, and reports
// whether anything changed.
func (t *Tab) change(ctx context.Context, interval float64) (bool, error) {
	res, err := t.beginFrame(ctx, headlessexperimental.BeginFrameParams{FrameTimeTicks: t.ticks, Interval: interval})
	t.stale = t.stale || res.HasDamage
	return res.HasDamage, err
}

// mostImages bounds how many animated images of a page are played from time 0 before they
// are shown.
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
