package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/needs"
)

// crashArgs make a small video, long enough for several segments.
var crashArgs = []string{"new", "red bouncing ball", "--yes", "--style", "playful", "--duration", "3.5", "--preset", "square", "--json"}

// crashPoints are the failpoints at which the short form kills koda. KODA_CRASH=all
// kills it at every hit of every failpoint of a run.
var crashPoints = []string{
	"store.commit.before:2", "sandbox.fill", "sandbox.write:3", "sandbox.delete", "engine.call:4", "store.commit.after:12", "workdir.checkpoint.pending:3",
	"atomicfile.renamed:40", "engine.effect.version", "render.publish:2", "engine.effect.final",
}

// crashPairs are pairs of failpoints: koda is killed at the first, and its resume
// at the second. The long form makes a grid over the points of a run.
var crashPairs = [][2]string{
	{"engine.call:30", "engine.call:2"}, {"workdir.checkpoint.pending:2", "atomicfile.renamed:3"}, {"render.segment:2", "render.segment"},
}

// TestCrash kills koda with SIGKILL at failpoints of a real run, resumes, and
// compares the result with an undisturbed run: equal bytes of videos, project files
// and versions, and an equal journal except for counts of attempts. No answered
// call may be made again, and no process and no half-written file may be left. It
// does the same when the resume is killed too, and with full disks.
func TestCrash(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	whole := undisturbed(t)
	points, pairs := needs.Some(crashPoints), needs.Some(crashPairs)
	if os.Getenv("KODA_CRASH") == "all" {
		points, pairs = whole.every()
	}
	var once, twice atomic.Int64 // kills that were tried: -run may leave some out
	t.Run("once", func(t *testing.T) {
		for i, point := range points {
			t.Run(point, func(t *testing.T) {
				t.Parallel()
				r := newCrashRun(t)
				if whole.drewNothing(point) && i%25 != 24 {
					r.warm(whole)
				}
				r.dies(point, crashArgs...)
				r.goesOn()
				r.same(whole)
				once.Add(1)
			})
		}
	})
	t.Run("twice", func(t *testing.T) {
		for _, pair := range pairs {
			t.Run(pair[0]+","+pair[1], func(t *testing.T) {
				t.Parallel()
				r := newCrashRun(t)
				if whole.drewNothing(pair[0]) {
					r.warm(whole)
				}
				r.dies(pair[0], crashArgs...)
				r.goesOnWith("KODA_FAILPOINT=" + pair[1])
				r.goesOn()
				r.same(whole)
				twice.Add(1)
			})
		}
	})
	filled := fullDisks(t, whole)
	t.Run("tmpfs", func(t *testing.T) { smallDisks(t, whole) })
	if !t.Failed() {
		t.Logf("filled the disk at %d points: all ended in the same bytes", filled)
		t.Logf("killed at %d of %d points, and twice at %d pairs of them: all ended in the same bytes", once.Load(), len(whole.hits), twice.Load())
	}
}

// wholeRun is an undisturbed run and its result.
type wholeRun struct {
	home  string
	hits  []string // names of failpoints, in the order they were hit
	files map[string]string
	rows  map[string][]string
}

// undisturbed makes the video of crashArgs.
func undisturbed(t *testing.T) wholeRun {
	t.Helper()
	r := newCrashRun(t)
	if out, killed := r.koda("", crashArgs...); killed {
		t.Fatalf("the undisturbed run was killed: %s", out)
	}
	w := wholeRun{home: r.home, hits: r.hits(), files: r.files(), rows: r.journal()}
	videos := slices.DeleteFunc(mapKeys(w.files), func(name string) bool { return filepath.Ext(name) != ".mp4" })
	segments, err := filepath.Glob(filepath.Join(r.home, "cache", "segments", "*.mp4"))
	if err != nil || len(videos) != 2 || len(segments) < 3 {
		t.Fatalf("the undisturbed run left videos %v of %d segments, %v", videos, len(segments), err)
	}
	return w
}

// every lists every point of the run, and pairs of points.
func (w wholeRun) every() (points []string, pairs [][2]string) {
	for k := range w.hits {
		points = append(points, "#"+strconv.Itoa(k+1))
	}
	for k := 10; k < len(w.hits); k += 30 {
		for j := 1; j < len(w.hits)-k; j += 60 {
			pairs = append(pairs, [2]string{"#" + strconv.Itoa(k), "#" + strconv.Itoa(j)})
		}
	}
	return points, pairs
}

