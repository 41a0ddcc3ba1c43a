package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/cli"
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
	want := "removed 3 parts of videos (2.0 MB), 1 half-written file and 1 temporary directory of killed processes\nkept 1 part (500 B of at most 10.0 GB) in /c\n"
	if f.out.String() != want {
		t.Errorf("gc said %q", f.out.String())
	}
	found.Busy, found.Limit, found.Leftovers = true, -1, nil
	if f.run("gc", "--dry-run"); !dry || !strings.Contains(f.out.String(), "would remove 3 parts") || !strings.Contains(f.out.String(), "500 B without a bound") ||
		!strings.Contains(f.out.String(), "0 temporary directories") || !strings.Contains(f.err.String(), "a render is at work") {
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
	if failure = errors.New("broken"); f.run("gc") != 1 || !strings.Contains(f.err.String(), "broken") {
		t.Errorf("a failure: %q", f.err.String())
	}
}
