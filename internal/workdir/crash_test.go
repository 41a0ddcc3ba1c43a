package workdir_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/koda-video/koda/internal/koda"
)

// child is the work of a re-executed test binary.
func child(mode, dir string) error {
	s := storage()
	switch mode {
	case "tenant":
		return beTenant()
	case "lock", "hold":
		take, said := s.Lock, "locked"
		if mode == "hold" {
			take, said = s.Hold, "holding"
		}
		release, err := take(dir)
		if err != nil {
			return err
		}
		fmt.Println(said)
		_, err = os.Stdin.Read(make([]byte, 1)) // until its input ends, or it is killed
		runtime.KeepAlive(release)              // otherwise the garbage collector may close the lock's file
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	case "race":
		for done := 0; done < 5; {
			lock := s.Lock
			if done%2 == 1 {
				lock = s.Hold
			}
			release, err := lock(dir)
			if koda.CodeOf(err) == koda.CodeInUse {
				continue
			}
			if err != nil {
				return err
			}
			f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			for _, word := range []string{"in ", "out "} {
				if _, err := f.WriteString(word); err != nil {
					return err
				}
			}
			if err := errors.Join(f.Close(), release()); err != nil {
				return err
			}
			done++
		}
		return nil
	case "checkpoint":
		release, err := s.Lock(dir)
		if err != nil {
			return err
		}
		_, err = s.Checkpoint(dir, secondCheckpoint())
		return errors.Join(err, release())
	case "collect":
		_, _, err := s.Collect(dir, false)
		return err
	}
	return fmt.Errorf("unknown mode %q", mode)
}

// The crash test goes from firstTree to secondTree, with edits by a person in
// between.
var (
	firstTree = files{
		"koda.json": "{}", "src/App.tsx": "app 1", "src/main.tsx": "main", "src/old/gone.ts": "gone", "src/shape": "a file",
		"src/edited.ts": "edited 1", "src/untouched.ts": "same",
	}
	secondTree = files{
		"koda.json": "{}", "src/App.tsx": "app 2", "src/main.tsx": "main", "src/new/deep/x.ts": "new", "src/shape/y.ts": "now a directory",
		"src/edited.ts": "edited 2", "src/untouched.ts": "same",
	}
	edits = files{"src/edited.ts": "the person's", "src/untouched.ts": "the person's too", "src/mine.ts": "mine"}
)

func secondCheckpoint() koda.Checkpoint {
	v := koda.Version{Number: 2, Parent: 1, Phase: koda.PhasePreview, CreatedAt: t0}
	return koda.Checkpoint{Files: secondTree.bytes(), State: state(20), NewVersion: &v}
}

func with(trees ...files) files {
	all := files{}
	for _, tree := range trees {
		for p, s := range tree {
			all[p] = s
		}
	}
	return all
}

