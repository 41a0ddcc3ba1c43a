package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/koda-video/koda/internal/bundle"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/llm"
	"github.com/koda-video/koda/internal/llm/llmtest"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/score"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

// asKoda, set in the environment, makes this test binary run as koda.
const asKoda = "KODA_TEST_IS_KODA"

func TestMain(m *testing.M) {
	// A koda of a script starts itself under another name, see proc.Self.
	if os.Getenv(asKoda) != "" || len(os.Args) == 2 && (os.Args[1] == bundle.TrialArg || os.Args[1] == score.ChildArg || os.Args[1] == proc.KeepArg) {
		os.Exit(run())
	}
	if size := os.Getenv(asDisk); size != "" {
		os.Exit(onSmallDisk(size))
	}
	heedSignals()
	testscript.Main(m, map[string]func(){"koda": func() { os.Exit(run()) }, "unreadable": unreadable})
}

// heedSignals undoes nohup and the effect of background shells. koda keeps ignoring
// the signals that its parent ignored, but the tests here must be able to interrupt
// it.
func heedSignals() {
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
}

// TestScripts runs whole commands: the real program with the real Chromium,
// ffmpeg and SQLite, in a home of its own. Beside the words of testscript the
// scripts use those of scriptWords.
func TestScripts(t *testing.T) {
	t.Parallel()
	further := ""         // the fonts of further scripts
	if !testing.Short() { // in a short run the scripts that need them skip themselves by [short]
		needs.FFmpeg(t)
		needs.Program(t, "jq", "sudo apt-get install jq")
		further = needs.Fonts(t)
	}
	models := map[string]string{
		"ANTHROPIC_SERVER": llmtest.Serve(t, llmtest.Anthropic, noted).URL, "OPENAI_SERVER": llmtest.Serve(t, llmtest.OpenAI, noted).URL, "MODELS_KEY": llmtest.Key,
	}
	scripts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*.txtar"))
	must(t, err)
	if !testing.Short() { // most scripts of a short run take no time
		scripts = needs.Some(scripts)
	}
	testscript.Run(t, testscript.Params{
		Files: scripts,
		Setup: func(env *testscript.Env) error {
			env.Setenv("FONTS", further)
			for name, value := range models {
				env.Setenv(name, value)
			}
			return scriptHome(env)
		},
		Cmds:                scriptWords,
		Condition:           scriptCondition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
	})
}

// noted is the answer of a model that can do all that a trial asks.
var noted = llmtest.Step{Thinking: "It is blue.", Response: llm.Response{
	Stop: llm.StopTools, Model: llmtest.Name, Usage: llm.Usage{Input: 900, Output: 60},
	Parts: []llm.Part{
		{Use: &llm.ToolUse{ID: "1", Name: "note", Input: json.RawMessage(`{"about":"word","text":"koda"}`)}},
		{Use: &llm.ToolUse{ID: "2", Name: "note", Input: json.RawMessage(`{"about":"colour","text":"Blue"}`)}},
	},
}}

// scriptHome gives a script a home of its own, and keeps this machine's settings out
// of it.
func scriptHome(env *testscript.Env) error {
	for _, name := range []string{
		"STORAGE_PROVIDER", "STORAGE_PATH", "DATABASE_PROVIDER", "DATABASE_PATH", "SANDBOX_PROVIDER", "SANDBOX_IMAGE",
		"KODA_AUTHOR", "KODA_MODEL", "KODA_PLANNER_MODEL", "KODA_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "NO_COLOR", "KODA_BROWSER_SANDBOX", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	} {
		env.Setenv(name, "")
	}
	env.Setenv("HOME", filepath.Join(env.WorkDir, ".home"))
	env.Setenv("KODA_HOME", filepath.Join(env.WorkDir, ".koda-home"))
	env.Setenv("LANG", "C.UTF-8")
	env.Setenv("KODA_CHROME", os.Getenv("KODA_CHROME"))
	env.Setenv("KODA_FFMPEG", os.Getenv("KODA_FFMPEG"))
	return os.MkdirAll(filepath.Join(env.WorkDir, ".home"), 0o755)
}

