package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
)

func TestGC(t *testing.T) {
	t.Parallel()
	f := newFace(t)
	dry := false
	found := cli.Collected{Cache: "/c", Limit: 10e9, Removed: 3, RemovedBytes: 2e6, Kept: 1, KeptBytes: 500, Partial: 1, Leftovers: []string{"/c/tmp/koda-1"}}
	var failure error
	f.deps.Collect = func(_ context.Context, dryRun bool) (cli.Collected, error) {
		dry = dryRun
		return found, failure
	}
	if status := f.run("gc"); status != 0 || dry {
		t.Errorf("gc: %d, %s", status, f.err.String())
	}
	want := "removed directory /c/tmp/koda-1 of a killed process\nremoved 1 half-written part of videos\n" +
		"removed 3 parts of videos from the cache (2.0 MB)\nthe cache holds 1 part of videos (500 B of at most 10.0 GB) in /c\n"
	if f.out.String() != want {
		t.Errorf("gc said %q", f.out.String())
	}
	found.Busy, found.Limit, found.Leftovers = true, -1, nil
	found.Sandboxes = []engine.SweptSandbox{{ID: "local-1", Project: "ball", Why: "nobody came back to it"}, {ID: "local-2", Why: "no project uses it"}}
	found.Previews = []engine.SweptPreview{{Path: "/p/previews/ball-v1.mp4", Size: 1500}}
	found.Contents = []engine.SweptContents{{Project: "ball", Files: 3, Size: 1500}}
	found.Sessions, found.Browsers, found.Temps = 2, []int{42}, []string{"/h/.x.1.tmp"}
	f.run("gc", "--dry-run")
	want = "would remove sandbox local-1 of ball: nobody came back to it\nwould remove sandbox local-2: no project uses it\n" +
		"would remove preview /p/previews/ball-v1.mp4 (1.5 kB)\nwould remove 3 stored files of ball that no version needs (1.5 kB)\nwould remove process 42, a browser of a killed process\n" +
		"would remove half-written file /h/.x.1.tmp\nwould remove 2 sessions nobody works in\n" +
		"would remove 1 half-written part of videos\nwould remove 3 parts of videos from the cache (2.0 MB)\n" +
		"the cache holds 1 part of videos (500 B without a bound) in /c\n"
	if f.out.String() != want || !dry || !strings.Contains(f.err.String(), "a render is at work") {
		t.Errorf("gc --dry-run said %q, %q", f.out.String(), f.err.String())
	}
	var got struct {
		OK           bool  `json:"ok"`
		RemovedBytes int64 `json:"removedBytes"`
		DryRun       bool  `json:"dryRun"`
	}
	f.run("gc", "--dry-run", "--json")
	all := f.envelopes()
	if err := json.Unmarshal(all[len(all)-1].Payload, &got); err != nil || !got.OK || got.RemovedBytes != 2e6 || !got.DryRun {
		t.Errorf("gc --json: %+v, %v", got, err)
	}
	// gc reports what it did even if something else failed.
	if failure = errors.New("broken"); f.run("gc") != 1 || !strings.Contains(f.err.String(), "broken") || !strings.Contains(f.out.String(), "removed preview") {
		t.Errorf("a failure: %q, %q", f.out.String(), f.err.String())
	}
	found, failure = cli.Collected{Cache: "/c", Limit: -1}, nil
	if f.run("gc"); !strings.HasPrefix(f.out.String(), "nothing to remove\n") {
		t.Errorf("gc said %q", f.out.String())
	}
}