// drewNothing reports whether a run killed at point has no frame to lose: it has
// drawn no frame, or its video is finished. Such a run may find the frames of the
// undisturbed run in its cache. Their names follow from the project's files, so
// only a run with equal files can use them, and they hide no frames of its own.
func (w wholeRun) drewNothing(point string) bool {
	begin := slices.Index(w.hits, "engine.effect.preview")
	if n, ok := strings.CutPrefix(point, "#"); ok {
		k, err := strconv.Atoi(n)
		return err == nil && k <= begin
	}
	name, count, _ := strings.Cut(point, ":")
	k := 1
	if count != "" {
		k, _ = strconv.Atoi(count) //nolint:errcheck // a point of the table
	}
	for i, hit := range w.hits {
		if hit == name {
			k--
		}
		if k == 0 {
			return i < begin || i > slices.Index(w.hits, "engine.effect.final") && !strings.HasPrefix(name, "render.")
		}
	}
	return false
}

// all lists the files below root.
func (r *crashRun) all(root string) []string {
	r.t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		r.t.Error(err)
	}
	return files
}

// same compares the result of the run with an undisturbed run.
func (r *crashRun) same(whole wholeRun) {
	r.t.Helper()
	if diff := cmp.Diff(whole.files, r.files()); diff != "" {
		r.t.Errorf("files (-undisturbed +killed):\n%s", diff)
	}
	if diff := cmp.Diff(whole.rows, r.journal()); diff != "" {
		r.t.Errorf("journal (-undisturbed +killed):\n%s", diff)
	}
	r.callsOnce(whole)
	r.noProcessLeft()
	r.noTempLeft()
}

// callsOnce counts the tool calls in all processes of the run. A call is made again
// only if its process died before the answer was written.
func (r *crashRun) callsOnce(whole wholeRun) {
	r.t.Helper()
	lost, calls := 0, 0
	for _, log := range r.logs {
		unwritten := false
		for _, hit := range readHits(r.t, log) {
			switch hit {
			case "engine.call":
				unwritten = true
				calls++
			case "store.commit.after":
				unwritten = false
			}
		}
		if unwritten {
			lost++
		}
	}
	want := 0
	for _, hit := range whole.hits {
		if hit == "engine.call" {
			want++
		}
	}
	if calls != want+lost {
		r.t.Errorf("%d calls were made, want %d and %d whose answers were lost", calls, want, lost)
	}
}

func readHits(t *testing.T, log string) []string {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var hits []string
	for line := range strings.Lines(string(data)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		hits = append(hits, name)
	}
	return hits
}

func mapKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// dies runs koda, which must die at point.
func (r *crashRun) dies(point string, args ...string) {
	r.t.Helper()
	out, killed := r.koda("KODA_FAILPOINT="+point, args...)
	if !killed {
		r.t.Fatalf("koda did not reach %s: %s", point, out)
	}
	r.noProcessLeft()
}

// goesOn resumes and requires that the video is finished.
func (r *crashRun) goesOn() {
	r.t.Helper()
	if out, killed := r.goesOnWith(""); killed {
		r.t.Fatalf("resume was killed: %s", out)
	}
}

// goesOnWith resumes. If the very first step was not written, there is only a
// directory, with nothing of the animation in it. Then the video is asked for anew,
// and made in that directory.
func (r *crashRun) goesOnWith(env string) (out string, killed bool) {
	r.t.Helper()
	out, killed = r.koda(env, "resume", "--yes", "--json", filepath.Join(r.dir, "red-bouncing-ball"))
	if !killed && strings.Contains(out, `"NOT_FOUND"`) {
		for _, path := range r.all(r.dir) {
			if !strings.Contains(path, "/.koda/") && !strings.Contains(filepath.Base(path), ".gitignore") {
				r.t.Errorf("a project that was not begun has %s", path)
			}
		}
		out, killed = r.koda(env, crashArgs...)
	}
	if !killed && env == "" && !strings.Contains(out, `"ok":true`) {
		r.t.Errorf("resume failed: %s", out)
	}
	r.noProcessLeft()
	return out, killed
}
