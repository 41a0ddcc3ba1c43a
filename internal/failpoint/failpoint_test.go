package failpoint_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/failpoint"
)

func TestMain(m *testing.M) {
	if os.Getenv("FAILPOINT_CHILD") != "" {
		for _, p := range []string{"a", "b", "a", "c"} {
			failpoint.Hit(p)
		}
		return
	}
	os.Exit(m.Run())
}

func TestHit(t *testing.T) {
	t.Parallel()
	for spec, wantLines := range map[string]int{"": 4, "b": 2, "a:2": 3, "#4": 4, "#9": 4, "nowhere": 4} {
		logFile := filepath.Join(t.TempDir(), "log")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "FAILPOINT_CHILD=1", "KODA_FAILPOINT="+spec, "KODA_FAILPOINT_LOG="+logFile)
		err := cmd.Run()
		killed := false
		if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
			killed = ws.Signaled() && ws.Signal() == syscall.SIGKILL
		}
		if wantKill := spec == "b" || spec == "a:2" || spec == "#4"; killed != wantKill {
			t.Errorf("%q: killed = %v, want %v (%v)", spec, killed, wantKill, err)
		}
		log, err := os.ReadFile(logFile)
		if err != nil || strings.Count(string(log), "\n") != wantLines {
			t.Errorf("%q: log %q, %v, want %d lines", spec, log, err, wantLines)
		}
	}
}
