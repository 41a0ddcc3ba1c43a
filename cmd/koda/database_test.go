package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/store/storetest"
)

// planned is a home with two projects that wait at their plans, and what koda shows
// of them.
func planned(t *testing.T) (r *crashRun, db string, shown map[string]string) {
	t.Helper()
	r = newCrashRun(t)
	for _, prompt := range []string{"bouncing ball", "title koda"} {
		if out, _ := r.koda("", "new", prompt, "--style", "playful", "--plan-only", "--json"); !strings.Contains(out, `"waiting":"plan"`) {
			t.Fatalf("no plan: %s", out)
		}
	}
	return r, filepath.Join(r.home, "koda.db"), r.shown()
}

// since is how long ago a project changed, which no two commands say alike.
var since = regexp.MustCompile(`, changed .*`)

// shown is the output of `koda show` for every project that `koda list` lists, without
// the time that passed since.
func (r *crashRun) shown() map[string]string {
	r.t.Helper()
	var list struct {
		Payload struct{ Projects []koda.Project }
	}
	out, _ := r.koda("", "list", "--json")
	last := out[strings.LastIndex(strings.TrimSpace(out), "\n")+1:]
	if err := json.Unmarshal([]byte(last), &list); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
	shown := map[string]string{}
	for _, p := range list.Payload.Projects {
		out, _ := r.koda("", "show", p.ID)
		facts, _, _ := strings.Cut(out, "turns")
		shown[p.Name] = since.ReplaceAllString(facts, "")
	}
	return shown
}

// asides are the damaged databases that koda set aside.
func asides(t *testing.T, db string) []string {
	t.Helper()
	found, err := filepath.Glob(db + ".corrupt-*")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, path := range found {
		if !strings.HasSuffix(path, "-wal") && !strings.HasSuffix(path, "-shm") {
			files = append(files, path)
		}
	}
	return files
}

// TestDatabase_damaged: koda sets an unreadable database aside and makes it anew
// from the directories of the projects. Nothing is lost, and one line says what
// happened.
func TestDatabase_damaged(t *testing.T) {
	t.Parallel()
	first, db, want := planned(t)
	sound, err := os.ReadFile(db)
	if err != nil || len(want) != 2 {
		t.Fatalf("%v, %v", want, err)
	}
	type damage struct {
		data  []byte
		quiet bool // koda need not notice the damage
	}
	damages := map[string]damage{
		"half":           {data: sound[:len(sound)/2]},
		"torn":           {data: sound[:len(sound)-4096-100]},
		"nothing":        {data: nil, quiet: true},
		"a few bytes":    {data: sound[:77]},
		"headless pages": {data: flipped(sound, 4096)},
	}
	step := 7
	if testing.Short() {
		step = 35
	}
	for page := 1; page*4096 < len(sound); page += step {
		data := bytes.Clone(sound)
		copy(data[page*4096:], flipped(data[page*4096:page*4096+16], 0))
		damages[fmt.Sprintf("page %d", page+1)] = damage{data: data}
	}
	for _, name := range needs.SomeOf(damages) {
		d := damages[name]
		t.Run(name, func(t *testing.T) {
			// The homes are made one after the other in the same place, because
			// projects know where they are.
			if err := os.WriteFile(db, d.data, 0o600); err != nil {
				t.Fatal(err)
			}
			first.t = t
			out, _ := first.koda("", "list")
			kept := asides(t, db)
			notice := strings.SplitN(out, "\n", 2)[0]
			if !strings.Contains(notice, "2 projects") || !strings.Contains(notice, "taken in again") {
				t.Errorf("koda list says %q", out)
			}
			if (len(kept) == 1) == d.quiet || (len(kept) == 1) != strings.Contains(notice, "is kept as "+db+".corrupt-") {
				t.Errorf("kept %v, and said %q", kept, notice)
			}
			for _, path := range kept {
				if data, err := os.ReadFile(path); err != nil || !bytes.Equal(data, d.data) {
					t.Errorf("%s is not the damaged file: %v", path, err)
				}
				if err := os.Remove(path); err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(want, first.shown()); diff != "" {
				t.Errorf("after the repair (-want +got):\n%s", diff)
			}
			if out, _ := first.koda("", "list"); strings.Contains(out, "koda:") {
				t.Errorf("it says so again: %s", out)
			}
		})
	}
}

// TestDatabase_headless: koda leaves a file alone that does not begin like a
// database. If the person moves it away, as the hint says, koda works again.
func TestDatabase_headless(t *testing.T) {
	t.Parallel()
	r, db, want := planned(t)
	sound, err := os.ReadFile(db)
	if err != nil || len(want) != 2 {
		t.Fatalf("%v, %v", want, err)
	}
	for name, data := range map[string][]byte{
		"garbage": bytes.Repeat([]byte{0x5a, 0, 0xff}, len(sound)/3),
		"text":    []byte(strings.Repeat("this is not a database. ", 200)),
		"head":    append(make([]byte, 100), sound[100:]...),
	} {
		if err := os.WriteFile(db, data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := r.koda("", "list")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) != 2 || lines[0] != "koda: "+db+" is not a database, and is left alone" || !strings.Contains(lines[1], "move it away") {
			t.Errorf("%s: %q", name, out)
		}
		if now, err := os.ReadFile(db); err != nil || !bytes.Equal(now, data) || len(asides(t, db)) != 0 {
			t.Errorf("%s was touched: %v", name, err)
		}
	}
	if err := os.Rename(db, db+".old"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, r.shown()); diff != "" {
		t.Errorf("after the move (-want +got):\n%s", diff)
	}
}

// flipped is data with every byte from an offset on changed.
func flipped(data []byte, from int) []byte {
	data = bytes.Clone(data)
	for i := from; i < len(data); i++ {
		data[i] ^= 0x5a
	}
	return data
}

// TestDatabase_log: if the end of the write-ahead log is damaged, its steps are
// lost from the database. koda gets them from the directories.
func TestDatabase_log(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"flipped": func(log []byte) []byte { return flipped(log, len(log)/2) },
		"head":    func(log []byte) []byte { return flipped(log, 0) },
		"torn":    func(log []byte) []byte { return log[:len(log)/3] },
		"gone":    func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, db, _ := planned(t)
			r.dies("engine.effect.work:2", "accept", "bouncing-ball", "--json")
			log, err := os.ReadFile(db + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			var state koda.StateFile
			data, err := os.ReadFile(filepath.Join(r.dir, "bouncing-ball", ".koda", "state.json"))
			if err == nil {
				err = json.Unmarshal(data, &state)
			}
			if err != nil || state.NodeState.Phase != koda.PhaseExecuting {
				t.Fatalf("phase %s, %v", state.NodeState.Phase, err)
			}
			if err := os.WriteFile(db+"-wal", damage(log), 0o600); err != nil {
				t.Fatal(err)
			}
			// The project goes on at the second todo, not at the plan.
			r.dies("engine.effect.version", "resume", "bouncing-ball", "--json")
			second := readHits(t, r.logs[len(r.logs)-1])
			works := 0
			for _, hit := range second {
				if hit == "engine.effect.work" {
					works++
				}
				if hit == "engine.effect.plan" {
					t.Error("the plan was made again")
				}
			}
			if todos := len(state.NodeState.Execution.Todos) - 2; works != todos {
				t.Errorf("%d todos were worked on after the crash, want %d", works, todos)
			}
		})
	}
}

