package browser

import (
	"encoding/json"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/templates/clock"
)

// The clock runs in every frame of a page, before the page's own scripts. It makes the
// picture a function of the time that koda tells the page.
//
// Until the page is ready, time is virtual and starts at 0: koda calls tick()
// again and again, timers fire in the order they are due, and each tick runs
// the animation frame callbacks once. (A clock that stood still would deadlock
// everything that waits for a first frame.)
//
// From ready on, koda calls seek(seconds, frame) for each frame. Date, performance.now,
// CSS animations, Web Animations, SMIL and playing media then stand at that time, and
// Math.random starts again from the frame's number. Timers that were pending at ready
// count from ready. Timers that are due by the time of a seek fire in order, each at its
// own time. Then the animation frame callbacks run, as often as it takes (steady.go).
// While the promise of a seek is pending, time goes on for timers and animation frames,
// but the time shown stands still.
//
// A page that plays is not told the time; play.js of the clock says how its time runs.
//
// Promises, MessageChannel, fetch, fonts and workers stay real.

// clockURL is the name of the clock in stack traces.
const clockURL = "koda-clock.js"

// tellName is the function by which the clock tells koda a Mishap, a sentence about the
// page. The clock removes the function before any script of the page runs.
const tellName = "__kodaTell"

// clockFor is the script of the clock for these options.
func clockFor(o *Options) (string, error) {
	props := o.Viewport.Props
	if len(props) == 0 {
		props = json.RawMessage("{}")
	}
	script, err := clock.Script(map[string]any{
		"props": props, "settle": o.SettleTimeout.Milliseconds(), "plays": o.Page.Plays, "webgl": o.Page.WebGL, "native": controlled(o.Info), "timeline": timelineAtZero,
		"films": origin + filmPath, "images": animatedImages(o.Page.Files),
	}, clockURL)
	if err != nil {
		return "", &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters of the page", Err: err, Hint: "give a JSON object"}
	}
	return script, nil
}
