package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// overheard runs koda watch on what an agent prints, and returns its status, its output and
// what it said.
func (r *servedRun) overheard(in io.Reader, args ...string) (status int, out, said string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), os.Args[0], append([]string{"watch"}, args...)...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env = r.dir, append(r.env, "KODA_TOKEN="+r.secret)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// agentTurn is a turn of an agent, as koda history --json tells it.
type agentTurn struct {
	ID, Input, Status string
	Number            int
	Error             *struct{ Message string }
	Cost              struct{ USD float64 }
}

func (r *servedRun) agentTurns() []agentTurn {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), os.Args[0], "history", "bouncing-ball", "--json")
	cmd.Dir, cmd.Env = r.dir, r.env
	out, err := cmd.Output()
	must(r.t, err)
	var got struct {
		Payload struct{ Agents []agentTurn }
	}
	must(r.t, json.Unmarshal(out, &got))
	return got.Payload.Agents
}

// agentBlocks are the blocks of a turn, by HTTP, in order.
func (r *servedRun) agentBlocks(turn agentTurn) (all []struct {
	Type    string
	Content map[string]any
}) {
	r.t.Helper()
	for after := ""; ; {
		id, _, _ := strings.Cut(turn.ID, "-")
		status, text := r.ask("GET", "/api/projects/"+id+"/turns/"+turn.ID+"/blocks?limit=1000&after="+after, "")
		var page struct {
			Blocks []struct {
				Type    string
				Content map[string]any
			}
			Next string
		}
		if err := json.Unmarshal([]byte(text), &page); status != 200 || err != nil {
			r.t.Fatalf("status %d: %v: %s", status, err, text)
		}
		if all = append(all, page.Blocks...); page.Next == "" {
			return all
		}
		after = page.Next
	}
}

// spooled are the files in which an agent's words wait.
func (r *servedRun) spooled() []string {
	r.t.Helper()
	left, err := filepath.Glob(filepath.Join(home(r.env), "agents", "*"))
	must(r.t, err)
	return left
}

// home is the KODA_HOME of an environment.
func home(env []string) (dir string) {
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); name == "KODA_HOME" {
			dir = value
		}
	}
	return dir
}

