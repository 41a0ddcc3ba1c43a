package browser_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/browser"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/hostos"
)

// A probe's answer is kept. If the kept answer cannot be read, the probe is repeated.
func TestCachedProbe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	started := make(chan sandbox.Process, 16)
	host := watchedHost{hostos.New(t.TempDir()), started}
	launches := func() (n int) {
		for len(started) > 0 {
			<-started
			n++
		}
		return n
	}
	slots <- struct{}{}
	defer func() { <-slots }()
	first, err := browser.CachedProbe(t.Context(), host, browser.Wanted{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", first)
	if !slices.Contains([]string{"framebuffer", "beginframe", "screenshot"}, first.Method) || first.Build == "" || first.Why == "" || first.GL == "" {
		t.Errorf("%+v", first)
	}
	if n := launches(); n == 0 {
		t.Error("the first probe started no browser")
	}
	again, err := browser.CachedProbe(t.Context(), host, browser.Wanted{}, dir)
	if diff := cmp.Diff(first, again); diff != "" || err != nil {
		t.Errorf("the second answer: %v\n%s", err, diff)
	}
	if n := launches(); n != 0 {
		t.Errorf("the second answer took %d browsers", n)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, err := browser.CachedProbe(t.Context(), host, browser.Wanted{}, dir); err != nil || third != first || launches() == 0 {
		t.Errorf("after the file was spoiled: %+v, %v", third, err)
	}
}

// A program that is no browser is not taken for a browser.
func TestProbeRefuses(t *testing.T) {
	t.Parallel()
	_, err := browser.Probe(t.Context(), hostos.New(t.TempDir()), browser.Wanted{Path: "/bin/true"})
	if koda.CodeOf(err) != koda.CodeCaptureFailed || koda.HintOf(err) == "" {
		t.Errorf("%v: %s", err, koda.HintOf(err))
	}
}
