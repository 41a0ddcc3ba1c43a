// Package failpoint names the places where a crash is interesting, so that
// tests can die exactly there.
//
// Nothing happens unless KODA_FAILPOINT is set in the environment of the
// process: "store.commit" dies at the first hit of that name, "store.commit:3"
// at its third, "#17" at the seventeenth hit of any name. Dying means SIGKILL,
// as a power cut would: no deferred function runs. KODA_FAILPOINT_LOG names a
// file that receives one line a hit, so that a test can count them.
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
	logTo string
	hits  = map[string]int{}
	total int
)

func setup() {
	spec := os.Getenv("KODA_FAILPOINT")
	logTo = os.Getenv("KODA_FAILPOINT_LOG")
	armed = spec != "" || logTo != ""
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

// Hit marks the place called point. It returns unless this very hit is the one
// the environment asks to die at.
func Hit(point string) {
	once.Do(setup)
	if !armed {
		return
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
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) //nolint:errcheck // nothing left to do
		select {}
	}
}
