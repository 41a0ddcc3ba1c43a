package archtest_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/koda-video/koda/internal/needs"
)

// action is what the tests read of action.yml.
type action struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, If, Uses, Shell, Run string
	Env, With                      map[string]string
}

func readAction(t *testing.T) action {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(moduleRoot(t), "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

var (
	actionRun  = regexp.MustCompile(`^"\$GITHUB_ACTION_PATH/(\.ci/action/[a-z]+)"$`)
	actionUses = regexp.MustCompile(`^actions/[a-z-]+@v[0-9]+$`)
)

// The text of an input reaches a script as the value of a variable, and never as part of
// a command.
func TestAction_inputsAreData(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	used := map[string]bool{}
	for _, s := range a.Runs.Steps {
		switch {
		case s.Uses != "":
			if !actionUses.MatchString(s.Uses) {
				t.Errorf("%s: %q is not a version of one of GitHub's own actions", s.Name, s.Uses)
			}
		case s.Shell != "bash" || !actionRun.MatchString(s.Run):
			t.Errorf("%s: bash runs one script below .ci/action, and nothing else: %q", s.Name, s.Run)
		default:
			checkActionScript(t, actionRun.FindStringSubmatch(s.Run)[1], s.Env)
		}
		for name, value := range s.Env {
			if input, ok := strings.CutPrefix(name, "INPUT_"); ok {
				input = strings.ToLower(input)
				used[input] = true
				if want := "${{ inputs." + input + " }}"; value != want {
					t.Errorf("%s: %s is %q, want %q", s.Name, name, value, want)
				}
			}
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(a.Inputs)), slices.Sorted(maps.Keys(used))); diff != "" {
		t.Errorf("inputs (-), and those that a step hands to its script (+):\n%s", diff)
	}
	for name, in := range a.Inputs {
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
}

// checkActionScript checks that a script reads the variables it is handed.
func checkActionScript(t *testing.T, name string, env map[string]string) {
	t.Helper()
	file := filepath.Join(moduleRoot(t), name)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	if info, err := os.Stat(file); err != nil || info.Mode()&0o111 == 0 {
		t.Errorf("%s cannot be executed (%v)", name, err)
	}
	if strings.Contains(string(text), "eval ") {
		t.Errorf("%s evaluates text", name)
	}
	for v := range env {
		if !strings.Contains(string(text), "$"+v) && !strings.Contains(string(text), "${"+v) {
			t.Errorf("%s does not read %s", name, v)
		}
	}
}

// Whatever an input holds, koda gets it as one argument, and what koda prints is no
// command for the runner.
func TestAction_handsOverInputs(t *testing.T) {
	t.Parallel()
	needsAction(t)
	j := newJob(t, map[string]string{
		"prompt": "--help $(touch hacked) `id` \"; exit 9 #\n::error::no", "recipe": "a b", "data": "my file.csv", "style": "$HOME",
		"duration": "5", "preset": "reels,square", "output": "out/{x}.mp4", "set": "text=Hello, world\n\nscene2.background=navy",
		"args": "--timeout=10m\n--name=it is",
	})
	j.koda(`{"type":"TODO_UPDATE","payload":{"status":"done","label":"Set up"}}
{"type":"result","payload":{"ok":true,"outputs":[{"kind":"video","path":"/v/<b>.mp4","sha256":"1"},{"kind":"video","path":"/p/b.mp4","sha256":"1"},`+
		`{"kind":"thumbnail","path":"/p/b.jpg"},{"kind":"video","path":"/v/c.mp4","sha256":"2"}],"project":{"dir":"/p"},"plan":{"notes":["not\n[understood](x)"]},`+
		`"output":{"resolution":"1920x1080","fps":30,"duration":5,"fileSize":351700}}}`, 0)
	if err := j.run(actionVideo); err != nil {
		t.Fatal(err, j.log)
	}
	said := readFile(t, filepath.Join(j.temp, "koda", "said"))
	want := strings.Join([]string{
		"<new>", "<--yes>", "<--json>", "<--dir=" + j.temp + "/koda/projects>", "<--recipe=a b>", "<--data=my file.csv>", "<--style=$HOME>",
		"<--duration=5>", "<--preset=reels,square>", "<--output=out/{x}.mp4>", "<--set=text=Hello, world>", "<--set=scene2.background=navy>",
		"<--timeout=10m>", "<--name=it is>", "<-->", "<" + j.inputs["prompt"] + ">", "",
	}, "\n")
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("arguments of koda (-want +got):\n%s", diff)
	}
	wantOut := map[string]string{"video": "/v/<b>.mp4", "project": "/p", "artifact": "-b-.mp4", "files": "/v/<b>.mp4\n/v/c.mp4"}
	if diff := cmp.Diff(wantOut, j.steps["video"]); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	wantSummary := "### Video by koda\n\n<code>/v/&lt;b&gt;.mp4</code>: 1920x1080 at 30 fps, 5 s, 352 kB\n\n    not [understood](x)\n"
	if diff := cmp.Diff(wantSummary, readFile(t, filepath.Join(j.temp, "summary"))); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if !regexp.MustCompile(`^::stop-commands::([0-9a-f]{32})\n✓ Set up\n::[0-9a-f]{32}::\n/v/<b>.mp4\n$`).MatchString(j.log) {
		t.Errorf("log: %q", j.log)
	}
}

// What fails is said in one line, with koda's own words, and koda's status stays.
func TestAction_fails(t *testing.T) {
	t.Parallel()
	needsAction(t)
	for name, c := range map[string]struct {
		prints string
		status int
		want   string
	}{
		"wrong use": {`{"type":"result","payload":{"error":{"message":"100% wrong","hint":"try\nthis"}}}`, 2, "::error title=koda::100%25 wrong (try this)"},
		"no words":  {`not JSON`, 1, "::error title=koda::koda ended with status 1"},
		"no video":  {`{"type":"result","payload":{"ok":true,"next":["koda accept x"]}}`, 0, "::error title=koda::koda made no video: koda accept x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, map[string]string{"prompt": "x"})
			j.koda(c.prints, c.status)
			err := j.run(actionVideo)
			if err == nil || !strings.HasSuffix(err.Error(), fmt.Sprint("exit status ", max(c.status, 1))) {
				t.Errorf("ended with %v, want status %d", err, max(c.status, 1))
			}
			if !strings.HasSuffix(j.log, c.want+"\n") || strings.Count(j.log, "::error") != 1 {
				t.Errorf("log %q, want %q", j.log, c.want)
			}
		})
	}
}

// The release of the action's tag is taken if there is one and its digest is right.
func TestAction_release(t *testing.T) {
	t.Parallel()
	needsAction(t)
	for name, c := range map[string]struct{ ref, digest, build, fails string }{
		"release":      {ref: "v1.2.3", build: "false"},
		"other digest": {ref: "v1.2.3", digest: strings.Repeat("0", 64), fails: "is not what checksums.txt"},
		"no release":   {ref: "v9.9.9", build: "true"},
		"branch":       {ref: "main", build: "true"},
		"own checkout": {build: "true"},
		"hostile":      {ref: "v1.2.3/../../x", build: "true"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, nil)
			j.github = map[string]string{"action_ref": c.ref, "action_repository": "o/koda"}
			j.env = []string{"GITHUB_SERVER_URL=file://" + releases(t, c.digest)}
			err := j.run("Get koda")
			if c.fails != "" {
				if err == nil || !strings.Contains(j.log, "::error title=koda::") || !strings.Contains(j.log, c.fails) {
					t.Errorf("%v, log %q", err, j.log)
				}
				return
			}
			if err != nil || j.steps["koda"]["build"] != c.build || j.steps["koda"]["source"] != moduleRoot(t) {
				t.Errorf("%v, outputs %v, log %q", err, j.steps, j.log)
			}
			if got, err := os.ReadFile(filepath.Join(j.temp, "koda", "koda")); c.build == "false" && string(got) != "the program" {
				t.Errorf("koda is %q, %v", got, err)
			}
		})
	}
}

