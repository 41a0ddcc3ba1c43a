package workdir_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestStorage_Log(t *testing.T) {
	t.Parallel()
	s, dir := project(t)
	log := filepath.Join(dir, ".koda", "log")
	s.Log(dir, t0, "one")
	s.Log(dir, t0, "two\nlines\t"+strings.Repeat("ü", 2000))
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	want := regexp.MustCompile(fmt.Sprintf(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[%d 1\.2\.3\] one$`, os.Getpid()))
	if len(lines) != 3 || !want.MatchString(lines[0]) || !strings.Contains(lines[1], "] two lines ü") || !strings.HasSuffix(lines[1], "ü…") || len(lines[1]) > 1100 {
		t.Errorf("log: %q", data)
	}
	// The log does not grow for ever, and its last part is whole.
	for i := range 2000 {
		s.Log(dir, t0, fmt.Sprintf("%d %s", i, strings.Repeat("x", 300)))
	}
	var kept strings.Builder
	for _, name := range []string{log + ".1", log} {
		data, err := os.ReadFile(name)
		if err != nil || len(data) > 256<<10 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
		kept.Write(data)
	}
	if n := strings.Count(kept.String(), "\n"); n < 700 || !strings.Contains(kept.String(), "] 1999 xxx") {
		t.Errorf("%d lines are kept", n)
	}
	// A link is not followed, and a directory that is no project is not written to.
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, log); err != nil {
		t.Fatal(err)
	}
	s.Log(dir, t0, "three")
	if data, err := os.ReadFile(victim); err != nil || string(data) != "precious" {
		t.Errorf("the link was followed: %q, %v", data, err)
	}
	plain := t.TempDir()
	s.Log(plain, t0, "four")
	if entries, err := os.ReadDir(plain); err != nil || len(entries) != 0 {
		t.Errorf("left in a plain directory: %v, %v", entries, err)
	}
}