// scriptCondition knows two conditions. "mounts": a disk can be mounted for a
// single process. "namespaces": a process can run as another user.
func scriptCondition(name string) (bool, error) {
	try, ok := map[string][]string{
		"mounts":     {"--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"},
		"namespaces": {"--user", "--map-user=1000", "true"},
	}[name]
	if !ok {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return exec.Command("unshare", try...).Run() == nil, nil
}

// scriptWords are the words of scripts beyond those of testscript:
//
//	status N PROGRAM ARG…   runs it and compares its exit status
//	result PATH VALUE       compares a field of the JSON result on standard output
//	keep NAME PATH          puts a field of that result into the environment
//	video FILE KEY=VALUE…   compares what ffprobe says of the first video stream
//	same FILE FILE          compares bytes
//	until FILE REGEXP       waits until the file holds a match
//	signal NAME             signals the programs in the background
//	alone                   waits until no other process of this script is left
var scriptWords = map[string]func(*testscript.TestScript, bool, []string){
	"status": func(ts *testscript.TestScript, _ bool, args []string) {
		want, err := strconv.Atoi(args[0])
		ts.Check(err)
		got := 0
		if err := ts.Exec(args[1], args[2:]...); err != nil {
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				ts.Fatalf("%v", err)
			}
			got = exit.ExitCode()
		}
		if got != want {
			ts.Fatalf("exit status %d, want %d", got, want)
		}
	},
	"result": func(ts *testscript.TestScript, neg bool, args []string) {
		got := field(ts, args[0])
		ok, err := regexp.MatchString("^(?:"+args[1]+")$", got)
		ts.Check(err)
		if ok == neg {
			ts.Fatalf("%s is %q, want %q", args[0], got, args[1])
		}
	},
	"keep": func(ts *testscript.TestScript, _ bool, args []string) { ts.Setenv(args[0], field(ts, args[1])) },
	"video": func(ts *testscript.TestScript, _ bool, args []string) {
		facts := probe(ts, ts.MkAbs(args[0]))
		for _, arg := range args[1:] {
			key, want, _ := strings.Cut(arg, "=")
			if got := facts[key]; got != want {
				ts.Fatalf("%s of %s is %q, want %q; ffprobe says %v", key, args[0], got, want, facts)
			}
		}
	},
	"same": func(ts *testscript.TestScript, neg bool, args []string) {
		if same := ts.ReadFile(args[0]) == ts.ReadFile(args[1]); same == neg {
			ts.Fatalf("%s and %s: same bytes: %v", args[0], args[1], same)
		}
	},
	"until": func(ts *testscript.TestScript, _ bool, args []string) {
		want := regexp.MustCompile(args[1])
		waitFor(ts, 3*time.Minute, fmt.Sprintf("%s to hold %s", args[0], args[1]), func() bool {
			data, err := os.ReadFile(ts.MkAbs(args[0]))
			return err == nil && want.Match(data)
		})
	},
	"signal": func(ts *testscript.TestScript, _ bool, args []string) {
		sig := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}[args[0]]
		for _, cmd := range ts.BackgroundCmds() {
			ts.Check(cmd.Process.Signal(sig))
		}
	},
	"alone": func(ts *testscript.TestScript, _ bool, _ []string) {
		waitFor(ts, 20*time.Second, "every process to end", func() bool {
			left := processesOf(ts.Getenv("WORK"))
			if len(left) > 0 {
				ts.Logf("still there: %s", strings.Join(left, "\n"))
			}
			return len(left) == 0
		})
	},
}

// waitFor polls until ok. No other way to watch a file of another process works
// everywhere.
func waitFor(ts *testscript.TestScript, limit time.Duration, what string, ok func() bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	end := time.After(limit)
	for !ok() {
		select {
		case <-tick.C:
		case <-end:
			ts.Fatalf("waited %v for %s", limit, what)
		}
	}
}

// field is a field of the last result on standard output, by its path in the
// payload ("output.videoUrl"); "" when it is missing.
func field(ts *testscript.TestScript, path string) string {
	lines := strings.Split(strings.TrimSpace(ts.ReadFile("stdout")), "\n")
	var last struct {
		Schema  int    `json:"schema"`
		Type    string `json:"type"`
		Payload any    `json:"payload"`
	}
	ts.Check(json.Unmarshal([]byte(lines[len(lines)-1]), &last))
	if last.Schema != koda.SchemaVersion || last.Type != "result" {
		ts.Fatalf("the last line is no result: %s", lines[len(lines)-1])
	}
	v := last.Payload
	for _, name := range strings.Split(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			ts.Check(err)
			v = nil
			if i < len(at) {
				v = at[i]
			}
		}
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := json.Marshal(v)
	ts.Check(err)
	return string(text)
}

// probe returns ffprobe's description of a video, with a count of the decoded frames.
func probe(ts *testscript.TestScript, path string) map[string]string {
	var stderr bytes.Buffer
	cmd := exec.Command("ffprobe", "-v", "error", "-of", "json", "-count_packets", "-show_streams", "-show_format", path)
	cmd.Stderr = &stderr
	data, err := cmd.Output()
	if err != nil {
		ts.Fatalf("ffprobe %s: %v: %s", path, err, stderr.String())
	}
	var seen struct {
		Streams []map[string]any `json:"streams"`
		Format  map[string]any   `json:"format"`
	}
	ts.Check(json.Unmarshal(data, &seen))
	facts := map[string]string{"streams": strconv.Itoa(len(seen.Streams))}
	for _, stream := range seen.Streams {
		if stream["codec_type"] != "video" {
			continue
		}
		for k, v := range stream {
			facts[k] = fmt.Sprint(v)
		}
	}
	if facts["duration"] == "" { // in webm and apng only the file has a duration
		facts["duration"] = fmt.Sprint(seen.Format["duration"])
	}
	seconds, err := strconv.ParseFloat(facts["duration"], 64)
	ts.Check(err)
	facts["duration"] = strconv.FormatFloat(seconds, 'g', -1, 64)
	return facts
}

// processesOf lists the processes whose command line names a directory.
func processesOf(dir string) []string {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline") //nolint:errcheck // the pattern is right
	var found []string
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err == nil && bytes.Contains(data, []byte(dir)) {
			found = append(found, strings.ReplaceAll(string(data), "\x00", " "))
		}
	}
	return found
}