// TestStorage_Checkpoint_Killed kills a checkpoint at every failpoint. Then it
// checks the files as a reader, as the next owner, and after repeating the
// checkpoint.
func TestStorage_Checkpoint_Killed(t *testing.T) {
	t.Parallel()
	const edited = "src/edited.ts src/mine.ts src/untouched.ts"
	committed := 0
	for k := 1; ; k++ {
		s, dir := project(t)
		checkpoint(t, s, dir, 10, 1, firstTree)
		write(t, dir, edits)
		cmd := start(t, "checkpoint", dir, fmt.Sprint("#", k))
		out, err := cmd.CombinedOutput()
		ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		if killed := ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL; !killed {
			if err != nil || k < 9 {
				t.Fatalf("point %d: %v: %s", k, err, out)
			}
			if committed == 0 || committed == k-1 {
				t.Errorf("of %d points, %d were after the commit", k-1, committed)
			}
			return
		}

		// Cleaning up first removes nothing that is still needed.
		if _, _, err := s.Collect(dir, false); err != nil {
			t.Errorf("point %d: %v", k, err)
		}
		old, err := s.ReadState(dir)
		if err != nil {
			t.Fatalf("point %d: %v", k, err)
		}
		want := with(firstTree, edits)
		if old.Seq == 20 {
			committed++
			want = with(secondTree, edits)
			equal(t, fmt.Sprint("version 2 for a reader, point ", k), with(secondTree, edits), version(t, s, dir, 2))
		} else if old.Seq != 10 {
			t.Errorf("point %d: state of event %d", k, old.Seq)
		}
		equal(t, fmt.Sprint("tree for a reader, point ", k), want, tree(t, s, dir))
		if got := changes(t, s, dir); got != edited {
			t.Errorf("point %d: a reader sees changes %q, want %q", k, got, edited)
		}
		equal(t, fmt.Sprint("version 1, point ", k), firstTree, version(t, s, dir, 1))

		release, err := s.Lock(dir)
		if err != nil {
			t.Fatalf("point %d: %v", k, err)
		}
		equal(t, fmt.Sprint("files for the next owner, point ", k), want, onDisk(t, dir, ".koda"))
		for name := range onDisk(t, dir) {
			if strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, "pending.json") {
				t.Errorf("point %d: %s is left", k, name)
			}
		}
		if got := changes(t, s, dir); got != edited {
			t.Errorf("point %d: the next owner sees changes %q, want %q", k, got, edited)
		}
		kept, err := s.Checkpoint(dir, secondCheckpoint())
		if err != nil || strings.Join(kept, " ") != "src/edited.ts src/untouched.ts" {
			t.Errorf("point %d: doing it again: kept %v, %v", k, kept, err)
		}
		equal(t, fmt.Sprint("files in the end, point ", k), with(secondTree, edits), onDisk(t, dir, ".koda"))
		equal(t, fmt.Sprint("conflicts, point ", k), files{"src/edited.ts.1": "edited 2"}, onDisk(t, filepath.Join(dir, ".koda", "conflicts")))
		if err := release(); err != nil {
			t.Error(err)
		}
	}
}

// TestStorage_Checkpoint_KilledThenEdited: what a person does to half-written files
// before koda runs again counts as the person's edit.
func TestStorage_Checkpoint_KilledThenEdited(t *testing.T) {
	t.Parallel()
	for k := 1; k < 100; k += 3 {
		s, dir := project(t)
		checkpoint(t, s, dir, 10, 1, firstTree)
		cmd := start(t, "checkpoint", dir, fmt.Sprint("#", k))
		if err := cmd.Run(); err == nil {
			return
		}
		raw, err := os.ReadFile(filepath.Join(dir, ".koda", "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		applied := strings.Contains(string(raw), `"seq": 20`)
		write(t, dir, files{"src/App.tsx": "mine"})
		remove(t, dir, "src/main.tsx")
		release, err := s.Lock(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := changes(t, s, dir); got != "src/App.tsx -src/main.tsx" {
			t.Errorf("point %d: changes %q", k, got)
		}
		kept, err := s.Checkpoint(dir, secondCheckpoint())
		if err != nil || strings.Join(kept, " ") != "src/App.tsx src/main.tsx" {
			t.Errorf("point %d: kept %v, %v", k, kept, err)
		}
		got := onDisk(t, dir, ".koda")
		if _, there := got["src/main.tsx"]; got["src/App.tsx"] != "mine" || there {
			t.Errorf("point %d: the person's changes became %v", k, got)
		}
		// If the checkpoint was applied whole, the person has seen "app 2" and
		// replaced it.
		rival, err := os.ReadFile(filepath.Join(dir, ".koda", "conflicts", "src", "App.tsx.1"))
		if applied == (err == nil) || !applied && string(rival) != "app 2" {
			t.Errorf("point %d: applied %v, rival %q, %v", k, applied, rival, err)
		}
		if err := release(); err != nil {
			t.Error(err)
		}
	}
	t.Error("the checkpoint never came through")
}
