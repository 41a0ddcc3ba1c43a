package browser

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/koda-video/koda/internal/koda"
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
// A page that plays is not told the time; clock/play.js says how its time runs.
//
// Promises, MessageChannel, fetch, fonts and workers stay real.

//go:embed clock/*.js
var clockFiles embed.FS

// clockParts are the files of the clock in the order they run. They are joined into one
// function with the parameter config, so that each file sees the names of all files, and
// the page sees none.
var clockParts = []string{"time", "random", "motion", "places", "play", "images", "media", "canvas", "settle", "limits", "calls", "guard"}

// clockURL is the name of the clock in stack traces.
const clockURL = "koda-clock.js"

// tellName is the function by which the clock tells koda a Mishap, a sentence about the
// page. The clock removes the function before any script of the page runs.
const tellName = "__kodaTell"

// clock is the script of the clock for these options.
func clock(o *Options) (string, error) {
	props := o.Viewport.Props
	if len(props) == 0 {
		props = json.RawMessage("{}")
	}
	config, err := json.Marshal(map[string]any{
		"props": props, "settle": o.SettleTimeout.Milliseconds(), "plays": o.Page.Plays, "webgl": o.Page.WebGL, "native": controlled(o.Info), "timeline": timelineAtZero,
		"films": origin + filmPath, "images": animatedImages(o.Page.Files),
	})
	if err != nil {
		return "", &koda.Error{Code: koda.CodeInvalidInput, Op: "read the parameters of the page", Err: err, Hint: "give a JSON object"}
	}
	var b strings.Builder
	// A frame begins with an empty document, whose window goes on to the document that is
	// loaded next. What belongs to the window stays.
	b.WriteString("(function (config) {\n'use strict'\nif (window.__koda) return window.__koda.adopt()\n")
	for _, part := range clockParts {
		text, err := clockFiles.ReadFile("clock/" + part + ".js")
		if err != nil {
			return "", fmt.Errorf("read the clock: %w", err)
		}
		b.Write(text)
	}
	fmt.Fprintf(&b, "})(%s)\n//# sourceURL=%s", config, clockURL)
	return b.String(), nil
}
