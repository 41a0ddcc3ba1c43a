// Package failpoint names the places where a test wants a crash or a full disk:
// every commit to the journal, every rename that publishes a file or a sandbox,
// every call that changes a sandbox, every answered call, and the beginning and end
// of every effect. internal/archtest finds a commit or a rename without a
// failpoint.
//
// Nothing happens unless KODA_FAILPOINT is set in the environment of the process:
// with "store.commit.before" the process dies at the first hit of that name, with
// "store.commit.before:3" at the third hit, with "#17" at the seventeenth hit of
// any name. It dies by SIGKILL, so that no deferred function runs. With "=full" at
// the end ("#17=full") the process lives on, but the disk is full from that hit on:
// [Fail] returns ENOSPC.
//
// KODA_FAILPOINT_LOG names a file that receives one line for each hit, so that a
// test can count the hits.
package failpoint

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

var (
	once  sync.Once
	armed bool
	mu    sync.Mutex
	name  string
	at    int
	fill  bool // the disk fills up instead of the process dying
	full  bool
	logTo string
	hits  = map[string]int{}
	total int
)

func setup() {
	spec, mode, _ := strings.Cut(os.Getenv("KODA_FAILPOINT"), "=")
	logTo = os.Getenv("KODA_FAILPOINT_LOG")
	armed = spec != "" || logTo != ""
	fill = mode == "full"
	if n, ok := strings.CutPrefix(spec, "#"); ok {
		at, _ = strconv.Atoi(n) //nolint:errcheck // 0 never matches
		return
	}
	if spec == "" {
		return // counting only: at stays 0 and never matches
	}
	var count string
	name, count, _ = strings.Cut(spec, ":")
	at = 1
	if count != "" {
		at, _ = strconv.Atoi(count) //nolint:errcheck // 0 never matches
	}
}

// Hit marks the place called point. It returns unless the environment asks for a
// crash at this hit.
func Hit(point string) {
	_ = hit(point) // a full disk changes nothing here
}

// Fail is Hit for a place that writes to the disk. It returns nil, or ENOSPC while
// the environment asks for a full disk.
func Fail(point string) error {
	if hit(point) {
		return fmt.Errorf("failpoint %s: %w", point, syscall.ENOSPC)
	}
	return nil
}

// hit reports whether the disk is full.
func hit(point string) bool {
	once.Do(setup)
	if !armed {
		return false
	}
	mu.Lock()
	defer mu.Unlock()
	hits[point]++
	total++
	if logTo != "" {
		if f, err := os.OpenFile(logTo, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprintf(f, "%d %s\n", total, point)
			_ = f.Close() //nolint:errcheck // a test's log
		}
	}
	if (name == point && hits[point] == at) || (name == "" && total == at) {
		if !fill {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) //nolint:errcheck // nothing left to do
			select {}
		}
		full = true
	}
	return full
}
