package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// fullPoints are the failpoints at which the disk becomes full. The long form takes
// every tenth point of a run.
var fullPoints = []string{"store.commit.before:30", "hostos.write:5", "workdir.checkpoint.pending:2"}

// fullDisks makes every write fail from a failpoint on, as on a full disk. koda
// says so and ends. Once there is room, a resume leads to the same result as an
// undisturbed run. fullDisks returns the number of points.
func fullDisks(t *testing.T, whole wholeRun) int64 {
	t.Helper()
	var filled atomic.Int64
	points := fullPoints
	if os.Getenv("KODA_CRASH") == "all" {
		points = nil
		for k := 1; k < len(whole.hits)-10; k += 10 { // the last points write nothing more
			points = append(points, fmt.Sprintf("#%d", k))
		}
	}
	t.Run("full", func(t *testing.T) {
		for _, point := range points {
			t.Run(point, func(t *testing.T) {
				t.Parallel()
				r := newCrashRun(t)
				if whole.drewNothing(point) {
					r.warm(whole)
				}
				out, _ := r.koda("KODA_FAILPOINT="+point+"=full", crashArgs...)
				if !strings.Contains(out, `"code":"DISK_FULL"`) || !strings.Contains(out, `"exitCode":1`) || !strings.Contains(out, "free ") {
					t.Errorf("on a full disk koda says %s", out[max(0, len(out)-1000):])
				}
				r.noProcessLeft()
				r.goesOn()
				r.same(whole)
				filled.Add(1)
			})
		}
	})
	return filled.Load()
}

// smallSizes are sizes of real disks, in KiB: too small for the project, too small
// for the video.
var smallSizes = []int{300, 2500}

// smallDisks does the same on real file systems that are too small. They are in the
// mount namespace of a child process, so that nothing stays mounted however the
// test ends.
func smallDisks(t *testing.T, whole wholeRun) {
	t.Helper()
	sizes := smallSizes
	if os.Getenv("KODA_CRASH") == "all" {
		sizes = nil
		for size := 100; size < 6000; size += 200 {
			sizes = append(sizes, size)
		}
	}
	for _, size := range sizes {
		dir := t.TempDir()
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%d", asDisk, size), "KODA_TEST_DISK_DIR="+dir)
		child.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
		if os.Getuid() != 0 {
			child.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
			child.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
			child.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
		}
		out, err := child.Output()
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EINVAL) {
			t.Logf("nothing can be mounted here (%v): the disk was filled by failpoints only", err)
			return
		}
		var seen smallDisk
		if jsonErr := json.Unmarshal(out, &seen); err != nil || jsonErr != nil {
			t.Fatalf("%d KiB: %v, %v: %s", size, err, jsonErr, out)
		}
		if !seen.Fit && !strings.Contains(seen.Said, `"code":"DISK_FULL"`) {
			t.Errorf("%d KiB: koda says %s", size, seen.Said[max(0, len(seen.Said)-1500):])
		}
		if seen.Resumed != 0 {
			t.Errorf("%d KiB: with room, koda ended with %d: %s", size, seen.Resumed, seen.Then[max(0, len(seen.Then)-1500):])
		}
		for name, want := range whole.files {
			if filepath.Ext(name) == ".mp4" && seen.Files[name] != want {
				t.Errorf("%d KiB: %s is %.12s, undisturbed %.12s", size, name, seen.Files[name], want)
			}
		}
	}
}

// asDisk, set in the environment to a size in KiB, makes this test binary run
// koda on a disk of that size.
const asDisk = "KODA_TEST_DISK"

// smallDisk is the outcome of such a run.
type smallDisk struct {
	Fit     bool   // the disk was large enough
	Said    string // the message of koda on the full disk
	Resumed int    // exit status once there was room
	Then    string
	Files   map[string]string
}

// onSmallDisk is the child of smallDisks.
func onSmallDisk(size string) int {
	dir := os.Getenv("KODA_TEST_DISK_DIR")
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+"k"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	r := &crashRun{home: filepath.Join(dir, "home"), dir: filepath.Join(dir, "work")}
	seen, err := r.fill()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(seen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (r *crashRun) fill() (seen smallDisk, err error) {
	if err := errors.Join(os.Mkdir(r.home, 0o755), os.Mkdir(r.dir, 0o755)); err != nil {
		return seen, err
	}
	var status int
	if seen.Said, status, err = r.run(crashArgs...); err != nil {
		return seen, err
	}
	seen.Fit = status == 0
	if err := syscall.Mount("", filepath.Dir(r.home), "", syscall.MS_REMOUNT, "size=1g"); err != nil {
		return seen, fmt.Errorf("make room: %w", err)
	}
	seen.Then, seen.Resumed, err = r.run("resume", "--yes", "--json", filepath.Join(r.dir, "red-bouncing-ball"))
	if err == nil && strings.Contains(seen.Then, `"NOT_FOUND"`) {
		seen.Then, seen.Resumed, err = r.run(crashArgs...)
	}
	if err != nil {
		return seen, err
	}
	seen.Files, err = videos(r.dir)
	return seen, err
}

// run runs koda and returns its exit status.
func (r *crashRun) run(args ...string) (output string, status int, err error) {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), asDisk+"=", asKoda+"=1", "KODA_HOME="+r.home, "HOME="+r.home)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode(), nil
	}
	return string(out), 0, err
}
