// Package clock is the script that makes a page a function of the time that koda tells it.
// It runs in every document of a page, before the page's own scripts: in a browser that
// draws, and in the live page of a person's browser.
//
// The package owns the script and nothing of a browser: what to call of it, and when, is
// told in internal/browser, which draws, and in internal/live, whose script in the
// picture does the same by messages.
package clock

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed *.js
var files embed.FS

// parts are the files of the clock in the order they run. They are joined into one
// function with the parameter config, so that each file sees the names of all files, and
// the page sees none.
var parts = []string{"time", "random", "motion", "places", "play", "images", "media", "canvas", "settle", "limits", "calls", "guard"}

// Script is the clock for a configuration, which is an object of JSON. The name is that of
// the script in stack traces. Further parts run last, within the clock.
func Script(config any, name string, further ...string) (string, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return "", fmt.Errorf("configure the clock: %w", err)
	}
	var b strings.Builder
	// A frame begins with an empty document, whose window goes on to the document that is
	// loaded next. What belongs to the window stays.
	b.WriteString("(function (config) {\n'use strict'\nif (window.__koda) return window.__koda.adopt()\n")
	for _, part := range parts {
		text, err := files.ReadFile(part + ".js")
		if err != nil {
			return "", fmt.Errorf("read the clock: %w", err)
		}
		b.Write(text)
	}
	for _, part := range further {
		b.WriteString(part)
	}
	fmt.Fprintf(&b, "})(%s)\n//# sourceURL=%s", text, name)
	return b.String(), nil
}
