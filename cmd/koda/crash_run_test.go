package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/atomicfile"
	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/store/storetest"
)

// crashRun is a home and a working directory, and the processes that ran there
// one after the other.
type crashRun struct {
	t    *testing.T
	home string
	dir  string
	mu   sync.Mutex
	logs []string // for each process a log of the failpoints it hit; guarded by mu
}

func newCrashRun(t *testing.T) *crashRun {
	t.Helper()
	return &crashRun{t: t, home: atomicfiletest.Dir(t), dir: atomicfiletest.Dir(t)}
}

// warm gives the run the cache of another run.
func (r *crashRun) warm(whole wholeRun) {
	r.t.Helper()
	if err := os.CopyFS(filepath.Join(r.home, "cache"), os.DirFS(filepath.Join(whole.home, "cache"))); err != nil {
		r.t.Fatal(err)
	}
}

// koda runs a command in a process of its own and reports whether it died of
// SIGKILL.
func (r *crashRun) koda(env string, args ...string) (output string, killed bool) {
	r.t.Helper()
	r.mu.Lock()
	log := filepath.Join(r.home, fmt.Sprintf("hits-%d", len(r.logs)+1))
	r.logs = append(r.logs, log)
	r.mu.Unlock()
	if err := os.WriteFile(log, nil, 0o600); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), asKoda+"=1", "KODA_HOME="+r.home, "HOME="+r.home, "KODA_FAILPOINT_LOG="+log, env)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return string(out), ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// hits are the failpoints that all processes of the run hit.
func (r *crashRun) hits() []string {
	r.t.Helper()
	var all []string
	for _, log := range r.logs {
		all = append(all, readHits(r.t, log)...)
	}
	return all
}

var (
	ofTime    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	ofSandbox = regexp.MustCompile(`local-[0-9a-z]{26}`)
	ofProject = regexp.MustCompile(`"projectId": ?"([0-9a-f]{12})"`)
	// These depend on the crash: how long a render took, how long a sandbox lay unused,
	// what a render found in the cache, and how often an effect was tried.
	ofEffort = regexp.MustCompile(`"(renderTimeMs|captured|reused)": ?\d+|\battempt=\d+|\bn=\d+|\bidle_ms=\d+`)
)

// plain is a text of a run without ids, times and other parts that differ from run to
// run.
func (r *crashRun) plain(text, id string) string {
	text = strings.NewReplacer(r.dir, "DIR", r.home, "HOME", id, "PROJECT").Replace(text)
	text = ofTime.ReplaceAllString(text, "TIME")
	text = ofSandbox.ReplaceAllString(text, "SANDBOX")
	return ofEffort.ReplaceAllString(text, "EFFORT")
}

// id is the project's id, from its state file.
func (r *crashRun) id() string {
	r.t.Helper()
	states, err := filepath.Glob(filepath.Join(r.dir, "*", ".koda", "state.json"))
	if err != nil || len(states) != 1 {
		r.t.Fatalf("states %v, %v, want one state file", states, err)
	}
	data, err := os.ReadFile(states[0])
	if err != nil {
		r.t.Fatal(err)
	}
	m := ofProject.FindSubmatch(data)
	if m == nil {
		r.t.Fatalf("no project in %s", data)
	}
	return string(m[1])
}

// files are all files below the working directory: koda's own small texts as they
// are, all others by SHA-256.
func (r *crashRun) files() map[string]string {
	r.t.Helper()
	id := r.id()
	files := map[string]string{}
	err := filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(r.dir, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		meta := strings.Contains(name, "/.koda/")
		switch {
		case strings.HasSuffix(name, ".koda/lock"), strings.HasSuffix(name, ".koda/log"), strings.HasSuffix(name, ".koda/state.prev.json"):
			// The lock, the log and the previous checkpoint: a crash may add a
			// checkpoint.
		case meta && filepath.Ext(name) == ".json":
			files[name] = r.plain(string(data), id)
		default:
			files[name] = digestOf(data)
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return files
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// videos are the digests of all videos below dir.
func videos(dir string) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*", "*.mp4"))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return nil, err
		}
		found[name] = digestOf(data)
	}
	return found, nil
}

// journal is the whole content of the database.
func (r *crashRun) journal() map[string][]string {
	r.t.Helper()
	id := r.id()
	tables := storetest.Dump(r.t, filepath.Join(r.home, "koda.db"))
	for _, rows := range tables {
		for i, row := range rows {
			rows[i] = r.plain(row, id)
		}
	}
	return tables
}

// noProcessLeft waits until no process mentions this run's home. The kernel takes a
// moment after koda's death.
func (r *crashRun) noProcessLeft() {
	r.t.Helper()
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for range 400 {
		if len(processesOf(r.home)) == 0 {
			return
		}
		<-tick.C
	}
	r.t.Errorf("left behind: %v", processesOf(r.home))
}

// noTempLeft looks for half-written files and abandoned directories. The project
// must hold none. koda's home may hold them for an hour, as another process could
// own them; then `koda gc` removes them.
func (r *crashRun) noTempLeft() {
	r.t.Helper()
	if left := r.forsaken(r.dir); len(left) > 0 {
		r.t.Errorf("left behind: %v", left)
	}
	left := r.forsaken(r.home)
	if len(left) == 0 {
		return
	}
	longAgo := time.Now().Add(-2 * time.Hour)
	for _, path := range left {
		if err := os.Chtimes(path, longAgo, longAgo); err != nil {
			r.t.Error(err)
		}
	}
	out, _ := r.koda("KODA_IDLE_TIMEOUT=1ms", "gc") // as if the person were away
	if left := r.forsaken(r.home); len(left) > 0 {
		r.t.Errorf("koda gc left behind %v: %s", left, out)
	}
}

// forsaken lists half-written files, and sandboxes and directories of processes
// that are gone.
func (r *crashRun) forsaken(root string) []string {
	r.t.Helper()
	var left []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Dir(path) {
		case filepath.Join(r.home, "sandboxes"), filepath.Join(r.home, "cache", "tmp"):
			left = append(left, path)
			return fs.SkipDir
		}
		if atomicfile.IsTemp(path) {
			left = append(left, path)
		}
		return nil
	})
	if err != nil {
		r.t.Error(err)
	}
	return left
}
