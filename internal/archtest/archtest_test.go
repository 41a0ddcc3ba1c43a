package archtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// rules are the checks for every Go file.
var rules = []struct {
	name  string
	check func([]*source) []finding
}{
	{"floors", checkFloors},
	{"owners", checkOwners},
	{"bans", checkBans},
	{"marks", checkMarks},
	{"sizes", checkSizes},
	{"habits", checkHabits},
}

func TestModule(t *testing.T) {
	t.Parallel()
	all := load(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, f := range r.check(all) {
				t.Error(f)
			}
		})
	}
}

var wantComment = regexp.MustCompile("// want (`[^`]*`(?: `[^`]*`)*)$")

// Every rule finds what it should find: in testdata each line that breaks a rule
// says so.
func TestModule_finds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "broken.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all []*source
	want := map[string][]string{} // file:line → what is found there
	for _, f := range txtar.Parse(text).Files {
		s, err := parse(f.Name, f.Data)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
		for i, line := range strings.Split(string(f.Data), "\n") {
			if m := wantComment.FindStringSubmatch(line); m != nil {
				at := fmt.Sprintf("%s:%d", f.Name, i+1)
				want[at] = strings.Split(strings.Trim(m[1], "`"), "` `")
			}
		}
	}
	all = append(all, long(t))
	want["internal/koda/long.go:1"] = []string{"internal/koda/long.go has 601 lines"}
	want["internal/koda/long.go:3"] = []string{"Long has 598 lines"}
	want["internal/koda/long.go:4"] = []string{"silenced without a reason"}
	for _, r := range rules {
		for _, f := range r.check(all) {
			at := fmt.Sprintf("%s:%d", f.file, f.line)
			i := slices.IndexFunc(want[at], func(w string) bool { return strings.Contains(f.text, w) })
			if i < 0 {
				t.Errorf("%s finds too much: %v", r.name, f)
				continue
			}
			want[at] = slices.Delete(want[at], i, i+1)
		}
	}
	for at, left := range want {
		for _, w := range left {
			t.Errorf("%s: %q was not found", at, w)
		}
	}
}

// long is a file with one function, both too long, and a silenced warning.
func long(t *testing.T) *source {
	t.Helper()
	s, err := parse("internal/koda/long.go", []byte("package koda\n\nfunc Long() {\n"+"g() //"+"nolint:errcheck"+strings.Repeat("\n", 596)+"}\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The table of floors has no pattern twice and reasons everywhere.
func TestTables(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, f := range floors {
		if seen[f.pattern] || f.what == "" {
			t.Errorf("%s is in the table twice, or has no description", f.pattern)
		}
		seen[f.pattern] = true
	}
	for _, s := range sideways {
		from, ok1 := floorOf(s.from)
		to, ok2 := floorOf(s.to)
		if !ok1 || !ok2 || from != to || s.why == "" {
			t.Errorf("%s → %s is not sideways, or has no reason", s.from, s.to)
		}
	}
	for key, why := range banExceptions {
		if why == "" {
			t.Errorf("the exception %q has no reason", key)
		}
	}
	for key, why := range sizeExceptions {
		if why == "" {
			t.Errorf("the exception %q has no reason", key)
		}
	}
}

// Packages and files that the tables name exist: a rule about a missing package
// guards nothing.
func TestTables_nameWhatExists(t *testing.T) {
	t.Parallel()
	var packages, files []string
	for _, s := range load(t) {
		packages, files = append(packages, s.pkg), append(files, s.name)
	}
	var named []string
	for _, f := range floors {
		named = append(named, f.pattern)
	}
	for _, s := range sideways {
		named = append(named, s.from, s.to)
	}
	for _, n := range narrow {
		named = slices.Concat(named, n.from, n.only)
	}
	for _, a := range apart {
		named = slices.Concat(named, a.from, a.to)
	}
	for _, o := range owners {
		named = append(named, o.only...)
	}
	for _, b := range bans {
		named = slices.Concat(named, b.only, b.in)
	}
	for key := range banExceptions {
		named = append(named, strings.Fields(key)[0])
	}
	for key := range sizeExceptions {
		named = append(named, strings.Fields(key)[0])
	}
	named = append(named, grounded...)
	slices.Sort(named)
	for _, name := range slices.Compact(named) {
		there := func(pkg string) bool { return matches(pkg, name) }
		if !slices.Contains(files, name) && !slices.ContainsFunc(packages, there) {
			t.Errorf("the tables name %s, which does not exist", name)
		}
	}
}
