package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/atomicfile/atomicfiletest"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/store/storetest"
)

// killedIn names an environment variable. It makes the test binary the process that
// is killed, and holds the directory in which that process works.
const killedIn = "KODA_ENGINE_KILLED"

// counted is a model that notes every request in a file, so that the notes survive a
// kill.
type counted struct {
	llm.Model
	file string
}

func (c counted) Answer(ctx context.Context, req llm.Request, show func(koda.TextDelta)) (llm.Response, error) {
	f, err := os.OpenFile(c.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, req.Messages[0].Parts[0].Text, len(req.Messages))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return llm.Response{}, err
	}
	return c.Model.Answer(ctx, req, show)
}

// TestKilledProcess is no test: it is the process that TestModel_killed kills. It
// makes a project whose author asks a model, or resumes that project.
func TestKilledProcess(t *testing.T) {
	dir := os.Getenv(killedIn)
	if dir == "" {
		t.Skip("only as a process of its own")
	}
	b := &bench{t: t, home: filepath.Join(dir, "home"), parent: filepath.Join(dir, "work"), author: &author{}, video: &renderer{}}
	b.modelled(counted{&llmtest.Model{Script: scripted}, filepath.Join(dir, "asked")})
	b.open()
	projects, err := b.engine.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(projects) == 0 {
		b.must(b.engine.New(t.Context(), b.request("bouncing ball", true)))
		return
	}
	b.clock.jump(time.Hour)
	b.must(b.engine.Resume(t.Context(), projects[0].ID, false))
}

// process runs TestKilledProcess in a directory and reports whether it was killed.
func process(t *testing.T, dir string, env ...string) (killed bool) {
	t.Helper()
	for _, name := range []string{"home", "work"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(append(os.Environ(), killedIn+"="+dir), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

var differs = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|local-[0-9a-z]{26}|\bn=\d+|\battempt=\d+|"attempt":\d+`)

// outcome is the final content of a project's directory and journal, without ids,
// times and whatever else differs from run to run, and the requests that were made
// for the project.
func outcomeOf(t *testing.T, dir string) (state map[string]string, asked []string) {
	t.Helper()
	projects, err := filepath.Glob(filepath.Join(dir, "work", "*"))
	if err != nil || len(projects) != 1 {
		t.Fatalf("projects %v, %v", projects, err)
	}
	tables := storetest.Dump(t, filepath.Join(dir, "home", "koda.db"))
	_, id, _ := strings.Cut(tables["projects"][0], "id=")
	id, _, _ = strings.Cut(id, " ")
	plain := func(text string) string {
		return differs.ReplaceAllString(strings.NewReplacer(dir, "DIR", id, "PROJECT").Replace(text), "X")
	}
	state = map[string]string{}
	for _, name := range []string{"blocks", "calls", "events", "messages", "turns", "versions"} {
		state[name] = plain(strings.Join(tables[name], "\n"))
	}
	for _, pattern := range []string{"*", "src/*", "renders/*", "previews/*"} {
		files, err := filepath.Glob(filepath.Join(projects[0], pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.IsDir() {
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			state[strings.TrimPrefix(file, projects[0])] = string(data)
		}
	}
	return state, requests(t, dir)
}

func requests(t *testing.T, dir string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "asked"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// TestModel_killed kills koda before and after every answer of a model and of a
// tool, in question, plan and work, and while the answer is journaled. The process
// that resumes repeats no request whose answer was journaled, and the outcome is
// the same as without a kill.
func TestModel_killed(t *testing.T) {
	t.Parallel()
	whole := atomicfiletest.Dir(t)
	log := filepath.Join(whole, "points")
	if process(t, whole, "KODA_FAILPOINT_LOG="+log) {
		t.Fatal("killed without a reason")
	}
	want, asked := outcomeOf(t, whole)
	if len(asked) != 8 {
		t.Fatalf("%d requests: %v", len(asked), asked)
	}
	points, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	all, called := strings.Split(strings.TrimSpace(string(points)), "\n"), false
	for i, line := range all {
		_, point, _ := strings.Cut(line, " ")
		// The first commit after a call is the commit of its answer.
		at := point == "engine.model" || point == "engine.call" || called && strings.HasPrefix(point, "store.commit")
		called = point == "engine.call" || called && (point == "engine.step" || point == "store.commit.before")
		if !at && os.Getenv("KODA_CRASH") != "all" {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", i+1, point), func(t *testing.T) {
			t.Parallel()
			dir := atomicfiletest.Dir(t)
			if !process(t, dir, fmt.Sprintf("KODA_FAILPOINT=#%d", i+1)) {
				t.Skip("this run has fewer points")
			}
			before, journaled := requests(t, dir), 0
			if before[0] == "" {
				before = nil
			}
			for _, row := range storetest.Dump(t, filepath.Join(dir, "home", "koda.db"))["calls"] {
				if strings.Contains(row, "name=model ") {
					journaled++
				}
			}
			if process(t, dir) {
				t.Fatal("killed again")
			}
			got, now := outcomeOf(t, dir)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the outcome differs (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append(before, asked[journaled:]...), now); diff != "" {
				t.Errorf("requests, %d of %d having been answered (-want +got):\n%s", journaled, len(before), diff)
			}
		})
	}
}
