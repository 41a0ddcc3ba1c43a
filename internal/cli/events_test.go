package cli_test

import (
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// TestJSONHelp_Events: the help for readers of events names every type of event.
func TestJSONHelp_Events(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	if got := f.run("help", "json"); got != 0 {
		t.Fatal(got, f.err.String())
	}
	for _, of := range koda.EventTypes() {
		if of == koda.EventGlimpse {
			continue // never under --json
		}
		if !strings.Contains(f.out.String(), "\n  "+string(of)+" ") {
			t.Errorf("no line on %s", of)
		}
	}
}