// TestDatabase_inItsPlace: a thing that cannot be a database is refused in one line
// and left alone.
func TestDatabase_inItsPlace(t *testing.T) {
	t.Parallel()
	r := newCrashRun(t)
	db := filepath.Join(r.home, "koda.db")
	if err := os.MkdirAll(filepath.Join(db, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, _ := r.koda("", "new", "bouncing ball", "--yes")
	_, out, _ = strings.Cut(out, "koda: ") // a line before it says who draws
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 2 || !strings.Contains(lines[0], "is not a regular file") || !strings.Contains(lines[1], "DATABASE_PATH") {
		t.Errorf("koda says %q", out)
	}
	if entries, err := os.ReadDir(r.dir); err != nil || len(entries) != 0 {
		t.Errorf("made %v, %v", entries, err)
	}
}

// TestDatabase_locked: while another program writes, reading goes on. Writing waits
// for ten seconds and cleaning up for one second; then both fail with a message, and
// nothing is lost.
func TestDatabase_locked(t *testing.T) {
	t.Parallel()
	r, db, want := planned(t)
	unlock := storetest.Lock(t, db)
	if diff := cmp.Diff(want, r.shown()); diff != "" {
		t.Errorf("reading (-want +got):\n%s", diff)
	}
	var waiting sync.WaitGroup
	for _, args := range [][]string{{"new", "bouncing ball", "--name", "third", "--yes"}, {"accept", "bouncing-ball"}, {"gc"}} {
		waiting.Go(func() {
			out, _ := r.koda("", args...)
			if strings.Count(out, "database is locked") != 1 || !strings.Contains(out, "another program holds "+db+" locked") {
				t.Errorf("%v says %q", args, out)
			}
		})
	}
	waiting.Wait()
	if _, err := os.Stat(filepath.Join(r.dir, "third")); err == nil {
		t.Error("a project that could not begin left its directory")
	}
	unlock()
	if diff := cmp.Diff(want, r.shown()); diff != "" {
		t.Errorf("afterwards (-want +got):\n%s", diff)
	}
	r.dies("engine.effect.work", "accept", "bouncing-ball")
}