// releases makes a server's directory with the release v1.2.3, named as .goreleaser.yaml
// names it. An empty digest means the true one.
func releases(t *testing.T, digest string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "o", "koda", "releases", "download", "v1.2.3")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	sums := ""
	for _, arch := range []string{"amd64", "arm64"} {
		name := "koda_1.2.3_linux_" + arch
		var text bytes.Buffer
		zip := gzip.NewWriter(&text)
		tape := tar.NewWriter(zip)
		program := "the program"
		err := tape.WriteHeader(&tar.Header{Name: name + "/koda", Mode: 0o755, Size: int64(len(program))})
		if err == nil {
			_, err = io.WriteString(tape, program)
		}
		if err := errors.Join(err, tape.Close(), zip.Close(), os.WriteFile(filepath.Join(dir, name+".tar.gz"), text.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		sum := digest
		if sum == "" {
			sum = fmt.Sprintf("%x", sha256.Sum256(text.Bytes()))
		}
		sums += sum + "  " + name + ".tar.gz\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(sums), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

const changelog = `# Changelog

## [1.4.0] - 2026-11-20

### Added
- Videos of data: CSV, JSON, YAML and Markdown
- A GitHub Action

### Fixed
- Titles no longer stand still
`

// The whole action makes a video of a changelog, as far as one machine can play GitHub's
// runner: the steps of other actions are not run. .ci/action-test asks for it.
func TestAction_makesVideo(t *testing.T) {
	if os.Getenv("KODA_ACTION") != "all" {
		t.Skip("it builds koda and makes a video: run .ci/action-test")
	}
	needsAction(t)
	needs.Chromium(t)
	needs.FFmpeg(t)
	j := newJob(t, map[string]string{"recipe": "changelog", "data": "CHANGELOG.md", "preset": "twitter", "output": "release.mp4", "set": "title=What is new"})
	if err := os.WriteFile(filepath.Join(j.dir, "CHANGELOG.md"), []byte(changelog), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := j.run(); err != nil {
		t.Fatalf("%v\n%s", err, j.log)
	}
	t.Logf("%s\n%s\n%s\n%s", j.log, readFile(t, filepath.Join(j.temp, "summary")), strings.Join(j.used, "\n"), j.steps)
	release := filepath.Join(j.dir, "release.mp4")
	if got := j.steps["video"]["video"]; got != release {
		t.Errorf("video is %q, want %q", got, release)
	}
	if _, err := os.Stat(filepath.Join(j.steps["video"]["project"], "koda.json")); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(j.steps["cache"]["path"]); err != nil || len(entries) == 0 {
		t.Errorf("there is nothing to cache: %v", err)
	}
	facts, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-select_streams", "v:0",
		"-show_entries", "stream=codec_name,r_frame_rate", "-of", "csv=p=0", release).Output()
	if err != nil || strings.TrimSpace(string(facts)) != "h264,30/1" {
		t.Errorf("the video is %q, %v", facts, err)
	}
	if len(j.used) != 3 {
		t.Errorf("other actions used: %q, want Go, cache and upload", j.used)
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
