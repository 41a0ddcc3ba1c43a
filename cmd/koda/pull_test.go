package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// run runs a command to its end, and returns its status and what it said.
func (r *servedRun) run(dir string, args ...string) (status int, said string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env = dir, append(r.env, "KODA_TOKEN="+r.secret)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// well runs a command that must end well.
func (r *servedRun) well(dir string, args ...string) string {
	r.t.Helper()
	status, said := r.run(dir, args...)
	if status != 0 {
		r.t.Fatalf("koda %s: status %d: %s", strings.Join(args, " "), status, said)
	}
	return said
}

// sketch makes a project whose files are there, and whose first preview was cut short.
func (r *servedRun) sketch() (dir string) {
	r.t.Helper()
	cmd := exec.Command(os.Args[0], "new", "bouncing ball", "--yes")
	cmd.Dir, cmd.Env = r.dir, append(r.env, "KODA_FAILPOINT=engine.effect.preview")
	if said, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != -1 {
		r.t.Fatalf("koda was not killed: %s", said)
	}
	return filepath.Join(r.dir, "bouncing-ball")
}

// filesIn are the contents of a directory's files, by path, but for koda's own.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == ".koda" || d.Name() == "renders" || d.Name() == "previews") {
				return fs.SkipDir
			}
			return err
		}
		if d.Name() == ".gitignore" || !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(data)
		return err
	}))
	return all
}

func sameTrees(t *testing.T, what, a, b string) {
	t.Helper()
	one, two := filesIn(t, a), filesIn(t, b)
	for path, text := range one {
		if other, ok := two[path]; !ok || other != text {
			t.Errorf("%s: %s differs (there: %v)", what, path, ok)
		}
	}
	for path := range two {
		if _, ok := one[path]; !ok {
			t.Errorf("%s: %s is too much", what, path)
		}
	}
}

// await waits for a file.
func await(t *testing.T, file string) {
	t.Helper()
	must(t, exec.CommandContext(t.Context(), "/bin/sh", "-c", `until test -e "$1"; do sleep 0.1; done`, "sh", file).Run())
}

func putFile(t *testing.T, file, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(text), 0o644))
}

// counted is what a run of pull did.
func counted(t *testing.T, said string) (r struct {
	Payload struct {
		Brought, Sent, Status int
		Bytes                 int64
		Kept                  []string
	}
}) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &r); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return r
}

