// Package needs says what a test needs of this machine beyond Go: Chromium, ffmpeg
// and other programs.
//
// If a program is missing, the test fails, and the error names the command that
// installs the program. A quick run, `go test -short`, leaves the test out instead.
// `make quick` counts the tests it leaves out. It also puts programs in front of PATH
// that fail in place of the real programs. So a test that runs one of them without
// calling this package fails in a quick run.
package needs

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/koda-video/koda/internal/fonts"
)

// Chromium says that the test draws pages. It does not look for a browser: the code that
// opens the browser does.
func Chromium(tb testing.TB) {
	tb.Helper()
	leaveOut(tb, "Chromium")
}

// FFmpeg says that the test makes or reads videos.
func FFmpeg(tb testing.TB) {
	tb.Helper()
	Program(tb, "ffmpeg", "sudo apt-get install ffmpeg")
	Program(tb, "ffprobe", "sudo apt-get install ffmpeg")
}

// Program says that the test runs a program on PATH. Install is the command that
// installs it.
func Program(tb testing.TB, name, install string) {
	tb.Helper()
	leaveOut(tb, name)
	if _, err := exec.LookPath(name); err != nil {
		tb.Fatalf("%s is missing; install it with: %s", name, install)
	}
}

// few is one in how many cases of a long test a plain run takes.
const few = 8

// Some are the cases of a long test that a plain run takes: the first of every eight, and no fewer than two. All of them
// run if KODA_WIDE is set, as `make wide` sets it, and where -run names a case, so that it finds the case.
func Some[T any](cases []T) []T {
	run := flag.Lookup("test.run")
	if os.Getenv("KODA_WIDE") != "" || len(cases) <= 2 || run != nil && strings.Contains(run.Value.String(), "/") {
		return cases
	}
	var some []T
	for i := 0; i < len(cases); i += few {
		some = append(some, cases[i])
	}
	if len(some) < 2 {
		some = append(some, cases[len(cases)-1])
	}
	return some
}

// SomeThat are the cases of a longer test that a plain run takes: of the short ones, those that Some takes. All cases run if
// full is set.
func SomeThat[T any](cases []T, full bool, short func(T) bool) []T {
	if full {
		return cases
	}
	return Some(slices.DeleteFunc(slices.Clone(cases), func(c T) bool { return !short(c) }))
}

// SomeOf are the names of the cases that Some takes, in order.
func SomeOf[T any](cases map[string]T) []string {
	return Some(slices.Sorted(maps.Keys(cases)))
}

// Fonts says that the test needs the fonts of further scripts, and returns the directory
// of the fonts in the home of the person, where `make setup` puts them.
func Fonts(tb testing.TB) string {
	tb.Helper()
	leaveOut(tb, "fonts")
	home := os.Getenv("KODA_HOME")
	if home == "" {
		data := os.Getenv("XDG_DATA_HOME")
		if data == "" {
			data = filepath.Join(os.Getenv("HOME"), ".local/share")
		}
		home = filepath.Join(data, "koda")
	}
	dir := filepath.Join(home, "fonts")
	if _, err := os.Stat(fonts.Open(dir).Dir()); err != nil {
		tb.Fatal("the fonts of further scripts are missing; install them with: make setup")
	}
	return dir
}

// Docker says that the test needs a container engine, and returns the name of an image of
// Debian to build upon. Only `make docker-test` runs such tests: an image takes minutes.
func Docker(tb testing.TB) (base string) {
	tb.Helper()
	leaveOut(tb, "a container engine")
	base = os.Getenv("KODA_TEST_BASE")
	if base == "" {
		tb.Skip("this test needs a container engine: make docker-test runs it")
	}
	return base
}

func leaveOut(tb testing.TB, what string) {
	tb.Helper()
	if testing.Short() {
		tb.Skipf("a quick run leaves this test out: it needs %s", what)
	}
}