// TestWatch_agent: what agents print is passed on as it is, and becomes turns and blocks that
// history, show, HTTP and the numbers tell, of a project here and of one of a server.
func TestWatch_agent(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.sketch()
	secret := r.koda("token", "new", "--write")
	r.begin()
	r.secret = secret
	files, err := filepath.Glob("../../internal/agentlog/testdata/*.lines")
	must(t, err)
	blocks := 0
	for _, args := range [][]string{{"bouncing-ball"}, {r.url + "/bouncing-ball", "--dir", "elsewhere"}} {
		for _, file := range files {
			text, err := os.ReadFile(file)
			must(t, err)
			before := len(r.agentTurns())
			status, out, said := r.overheard(bytes.NewReader(text), args...)
			turns := r.agentTurns()[before:]
			if out != string(text) {
				t.Errorf("%s: not the same is passed on", file)
			}
			if len(turns) == 0 {
				t.Fatalf("%s: no turn: status %d: %s", file, status, said)
			}
			if want := map[string]int{"completed": 0, "failed": 1}[turns[len(turns)-1].Status]; status != want {
				t.Errorf("%s: status %d, want %d: %s", file, status, want, said)
			}
			steps, err := os.ReadFile(strings.TrimSuffix(file, ".lines") + ".steps")
			must(t, err)
			var got strings.Builder
			for _, turn := range turns {
				for _, b := range r.agentBlocks(turn) {
					blocks++
					data, err := json.Marshal(b.Content)
					must(t, err)
					fmt.Fprintf(&got, "%s %s\n", b.Type, data)
				}
			}
			want := ""
			for line := range strings.Lines(string(steps)) {
				var s struct {
					Block *struct {
						Type    string
						Content map[string]any
					}
				}
				must(t, json.Unmarshal([]byte(line), &s))
				if s.Block != nil {
					data, err := json.Marshal(s.Block.Content)
					must(t, err)
					want += fmt.Sprintf("%s %s\n", s.Block.Type, data)
				}
			}
			want = strings.NewReplacer(`"path":"src/params.ts"`, `"path":"/home/anna/ball/src/params.ts"`, `"path":"tasks/`, `"path":"/home/anna/ball/tasks/`).Replace(want)
			if got := got.String(); got != want {
				t.Errorf("%s: blocks\n%s\nwant\n%s", file, got, want)
			}
		}
	}
	if blocks < 90 {
		t.Errorf("only %d blocks", blocks)
	}
	if left := r.spooled(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if said := r.well(r.dir, "show", "bouncing-ball"); !strings.Contains(said, "by an agent") {
		t.Errorf("show does not tell of agents: %s", said)
	}
	if said := r.well(r.dir, "stats", "bouncing-ball", "--json"); !strings.Contains(said, `"turns":25,`) {
		t.Error(said)
	}
	// What could not be sent waits.
	read := r.koda("token", "new")
	write := r.secret
	r.secret = read
	status, out, said := r.overheard(strings.NewReader("{\"role\":\"assistant\",\"content\":\"waits\"}\n"), r.url+"/bouncing-ball", "--dir", "elsewhere")
	if status != 4 || !strings.Contains(said, "nothing is lost") || !strings.Contains(out, "waits") || len(r.spooled()) != 1 {
		t.Errorf("with a token that reads: status %d: %s", status, said)
	}
	r.secret = write
	if said := r.well(r.dir, "pull", r.url+"/bouncing-ball", "elsewhere"); !strings.Contains(said, "waited") || len(r.spooled()) > 0 {
		t.Errorf("the next command says %s", said)
	}
	if turns := r.agentTurns(); turns[len(turns)-1].Status != "completed" {
		t.Errorf("the turn that waited: %+v", turns[len(turns)-1])
	}
	if status, text := r.ask("POST", "/api/projects/"+strings.Split(r.agentTurns()[0].ID, "-")[0]+"/agent", `{"run": "aaaaaaaa", "from": 3}`); status != 422 || !strings.Contains(text, "INVALID_INPUT") {
		t.Errorf("a gap: status %d: %s", status, text)
	}
}

// TestWatch_agent_odd: whatever comes is passed on whole, kept, and breaks nothing.
func TestWatch_agent_odd(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	project := r.sketch()
	long := strings.Repeat("é", 5<<20)
	for what, c := range map[string]struct {
		text   string
		turns  int
		blocks int
	}{
		"nothing":              {},
		"blank lines":          {text: "\n \n\t\r\n"},
		"no final newline":     {"{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"é\"}", 1, 1},
		"broken JSON":          {"{\"type\":\"mess\n]]\n", 1, 2},
		"UTF-8 cut":            {"caf\xc3\n\xa9\n", 1, 2},
		"binary":               {"\x00\x01\x02\xff\n\x7fELF\x02\x01\x01\n\x1b[2J", 1, 3},
		"a line of 10 MB":      {long + "\n", 1, 1},
		"10 MB without an end": {"x\n" + long, 1, 2},
		"CRLF":                 {"{\"type\":\"turn.started\"}\r\n{\"type\":\"turn.completed\"}\r\n", 1, 0},
		"deep":                 {strings.Repeat("[", 20_000) + "\n" + strings.Repeat(`{"type":`, 5_000) + "1" + strings.Repeat("}", 5_000) + "\n", 1, 2},
		"large numbers":        {`{"type":"result","result":"x","total_cost_usd":1e999,"usage":{"input_tokens":-5,"output_tokens":1e30}}` + "\n", 1, 1},
	} {
		before := len(r.agentTurns())
		status, out, said := r.overheard(strings.NewReader(c.text), "bouncing-ball", "--quiet")
		turns := r.agentTurns()[before:]
		if out != c.text || status != 0 || len(turns) != c.turns {
			t.Errorf("%s: status %d, %d turns, passed on %d of %d bytes: %s", what, status, len(turns), len(out), len(c.text), said)
		}
		status, text := r.run(r.dir, "show", "bouncing-ball", "--json")
		if status != 0 || !json.Valid([]byte(text)) {
			t.Errorf("%s: show has status %d: %.300s", what, status, text)
		}
	}
	said := r.well(r.dir, "stats", "bouncing-ball", "--json")
	if !json.Valid([]byte(strings.TrimSpace(said))) {
		t.Errorf("stats: %s", said)
	}
	for what, c := range map[string]struct {
		status int
		says   string
		args   []string
	}{
		"no such project": {10, "", []string{"nothing"}},
		"no project":      {10, "", nil},
		"an empty --exec": {2, "empty", []string{"bouncing-ball", "--exec", " "}},
		"two projects":    {2, "", []string{"bouncing-ball", "x"}},
		"itself as --dir": {2, "of its own", []string{"bouncing-ball", "--dir", project}},
	} {
		if status, _, said := r.overheard(strings.NewReader("x\n"), c.args...); status != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%s: status %d, want %d: %s", what, status, c.status, said)
		}
	}
	full := exec.CommandContext(t.Context(), "/bin/sh", "-c", `echo x | "$0" watch bouncing-ball > /dev/full`, os.Args[0])
	full.Dir, full.Env = r.dir, r.env
	if said, _ := full.CombinedOutput(); full.ProcessState.ExitCode() != 9 || !strings.Contains(string(said), "passed on") {
		t.Errorf("on a full disk below: status %d: %s", full.ProcessState.ExitCode(), said)
	}
	if left := r.spooled(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestWatch_agent_many: a hundred thousand lines come through in order, each once, also if
// nobody reads them, while the agent and the person use koda on the same project.
func TestWatch_agent_many(t *testing.T) {
	inServers(t)
	t.Parallel()
	r := newServedRun(t)
	r.sketch()
	const lines = 100_000
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, `{"type":"message","role":"assistant","content":"%d"}`+"\n", i)
	}
	status, out, said := r.overheard(strings.NewReader(text.String()), "bouncing-ball")
	if status != 0 || out != text.String() {
		t.Fatalf("status %d, %d bytes: %s", status, len(out), said)
	}
	r.begin()
	blocks := r.agentBlocks(r.agentTurns()[0])
	if len(blocks) != lines {
		t.Fatalf("%d blocks", len(blocks))
	}
	for i, b := range blocks {
		if b.Content["content"] != strconv.Itoa(i) {
			t.Fatalf("block %d is %v", i, b.Content)
		}
	}
	// Nobody reads: head has gone after a line. The agent ends well, and all of it is kept.
	file := filepath.Join(r.dir, "lines")
	putFile(t, file, text.String())
	shell := exec.CommandContext(t.Context(), "/bin/bash", "-c", `cat lines | "$0" watch bouncing-ball --quiet | head -n 1 > first; echo "${PIPESTATUS[@]}"`, os.Args[0])
	shell.Dir, shell.Env = r.dir, r.env
	got, err := shell.Output()
	must(t, err)
	if string(got) != "0 0 0\n" {
		t.Errorf("a pipe to head ends with %s", got)
	}
	if n := len(r.agentBlocks(r.agentTurns()[1])); n != lines {
		t.Errorf("%d blocks are kept when nobody reads", n)
	}
}

