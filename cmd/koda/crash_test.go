package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
)

// crashArgs make a short, small video: enough for several segments.
var crashArgs = []string{"new", "red bouncing ball", "--yes", "--style", "playful", "--duration", "2", "--preset", "square", "--json"}

// crashPoints are where the short form dies; KODA_CRASH=all dies at every hit
// of every failpoint of a run.
var crashPoints = []string{
	"store.commit.before:2", "engine.sandbox.created", "engine.call:4", "store.commit.after:12", "workdir.checkpoint.pending:3",
	"workdir.checkpoint.write:5", "engine.effect.version", "render.segment", "engine.effect.final", "render.segment:2",
	"render.join", "render.publish:2", "engine.effect.release",
}

// TestCrash kills koda with SIGKILL at failpoints of a real run, resumes, and
// requires the video of an undisturbed run, no process and no half-written
// file left.
func TestCrash(t *testing.T) {
	t.Parallel()
	logFile := filepath.Join(t.TempDir(), "hits")
	want := newCrashRun(t)
	if out, killed := want.koda("KODA_FAILPOINT_LOG="+logFile, crashArgs...); killed {
		t.Fatalf("the undisturbed run was killed: %s", out)
	}
	digest := want.digest()
	points := crashPoints
	if os.Getenv("KODA_CRASH") == "all" {
		hits, err := os.ReadFile(logFile)
		if err != nil {
			t.Fatal(err)
		}
		points = nil
		for n := range bytes.Count(hits, []byte("\n")) {
			points = append(points, "#"+strconv.Itoa(n+1))
		}
	}
	for _, point := range points {
		t.Run(point, func(t *testing.T) {
			r := newCrashRun(t)
			out, killed := r.koda("KODA_FAILPOINT="+point, crashArgs...)
			if !killed {
				t.Fatalf("koda did not reach %s: %s", point, out)
			}
			r.noProcessLeft()
			if out, _ = r.koda("", "resume", "--yes", "--json", filepath.Join(r.dir, "red-bouncing-ball")); !r.begun(out) {
				// The very first step had not been written: nothing was promised.
				out, _ = r.koda("", crashArgs...)
			}
			if got := r.digest(); got != digest {
				t.Errorf("the video's SHA-256 is %.12s, undisturbed %.12s\n%s", got, digest, out)
			}
			r.noProcessLeft()
			r.noTempLeft()
		})
	}
	t.Logf("killed at %d points, all ended in the same bytes", len(points))
}

type crashRun struct {
	t    *testing.T
	home string
	dir  string
}

func newCrashRun(t *testing.T) *crashRun {
	t.Helper()
	return &crashRun{t: t, home: t.TempDir(), dir: t.TempDir()}
}

// koda runs a command in a process of its own and reports whether it died of
// SIGKILL.
func (r *crashRun) koda(env string, args ...string) (output string, killed bool) {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), asKoda+"=1", "KODA_HOME="+r.home, "HOME="+r.home, env)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return string(out), ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// begun reads from the output of resume whether there was a project at all.
func (r *crashRun) begun(output string) bool {
	return !strings.Contains(output, `"NOT_FOUND"`)
}

// digest is the SHA-256 the project's state tells, after the file was checked
// against it.
func (r *crashRun) digest() string {
	r.t.Helper()
	videos, err := filepath.Glob(filepath.Join(r.dir, "*", "renders", "*.mp4"))
	if err != nil || len(videos) != 1 {
		r.t.Fatalf("videos %v, %v, want one", videos, err)
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(videos[0])), ".koda", "state.json"))
	if err != nil {
		r.t.Fatal(err)
	}
	var state struct {
		NodeState struct {
			Phase  string
			Output struct{ SHA256, VideoURL string }
		}
	}
	if err := json.Unmarshal(data, &state); err != nil {
		r.t.Fatal(err)
	}
	if state.NodeState.Phase != "complete" || state.NodeState.Output.VideoURL != videos[0] {
		r.t.Fatalf("state.json tells %+v", state)
	}
	video, err := os.ReadFile(videos[0])
	raw := sha256.Sum256(video)
	sum := hex.EncodeToString(raw[:])
	if err != nil || sum != state.NodeState.Output.SHA256 {
		r.t.Fatalf("the video's SHA-256 is %s, state.json tells %s, %v", sum, state.NodeState.Output.SHA256, err)
	}
	return sum
}

// noProcessLeft waits for the processes that mention this run's home to end: the
// kernel takes a moment after koda's death.
func (r *crashRun) noProcessLeft() {
	r.t.Helper()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for range 200 {
		if len(processesOf(r.home)) == 0 {
			return
		}
		<-tick.C
	}
	r.t.Errorf("left behind: %v", processesOf(r.home))
}

// noTempLeft looks for unfinished files in the project directory.
func (r *crashRun) noTempLeft() {
	r.t.Helper()
	err := filepath.WalkDir(r.dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && atomicfile.IsTemp(p) {
			r.t.Errorf("left behind: %s", p)
		}
		return err
	})
	if err != nil {
		r.t.Error(err)
	}
}
