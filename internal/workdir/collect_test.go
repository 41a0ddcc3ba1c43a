package workdir_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/koda-video/koda/internal/workdir"
)

// drafted is a project of two versions, with three drafts after each.
func drafted(t *testing.T) (*workdir.Storage, string) {
	t.Helper()
	s, dir := project(t)
	for n := range 2 {
		checkpoint(t, s, dir, int64(n), n+1, files{"src/a.ts": fmt.Sprint("v", n+1), "src/same.ts": "same"})
		for draft := range 3 {
			checkpoint(t, s, dir, int64(n), 0, files{"src/a.ts": fmt.Sprint("draft ", n, draft), "src/same.ts": "same"})
		}
	}
	return s, dir
}

// TestStorage_Collect: the contents of drafts are removed. The contents of
// versions, of the last checkpoint and of a checkpoint being applied stay.
func TestStorage_Collect(t *testing.T) {
	t.Parallel()
	s, dir := drafted(t)
	texts := func(tree files) map[string]bool {
		all := map[string]bool{}
		for _, text := range tree {
			all[text] = true
		}
		return all
	}
	before := objects(t, dir)
	n, size, err := s.Collect(dir, true)
	if err != nil || n != 2 || size != 2*int64(len("draft 1 0")) || len(objects(t, dir)) != len(before) {
		t.Fatalf("a dry run counts %d, %d bytes, %v of %v", n, size, err, before)
	}
	again, _, err := s.Collect(dir, false)
	if have := texts(objects(t, dir)); err != nil || again != n || len(have) != 4 || !have["v1"] || !have["v2"] || !have["same"] || !have["draft 1 2"] {
		t.Errorf("removed %d, %v, left %v", again, err, have)
	}
	if n, _, err := s.Collect(dir, false); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}

	// A list of files that cannot be read may need any content.
	checkpoint(t, s, dir, 9, 0, files{"src/a.ts": "draft 20"})
	for _, name := range []string{"versions/v1.json", "state.json", "pending.json"} {
		path := filepath.Join(dir, ".koda", name)
		was, _ := os.ReadFile(path)
		prev := filepath.Join(dir, ".koda", "state.prev.json")
		wasPrev, err := os.ReadFile(prev)
		if err := errors.Join(err, os.WriteFile(path, []byte("{"), 0o644), os.WriteFile(prev, []byte("{"), 0o644)); err != nil {
			t.Fatal(err)
		}
		if n, _, err := s.Collect(dir, false); n != 0 || err != nil {
			t.Errorf("with a damaged %s: %d, %v", name, n, err)
		}
		if err := errors.Join(os.WriteFile(prev, wasPrev, 0o644), os.Remove(path)); err != nil {
			t.Fatal(err)
		}
		if was != nil {
			write(t, dir, files{".koda/" + name: string(was)})
		}
	}
	if n, _, err := s.Collect(dir, false); n != 1 || err != nil {
		t.Errorf("with all of them whole: %d, %v", n, err)
	}
}

// TestStorage_Collect_Killed: the next Collect finishes the work of a killed Collect.
func TestStorage_Collect_Killed(t *testing.T) {
	t.Parallel()
	s, dir := drafted(t)
	if err := start(t, "collect", dir, "workdir.collect").Run(); err == nil {
		t.Fatal("it was not killed")
	}
	if n, _, err := s.Collect(dir, false); n != 1 || err != nil {
		t.Errorf("the next removed %d, %v", n, err)
	}
	equal(t, "version 1", files{"src/a.ts": "v1", "src/same.ts": "same"}, version(t, s, dir, 1))
}

// TestStorage_Collect_Links: Collect removes no file behind a link, neither a link
// in place of the contents' directory nor a link among the contents.
func TestStorage_Collect_Links(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("precious"))
	name := hex.EncodeToString(sum[:])
	for _, at := range []string{".koda/versions", ".koda/versions/objects", ".koda/versions/objects/" + name[:2], ".koda/versions/objects/" + name[:2] + "/" + name} {
		s, dir := drafted(t)
		victim := t.TempDir()
		below, err := filepath.Rel(at, ".koda/versions/objects/"+name[:2]+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(victim, below)
		if below == "." {
			target = filepath.Join(victim, name)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, []byte("precious"), 0o644)); err != nil {
			t.Fatal(err)
		}
		if below == "." {
			victim = target
		}
		if err := errors.Join(os.RemoveAll(filepath.Join(dir, at)), os.MkdirAll(filepath.Dir(filepath.Join(dir, at)), 0o755)); err != nil {
			t.Fatal(err)
		}
		link(t, victim, dir, at)
		if _, _, err := s.Collect(dir, false); err != nil {
			t.Errorf("%s: %v", at, err)
		}
		if data, err := os.ReadFile(target); err != nil || string(data) != "precious" {
			t.Errorf("a link at %s: %q, %v", at, data, err)
		}
	}
}