// TestPull brings a project from a server and from this machine: all of it, then what
// changed. What the person changed stays.
func TestPull(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	project := r.sketch()
	r.begin()
	for name, ref := range map[string]string{"served": r.url + "/bouncing-ball", "local": "bouncing-ball"} {
		dir := filepath.Join(r.dir, name)
		first := counted(t, r.well(r.dir, "pull", ref, dir, "--json")).Payload
		sameTrees(t, name, project, dir)
		if first.Brought < 5 {
			t.Errorf("%s: %+v", name, first)
		}
		if again := counted(t, r.well(r.dir, "pull", ref, dir, "--json")).Payload; again.Brought != 0 || again.Bytes != 0 {
			t.Errorf("%s, nothing changed: %+v", name, again)
		}
		putFile(t, filepath.Join(project, "src/new.ts"), "export const n = 1\n")
		if next := counted(t, r.well(dir, "pull", ref, "--json")).Payload; next.Brought != 1 || next.Bytes != 19 {
			t.Errorf("%s, one file changed: %+v", name, next)
		}
		putFile(t, filepath.Join(project, "src/new.ts"), "theirs "+name)
		putFile(t, filepath.Join(dir, "src/new.ts"), "mine")
		putFile(t, filepath.Join(dir, "src/own.ts"), "own")
		for _, want := range []int{9, 0} { // told once
			status, said := r.run(r.dir, "pull", ref, dir)
			if status != want || strings.Contains(said, "kept: ") != (want == 9) {
				t.Errorf("%s, both changed: status %d, want %d: %s", name, status, want, said)
			}
		}
		got := filesIn(t, dir)
		beside, err := os.ReadFile(filepath.Join(dir, ".koda/conflicts/src/new.ts.1"))
		if got["src/new.ts"] != "mine" || got["src/own.ts"] != "own" || string(beside) != "theirs "+name {
			t.Errorf("%s: the person's %q, %q; beside it %q, %v", name, got["src/new.ts"], got["src/own.ts"], beside, err)
		}
		must(t, os.Remove(filepath.Join(project, "src/new.ts")))
		must(t, os.Remove(filepath.Join(dir, "src/new.ts")))
		must(t, os.Remove(filepath.Join(dir, "src/own.ts")))
		r.well(r.dir, "pull", ref, dir)
		sameTrees(t, name+", deleted on both sides", project, dir)
	}
	others := t.TempDir()
	putFile(t, filepath.Join(others, "thesis.txt"), "mine")
	for what, c := range map[string]struct {
		status int
		says   string
		args   []string
	}{
		"no such project":   {10, "no project", []string{"pull", r.url + "/nothing"}},
		"no address":        {2, "no address", []string{"pull", "http:///x"}},
		"another scheme":    {2, "no address", []string{"pull", "ftp://localhost/x"}},
		"nobody there":      {6, "reach 127.0.0.1:1", []string{"pull", "http://127.0.0.1:1/x"}},
		"a project's own":   {2, "a project of its own", []string{"pull", "bouncing-ball"}},
		"other files":       {2, "files of another kind", []string{"pull", "bouncing-ball", others}},
		"watch other files": {2, "files of another kind", []string{"watch", "bouncing-ball", "--dir", others, "--exec", "touch ran"}},
		"a file in the way": {1, "", []string{"pull", "bouncing-ball", filepath.Join(project, "index.html")}},
		"unknown":           {10, "", []string{"pull", "nothing", "x"}},
		"no project":        {2, "", []string{"pull"}},
	} {
		if status, said := r.run(r.dir, c.args...); status != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%s: status %d, want %d: %s", what, status, c.status, said)
		}
	}
	if got := filesIn(t, others); len(got) != 1 {
		t.Errorf("files of another kind: %v", got)
	}
	cloned := t.TempDir() // an empty clone
	putFile(t, filepath.Join(cloned, ".git/HEAD"), "ref: refs/heads/main\n")
	r.well(r.dir, "pull", "bouncing-ball", cloned)
	secret := r.secret
	r.secret = "koda_wrong"
	if status, said := r.run(r.dir, "pull", r.url+"/bouncing-ball", "x"); status != 4 || !strings.Contains(said, "KODA_TOKEN") {
		t.Errorf("a wrong token: status %d: %s", status, said)
	}
	r.secret = secret
}

// TestPull_many brings many files and large ones, is killed in the middle and goes on. What
// cannot be a file of a project is named and left, and nothing is written through links.
func TestPull_many(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	project, dir := r.sketch(), filepath.Join(r.dir, "copy")
	for i := range 4_900 {
		putFile(t, filepath.Join(project, fmt.Sprintf("public/data/%d/%d.json", i%70, i)), fmt.Sprintf(`{"n": %d}`, i))
	}
	large := make([]byte, 70<<20)
	_, _ = rand.Read(large)
	putFile(t, filepath.Join(project, "public/images/large.png"), string(large))
	putFile(t, filepath.Join(project, "public/images/Ä ö'$(x).png"), "x")
	putFile(t, filepath.Join(project, "src/Case.ts"), "1")
	putFile(t, filepath.Join(project, "src/case.ts"), "2")
	putFile(t, filepath.Join(project, "public/two\nlines.txt"), "x")
	must(t, os.Symlink("/etc/passwd", filepath.Join(project, "public/link.txt")))
	r.begin()
	killed := exec.Command(os.Args[0], "pull", r.url+"/bouncing-ball", dir)
	killed.Dir, killed.Env = r.dir, append(r.env, "KODA_TOKEN="+r.secret, "KODA_FAILPOINT=atomicfile.renamed:2000")
	if _ = killed.Run(); killed.ProcessState.ExitCode() != -1 {
		t.Error("the first pull was not killed")
	}
	full := exec.Command(os.Args[0], "pull", r.url+"/bouncing-ball", dir)
	full.Dir, full.Env = r.dir, append(r.env, "KODA_TOKEN="+r.secret, "KODA_FAILPOINT=atomicfile.renamed:700=full")
	if said, _ := full.CombinedOutput(); full.ProcessState.ExitCode() != 1 || !strings.Contains(string(said), "free ") {
		t.Errorf("on a full disk: %s", said)
	}
	status, said := r.run(r.dir, "pull", r.url+"/bouncing-ball", dir, "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, said)
	}
	got := filesIn(t, dir)
	if len(got) < 4_900 || !bytes.Equal([]byte(got["public/images/large.png"]), large) || got["src/Case.ts"]+got["src/case.ts"] != "12" {
		t.Errorf("%d files arrived", len(got))
	}
	if _, ok := got["public/link.txt"]; ok || got["public/two\nlines.txt"] != "" {
		t.Error("a link or a name of two lines arrived")
	}
	outside := t.TempDir()
	must(t, os.RemoveAll(filepath.Join(dir, "public/data/7")))
	must(t, os.Symlink(outside, filepath.Join(dir, "public/data/7")))
	putFile(t, filepath.Join(project, "public/data/7/7.json"), "changed")
	_, said = r.run(r.dir, "pull", r.url+"/bouncing-ball", dir)
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("something was written through a link: %v, %v: %s", left, err, said)
	}
}