// beginWatch starts koda watch in a group of its own, with a pipe from its agent.
func (r *servedRun) beginWatch(env []string, args ...string) (cmd *exec.Cmd, agent *os.File, said *bytes.Buffer) {
	r.t.Helper()
	in, agent, err := os.Pipe()
	must(r.t, err)
	r.t.Cleanup(func() { _ = agent.Close() })
	said = &bytes.Buffer{}
	cmd = exec.CommandContext(r.t.Context(), os.Args[0], append([]string{"watch"}, args...)...)
	cmd.Dir, cmd.Env = r.dir, append(append(r.env, "KODA_TOKEN="+r.secret), env...)
	cmd.Stdin, cmd.Stderr, cmd.SysProcAttr = in, said, &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	must(r.t, err)
	must(r.t, cmd.Start())
	must(r.t, in.Close())
	_, err = io.WriteString(agent, "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}\n{\"role\":\"assistant\",\"content\":\"one\"}\n")
	must(r.t, err)
	buf := make([]byte, 1)
	for n := 0; n < 2; { // koda has both lines, as it passed them on
		_, err := io.ReadFull(out, buf)
		must(r.t, err)
		if buf[0] == '\n' {
			n++
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return cmd, agent, said
}

// TestWatch_agent_signals: a signal ends koda after the agent had its last words, and what the
// agent said is in the history.
func TestWatch_agent_signals(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.sketch()
	for i, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd, agent, said := r.beginWatch(nil, "bouncing-ball")
		must(t, syscall.Kill(-cmd.Process.Pid, sig))
		if i == 0 { // the others leave an agent that goes on
			_, err := io.WriteString(agent, "{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"last words\"}")
			must(t, err)
			must(t, agent.Close())
		}
		_ = cmd.Wait()
		turns := r.agentTurns()
		last := turns[len(turns)-1]
		want := "failed"
		if i == 0 {
			want = "completed"
		}
		if cmd.ProcessState.ExitCode() != 130 || last.Status != want || len(turns) != i+1 {
			t.Errorf("%v: status %d, turn %+v: %s", sig, cmd.ProcessState.ExitCode(), last, said)
		}
		if i > 0 {
			if _, err := io.WriteString(agent, "more\n"); !errors.Is(err, syscall.EPIPE) {
				t.Errorf("%v: the agent that goes on gets %v", sig, err)
			}
		}
	}
	if left := r.spooled(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestWatch_agent_killed: koda is killed at any moment of its work; the next command says so,
// and the history has each line once.
func TestWatch_agent_killed(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	r.sketch()
	secret := r.koda("token", "new", "--write")
	r.begin()
	r.secret = secret
	for i, c := range []struct {
		env  []string
		args []string
	}{
		{nil, []string{"bouncing-ball"}},
		{[]string{"KODA_FAILPOINT=engine.step:1"}, []string{"bouncing-ball"}}, // before anything is journaled
		{[]string{"KODA_FAILPOINT=engine.step:2"}, []string{"bouncing-ball"}}, // after the first part
		{nil, []string{r.url + "/bouncing-ball", "--dir", "elsewhere"}},
	} {
		cmd, agent, said := r.beginWatch(c.env, c.args...)
		for i == 2 && len(r.agentTurns()) <= i { // the first part is on its way
		}
		if c.env == nil {
			must(t, cmd.Process.Kill())
		}
		_, _ = io.WriteString(agent, "two\n") // which one that is killed may have seen
		_ = agent.Close()
		_ = cmd.Wait()
		if cmd.ProcessState.ExitCode() != -1 {
			t.Errorf("%d: koda was not killed: %s", i, said)
		}
		if left := r.spooled(); len(left) != 1 {
			t.Fatalf("%d: left: %v", i, left)
		}
		next := []string{"show", "bouncing-ball"}
		if len(c.args) > 1 {
			next = []string{"pull", c.args[0], "elsewhere"}
		}
		if told := r.well(r.dir, next...); !strings.Contains(told, "koda watch was killed") {
			t.Errorf("%d: the next command does not tell it: %s", i, told)
		}
		if told := r.well(r.dir, next...); strings.Contains(told, "while an agent worked") {
			t.Errorf("%d: the one after tells it again: %s", i, told)
		}
		turns := r.agentTurns()
		if len(turns) != i+1 || turns[i].Status != "failed" {
			t.Fatalf("%d: turns %+v", i, turns)
		}
		var texts []string
		for _, b := range r.agentBlocks(turns[i]) {
			texts = append(texts, fmt.Sprint(b.Content["content"], b.Content["text"]))
		}
		if got := strings.Join(texts, "; "); got != "an outside agent, session s<nil>; one<nil>" && got != "an outside agent, session s<nil>; one<nil>; <nil>two" {
			t.Errorf("%d: %s", i, got)
		}
		if left := r.spooled(); len(left) > 0 {
			t.Errorf("%d: left: %v", i, left)
		}
	}
}

// ended reports whether no process is left that was started with a word in its arguments.
func ended(t *testing.T, word string) {
	t.Helper()
	must(t, exec.CommandContext(t.Context(), "/bin/sh", "-c", `while grep -lsa -- "$1" /proc/[0-9]*/cmdline | grep -v "/$$/" | grep -qv self; do sleep 0.1; done`, "sh", "[k]"+strings.TrimPrefix(word, "k")).Run())
}

// TestWatch_exec_ended: signals and death of koda while a command works, which starts others.
// Nothing stays running, nothing that was written is lost, and the next command goes on.
func TestWatch_exec_ended(t *testing.T) {
	t.Parallel()
	r := newServedRun(t)
	project := r.sketch()
	for i, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		word := fmt.Sprintf("koda-%d-%d", os.Getpid(), i)
		line := fmt.Sprintf("printf %d > src/agent%d.ts; touch begun%d; (sh -c 'while :; do sleep 0.05; done' %s-a & wait) & sh -c 'trap \"\" HUP; while :; do sleep 0.05; done' %s-b; true", i, i, i, word, word)
		if sig != syscall.SIGKILL { // a command that heeds no signal is left to itself
			line = fmt.Sprintf("printf %d > src/agent%d.ts; touch begun%d; exec sh -c 'while :; do sleep 0.05; done' %s-b", i, i, i, word)
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0], "watch", "bouncing-ball", "--dir", "work", "--exec", line)
		var said bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stderr, cmd.SysProcAttr = r.dir, r.env, &said, &syscall.SysProcAttr{Setpgid: true}
		must(t, cmd.Start())
		await(t, filepath.Join(r.dir, "work", fmt.Sprintf("begun%d", i)))
		if sig == syscall.SIGKILL {
			must(t, cmd.Process.Kill())
		} else {
			must(t, syscall.Kill(-cmd.Process.Pid, sig))
		}
		_ = cmd.Wait()
		ended(t, word)
		if want := map[bool]int{true: -1, false: 128 + int(sig)}[sig == syscall.SIGKILL]; cmd.ProcessState.ExitCode() != want {
			t.Errorf("%v: status %d, want %d: %s", sig, cmd.ProcessState.ExitCode(), want, &said)
		}
		told := r.well(r.dir, "watch", "bouncing-ball", "--dir", "work", "--exec", "true")
		if strings.Contains(told, "koda watch was killed") != (sig == syscall.SIGKILL) {
			t.Errorf("%v: the next command says %s", sig, told)
		}
		if got := filesIn(t, project)[fmt.Sprintf("src/agent%d.ts", i)]; got != strconv.Itoa(i) {
			t.Errorf("%v: what the command wrote is %q", sig, got)
		}
	}
	// A directory that is removed, whole or without what koda keeps in it, is no wish to delete.
	before := len(filesIn(t, project))
	for _, what := range []string{"../gone", ".koda"} {
		status, said := r.run(r.dir, "watch", "bouncing-ball", "--dir", "gone", "--exec", "rm -rf "+what)
		if after := len(filesIn(t, project)); status != 1 || !strings.Contains(said, "was removed") || after != before {
			t.Errorf("rm -rf %s: status %d, %d of %d files: %s", what, status, after, before, said)
		}
	}
	// Two at once in a directory would undo each other's work.
	done := make(chan string, 1)
	go func() {
		status, said := r.run(r.dir, "watch", "bouncing-ball", "--dir", "work", "--exec", "touch here; until test -e go; do sleep 0.05; done")
		done <- fmt.Sprint(status, said)
	}()
	await(t, filepath.Join(r.dir, "work", "here"))
	for _, args := range [][]string{{"watch", "bouncing-ball", "--dir", "work", "--exec", "true"}, {"pull", "bouncing-ball", "work"}} {
		if status, said := r.run(r.dir, args...); status != 11 || !strings.Contains(said, "another koda") {
			t.Errorf("%v beside a watch: status %d: %s", args, status, said)
		}
	}
	putFile(t, filepath.Join(r.dir, "work", "go"), "")
	if said := <-done; !strings.HasPrefix(said, "0") {
		t.Error(said)
	}
}
