package proc_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/proc"
)

// A child that gives way has a lower priority than koda, and so have its own children. It
// cannot change that, as root neither.
func TestStart_GivesWay(t *testing.T) {
	t.Parallel()
	niceness := func(low bool) int {
		// The shell waits for its input, so its priority is set before it starts nice.
		child, err := proc.Start(context.Background(), proc.Spec{Path: "/bin/sh", Args: []string{"-c", "read go; renice -n -8 -p $$ >&2; exec nice"}, Env: []string{"PATH=/usr/bin:/bin"}, Stdin: true, Low: low})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := child.Stdin().Write([]byte("go\n")); err != nil {
			t.Fatal(err)
		}
		out := make([]byte, 16)
		n, _ := child.Stdout().Read(out) //nolint:errcheck // an empty answer fails below
		if err := child.Wait(); err != nil {
			t.Fatal(err)
		}
		value, err := strconv.Atoi(strings.TrimSpace(string(out[:n])))
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	if mine, low := niceness(false), niceness(true); low <= mine {
		t.Errorf("niceness %d, and %d of a child that gives way", mine, low)
	}
}