// TestWatch_exec runs commands beside a served project: changes go both ways, a server that
// is killed in the middle is waited for, and status and signals are the command's.
func TestWatch_exec(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	project := r.sketch()
	secret := r.koda("token", "new", "--write")
	r.begin()
	r.secret = secret
	at := r.url + "/bouncing-ball"
	dir := filepath.Join(r.dir, "work")
	wait := func(file string) string { return "until test -e " + file + "; do sleep 0.1; done; " }
	done := make(chan string, 1)
	go func() {
		status, said := r.run(r.dir, "watch", at, "--dir", dir, "--json", "--exec",
			"echo token=$KODA_TOKEN; printf agent > src/agent.ts; "+wait("src/person.ts")+"cat src/person.ts > src/seen.ts; rm src/agent.ts; exit 7")
		done <- fmt.Sprint(status, "\n", said)
	}()
	await(t, filepath.Join(project, "src/agent.ts"))
	putFile(t, filepath.Join(project, "src/person.ts"), "person")
	said := <-done
	if !strings.HasPrefix(said, "7\n") || !strings.Contains(said, "token=\n") {
		t.Errorf("watch ended with %s", said)
	}
	sameTrees(t, "after the command", project, dir)
	if got := filesIn(t, project); got["src/seen.ts"] != "person" || got["src/agent.ts"] != "" {
		t.Errorf("the project has %q and %q", got["src/seen.ts"], got["src/agent.ts"])
	}

	go func() { // the server is killed, and another one comes
		status, said := r.run(r.dir, "watch", at, "--dir", dir, "--exec", "touch begun; "+wait("go")+"printf late > src/late.ts; rm go; "+wait("again"))
		done <- fmt.Sprint(status, "\n", said)
	}()
	await(t, filepath.Join(dir, "begun"))
	must(t, r.server.Process.Kill())
	_ = r.server.Wait()
	putFile(t, filepath.Join(dir, "go"), "")
	_, r.port, _ = strings.Cut(strings.TrimPrefix(r.url, "http://"), ":")
	r.begin()
	r.secret = secret
	await(t, filepath.Join(project, "src/late.ts"))
	putFile(t, filepath.Join(dir, "again"), "")
	if said := <-done; !strings.HasPrefix(said, "0\n") {
		t.Errorf("watch over a killed server ended with %s", said)
	}

	go func() { // both change the same file
		status, said := r.run(r.dir, "watch", at, "--dir", dir, "--exec", wait("both")+"rm both")
		done <- fmt.Sprint(status, "\n", said)
	}()
	putFile(t, filepath.Join(project, "src/late.ts"), "person's")
	putFile(t, filepath.Join(dir, "src/late.ts"), "agent's")
	putFile(t, filepath.Join(dir, "both"), "")
	said = <-done
	mine, yours := filesIn(t, dir)["src/late.ts"], filesIn(t, project)["src/late.ts"]
	switch {
	case mine == "agent's" && yours == "person's":
		beside, _ := os.ReadFile(filepath.Join(project, ".koda/conflicts/src/late.ts.1"))
		other, _ := os.ReadFile(filepath.Join(dir, ".koda/conflicts/src/late.ts.1"))
		if !strings.HasPrefix(said, "9\n") || string(beside) != "agent's" || string(other) != "person's" {
			t.Errorf("both changed: %q and %q beside: %s", beside, other, said)
		}
	default:
		t.Errorf("both changed: %q and %q: %s", mine, yours, said)
	}
	if status, _ := r.ask(http.MethodGet, "/healthz", "", ""); status != http.StatusOK {
		t.Error("the server is ill")
	}
}
