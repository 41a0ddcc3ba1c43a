package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/needs"
)

// ownImage is koda's own image, built for a test.
type ownImage struct {
	t   *testing.T
	tag string
	n   int
}

// must runs a command of the container engine and returns its output.
func (i *ownImage) must(args ...string) string {
	i.t.Helper()
	var errs strings.Builder
	cmd := exec.CommandContext(i.t.Context(), "docker", args...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		i.t.Fatalf("docker %q: %v: %s%s", args, err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// name is a name for a container, which is removed with its volume when the test ends.
func (i *ownImage) name() string {
	i.n++
	name := fmt.Sprintf("%s-%d", strings.ReplaceAll(strings.ReplaceAll(i.tag, "/", "-"), ":", "-"), i.n)
	i.t.Cleanup(func() { _ = exec.Command("docker", "rm", "-fv", name).Run() }) //nolint:errcheck,noctx // it may be gone
	return name
}

func buildOwnImage(t *testing.T) *ownImage {
	t.Helper()
	base := needs.Docker(t)
	work := t.TempDir()
	i := &ownImage{t: t, tag: fmt.Sprintf("koda/own-test:%x", sha256.Sum256([]byte(work)))[:28]}
	program := filepath.Join(work, "koda")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	build := exec.CommandContext(t.Context(), "../../.ci/image", i.tag, "BASE="+base)
	build.Env = append(os.Environ(), "KODA="+program)
	t.Cleanup(func() { _ = exec.Command("docker", "rmi", "-f", i.tag).Run() }) //nolint:errcheck,noctx // as above
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-3000):])
	}
	return i
}

// TestDockerImage builds koda's own image and uses it as CI and servers do.
func TestDockerImage(t *testing.T) {
	t.Parallel()
	needs.FFmpeg(t)
	i := buildOwnImage(t)
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o777)) //nolint:gosec // another user writes to it
	profile := filepath.Join(dir, "seccomp.json")
	must(t, os.WriteFile(profile, []byte(i.must("run", "--rm", "--name", i.name(), i.tag, "sandbox", "seccomp")), 0o644))
	prompt := []string{"new", "bouncing ball", "--yes", "--duration", "1.5", "--preset", "square", "--json"}
	want := frames(t, hostVideo(t, prompt))
	for name, more := range map[string][]string{
		"the default profile": nil,
		"koda's profile":      {"--security-opt", "seccomp=" + profile},
	} {
		place := filepath.Join(dir, name)
		must(t, os.Mkdir(place, 0o777))
		must(t, os.Chmod(place, 0o777)) //nolint:gosec // as above
		args := append([]string{"run", "--rm", "--name", i.name(), "--user", "12345:12345", "--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--network", "none", "-v", place + ":/work", "-w", "/work"}, more...)
		out := i.must(append(append(args, i.tag), prompt...)...)
		for what, has := range map[string]bool{`"browserSandbox":"off"`: more == nil, `"browserSandbox":"on"`: more != nil} {
			if strings.Contains(out, what) != has {
				t.Errorf("%s: %s is %v", name, what, !has)
			}
		}
		video := filepath.Join(place, "bouncing-ball", "renders", "bouncing-ball-v1-square.mp4")
		info, err := os.Stat(video)
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t).Uid; owner != 12345 {
			t.Errorf("%s: the video belongs to user %d", name, owner)
		}
		if got := frames(t, video); got != want {
			t.Errorf("%s: other frames than on this machine", name)
		}
	}
	for _, args := range [][]string{{"id", "-u"}, {"git", "--version"}} {
		out := i.must("run", "--rm", "--name", i.name(), "--entrypoint", args[0], i.tag, args[1])
		if out == "0" {
			t.Error("koda is root in the image")
		}
	}
	i.serves()
}

// hostVideo makes the video on this machine.
func hostVideo(t *testing.T, args []string) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asKoda+"=1", "HOME="+dir, "KODA_HOME="+filepath.Join(dir, "home"), "XDG_CONFIG_HOME=", "XDG_DATA_HOME=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return filepath.Join(dir, "bouncing-ball", "renders", "bouncing-ball-v1-square.mp4")
}

// frames are the digests of the frames of a video.
func frames(t *testing.T, video string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-i", video, "-f", "framemd5", "-").Output()
	if err != nil || strings.Count(string(out), "\n") < 40 {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// serves: a server in the image is healthy, saves its work when it is stopped, and the next
// one goes on with it. Nothing is left of the processes that ended.
func (i *ownImage) serves() {
	t := i.t
	t.Helper()
	name := i.name()
	i.must("run", "-d", "--name", name, "--read-only", "--tmpfs", "/tmp", "-p", "127.0.0.1::3000", i.tag, "serve", "--host", "0.0.0.0", "--allow-host", "test")
	healthy := func() {
		t.Helper()
		for range 300 {
			if i.must("inspect", "--format", "{{.State.Health.Status}}", name) == "healthy" {
				return
			}
			<-time.After(200 * time.Millisecond)
		}
		t.Fatalf("the server is not healthy: %s", i.must("logs", name))
	}
	healthy()
	token := i.must("exec", name, "koda", "token", "new", "--write")
	ask := func(method, path, body string) (answer map[string]any) {
		t.Helper()
		address := i.must("port", name, "3000/tcp")
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+path, strings.NewReader(body))
		must(t, err)
		req.Host = "test"
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		defer func() { must(t, resp.Body.Close()) }()
		must(t, json.NewDecoder(resp.Body).Decode(&answer))
		return answer
	}
	id, _ := ask("POST", "/api/projects", `{"prompt": "bouncing ball", "yes": true, "duration": 8}`)["id"].(string)
	if id == "" {
		t.Fatal("no project began")
	}
	began := time.Now()
	i.must("stop", "-t", "30", name)
	state := i.must("inspect", "--format", "{{.State.ExitCode}} {{.State.OOMKilled}}", name)
	if took := time.Since(began); took > 25*time.Second || strings.HasPrefix(state, "137") {
		t.Errorf("stopped after %v with %s: %s", took, state, i.must("logs", name))
	}
	i.must("start", name)
	healthy()
	if p := ask("GET", "/api/projects/"+id+"?wait=300", ""); p["phase"] != "complete" {
		t.Errorf("after the stop the project is %v", p["phase"])
	}
	if dead := i.must("exec", name, "sh", "-c", "ps -eo stat= | grep -c ^Z || true"); dead != "0" {
		t.Errorf("%s processes that ended were not reaped", dead)
	}
}
