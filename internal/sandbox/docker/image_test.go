package docker_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/needs"
	"github.com/koda-video/koda/internal/npm"
	"github.com/koda-video/koda/internal/proc"
	"github.com/koda-video/koda/internal/sandbox"
	"github.com/koda-video/koda/internal/sandbox/docker"
	"github.com/koda-video/koda/templates"
)

// own says how koda's own image is built on this machine.
func own(t *testing.T) docker.ImageConfig {
	t.Helper()
	return docker.ImageConfig{Files: templates.SandboxImage(), Name: docker.Name, Base: needs.Docker(t), Fetch: func(ctx context.Context) (docker.Fetch, error) {
		var certificates []byte
		if file := os.Getenv("NODE_EXTRA_CA_CERTS"); file != "" {
			certificates, _ = os.ReadFile(file) //nolint:errcheck // then there are none
		}
		return docker.Fetch{Registry: npm.Registry(ctx), Certificates: certificates}, nil
	}}
}

// open opens the engine of `make docker-test`.
func open(t *testing.T, c docker.ImageConfig) *docker.Engine {
	t.Helper()
	e, err := docker.Connect(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func built(t *testing.T) (*docker.Engine, docker.ImageConfig, sandbox.Image) {
	t.Helper()
	c := own(t)
	e := open(t, c)
	image, err := e.Build(t.Context(), false, func(s koda.BuildStep) { t.Logf("%d of %d %s", s.Step, s.Steps, s.Text) })
	if err != nil {
		t.Fatal(err, koda.HintOf(err), koda.DetailsOf(err))
	}
	return e, c, image
}

// run runs a shell command in a confined container, which must succeed.
func run(t *testing.T, e *docker.Engine, id, line string) string {
	t.Helper()
	stdout, stderr, status, err := e.Try(t.Context(), id, "/bin/bash", "-c", line)
	if err != nil || status != 0 {
		t.Errorf("%s: status %d, %v\n%s%s", line, status, err, stdout, stderr)
	}
	return stdout
}

// The starter project of the image passes its type check, and the live view serves it
// with the fonts, which lie above it.
func TestDockerLiveView(t *testing.T) {
	_, _, image := built(t)
	const font = "/@fs/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"
	command(t, "run", "--rm", "--network", "none", image.Tag, "/bin/bash", "-euc", `
		tsc
		vite >/tmp/log 2>&1 &
		until curl -fs localhost:5173/ >/dev/null; do kill -0 $!; sleep 0.2; done
		curl -fsS localhost:5173/src/main.tsx >/dev/null
		curl -fsS localhost:5173`+font+` | head -c 4 | grep -q wOF2
		! curl -fs localhost:5173/@fs/etc/passwd`)
}

// The image is built once for what it is built of.
func TestDockerBuild(t *testing.T) {
	e, c, image := built(t)
	again, err := e.Build(t.Context(), false, func(s koda.BuildStep) { t.Errorf("step %+v of an image that is there", s) })
	if err != nil || again != image || !image.Current || !strings.HasPrefix(image.Tag, docker.Name+":") {
		t.Errorf("built %+v, then %+v, %v", image, again, err)
	}
	c.Base = "koda/no-such-base"
	e = open(t, c)
	if _, err := e.Image(t.Context()); koda.CodeOf(err) != koda.CodeTemplateNotFound {
		t.Errorf("an image on another base: %v", err)
	}
	var steps []koda.BuildStep
	_, err = e.Build(t.Context(), false, func(s koda.BuildStep) { steps = append(steps, s) })
	if koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(err.Error(), "koda/no-such-base") || len(steps) == 0 {
		t.Errorf("a base that is not there: %v after %+v", err, steps)
	}
	if hint := koda.HintOf(err); !strings.Contains(hint, "sandbox-base") {
		t.Errorf("hint %q", hint)
	}
}

// A person's commands and environment make an image of their own, on top.
func TestDockerSetup(t *testing.T) {
	_, c, image := built(t)
	c.Setup, c.Env = `echo "$(id -u) $GREETING" >/opt/said`, []string{`GREETING=it's "$5" \ more`}
	e := open(t, c)
	var steps []string
	got, err := e.Build(t.Context(), false, func(s koda.BuildStep) { steps = append(steps, s.Text) })
	if err != nil {
		t.Fatal(err, koda.DetailsOf(err))
	}
	if got.Tag == image.Tag || !slices.Contains(steps, "run sandbox-setup") {
		t.Errorf("built %+v by %q", got, steps)
	}
	if said := run(t, e, got.ID, `cat /opt/said; echo "$(id -u) $GREETING"`); said != "0 it's \"$5\" \\ more\n1000 it's \"$5\" \\ more\n" {
		t.Errorf("the image says %q", said)
	}
	have, err := e.Inventory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range have.Images {
		if wanted := i.ID == image.ID || i.ID == got.ID; i.Current != wanted {
			t.Errorf("%+v: current, want %v", i, wanted)
		}
	}
	if err := e.Remove(t.Context(), got.Tag); err != nil {
		t.Error(err)
	}
	if _, err := e.Image(t.Context()); koda.CodeOf(err) != koda.CodeTemplateNotFound {
		t.Errorf("after it was removed: %v", err)
	}
	c.Setup = "echo told; exit 7"
	e = open(t, c)
	if _, err = e.Build(t.Context(), false, func(koda.BuildStep) {}); !strings.Contains(fmt.Sprint(err), "run sandbox-setup") || !strings.Contains(koda.HintOf(err), "sandbox-setup is a command of yours") || !strings.Contains(koda.DetailsOf(err), "told") {
		t.Errorf("a command that fails: %v, %s", err, koda.DetailsOf(err))
	}
}

// Settings that take away what a sandbox needs are named.
func TestDockerSetup_lacks(t *testing.T) {
	_, c, _ := built(t)
	c.Setup = "rm /usr/bin/ffmpeg"
	_, err := open(t, c).Build(t.Context(), false, func(koda.BuildStep) {})
	if koda.CodeOf(err) != koda.CodeTemplateNotFound || !strings.Contains(fmt.Sprint(err), "ffmpeg") || !strings.Contains(koda.HintOf(err), "sandbox-setup") {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
	c.Setup = "echo 'write: No space left on device' >&2; exit 1"
	_, err = open(t, c).Build(t.Context(), false, func(koda.BuildStep) {})
	if koda.CodeOf(err) != koda.CodeQuotaExceeded || !strings.Contains(koda.HintOf(err), "make room") {
		t.Errorf("%v (%s)", err, koda.HintOf(err))
	}
}

// An image of the person is taken if it has what a sandbox needs; what it lacks is named.
func TestDockerOwnImage(t *testing.T) {
	_, c, image := built(t)
	c.Name = image.Tag
	e := open(t, c)
	if got, err := e.Build(t.Context(), false, func(s koda.BuildStep) { t.Errorf("step %+v", s) }); err != nil || got.ID != image.ID {
		t.Errorf("an image that has everything: %+v, %v", got, err)
	}
	c.Name = c.Base
	e = open(t, c)
	_, err := e.Build(t.Context(), false, func(koda.BuildStep) {})
	for _, lacks := range []string{c.Base, "a user other than root", "Node.js 22", "Bun", "/node_modules", "headless shell", "libx264", "libEGL", "fonts"} {
		if koda.CodeOf(err) != koda.CodeTemplateNotFound || !strings.Contains(err.Error(), lacks) {
			t.Errorf("an empty Debian: %v, want %s", err, lacks)
		}
	}
	c.Name = "koda/no-such-image"
	e = open(t, c)
	if _, err = e.Build(t.Context(), false, func(koda.BuildStep) {}); koda.CodeOf(err) != koda.CodeTemplateNotFound || !strings.Contains(err.Error(), "cannot be pulled") {
		t.Errorf("no image: %v", err)
	}
}

// Koda lists and removes what is its own in the engine, and nothing else.
func TestDockerInventory(t *testing.T) {
	e, _, image := built(t)
	start := func(name string, labels ...string) {
		args := []string{"run", "-d", "--name", name}
		for _, l := range labels {
			args = append(args, "--label", l)
		}
		command(t, append(args, image.Tag, "/bin/sh", "-c", "echo out; echo err >&2; sleep 600")...)
		t.Cleanup(func() { command(t, "rm", "-f", name) })
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	label := func(id string, pid int, started string) string {
		return fmt.Sprintf(`video.koda.sandbox={"id":%q,"projectId":"p1","pid":%d,"started":%q,"host":%q}`, id, pid, started, host)
	}
	start("docker-test-living", label("docker-test-living", os.Getpid(), proc.Started(os.Getpid())))
	start("docker-test-orphan", label("docker-test-orphan", 1, "never"))
	start("docker-test-waiting", label("docker-test-waiting", 1, "never"))
	start("docker-test-stranger")

	sandboxes := func(list []sandbox.Kept) (ids []string) {
		for _, s := range list {
			if strings.HasPrefix(s.ID, "docker-test-") {
				ids = append(ids, fmt.Sprint(s.ID, " ", s.ProjectID, " ", s.State, " ", s.Orphan))
			}
		}
		slices.Sort(ids)
		return ids
	}
	all := []string{"docker-test-living p1 ready false", "docker-test-orphan p1 ready true", "docker-test-waiting p1 ready true"}
	have, err := e.Inventory(t.Context())
	if got := sandboxes(have.Sandboxes); err != nil || !slices.Equal(got, all) {
		t.Errorf("sandboxes %q, %v, want %q", got, err, all)
	}
	gone, err := e.Prune(t.Context(), false, func(s sandbox.Kept) bool { return s.ID != "docker-test-orphan" })
	if got := sandboxes(gone.Sandboxes); err != nil || !slices.Equal(got, all[1:2]) || slices.ContainsFunc(gone.Images, func(i sandbox.Image) bool { return i.ID == image.ID }) {
		t.Errorf("pruned %+v, %v, want %q", gone, err, all[1:2])
	}
	var stdout, stderr strings.Builder
	if err := e.Logs(t.Context(), "docker-test-living", false, &stdout, &stderr); err != nil || stdout.String() != "out\n" || stderr.String() != "err\n" {
		t.Errorf("log %q and %q, %v", stdout.String(), stderr.String(), err)
	}
	for _, id := range []string{"docker-test-stranger", "docker-test-orphan"} {
		if err := e.Remove(t.Context(), id); koda.CodeOf(err) != koda.CodeNotFound {
			t.Errorf("remove %s: %v", id, err)
		}
		if err := e.Logs(t.Context(), id, false, &stdout, &stderr); koda.CodeOf(err) != koda.CodeNotFound {
			t.Errorf("log of %s: %v", id, err)
		}
	}
	sb := create(t, docker.New(docker.Config{Image: own(t), Guest: templates.Guest, Now: time.Now}))
	for _, id := range []string{"docker-test-living", "docker-test-waiting"} {
		if err := e.Remove(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	if err := e.Remove(t.Context(), image.Tag); koda.CodeOf(err) != koda.CodeProviderError || !strings.Contains(err.Error(), "a sandbox is made of") {
		t.Errorf("remove an image in use: %v", err)
	}
	const draws = "/usr/lib/chromium/chromium-headless-shell --disable-gpu --dump-dom 'data:text/html,<p id=p></p><script>p.textContent=6*7</script>'"
	if res, err := sb.Run(t.Context(), sandbox.Command{Line: draws}); err != nil || !strings.Contains(res.Stdout, ">42<") {
		t.Errorf("the browser of a sandbox: %+v, %v", res, err)
	}
	if err := e.Remove(t.Context(), sb.ID()); err != nil {
		t.Error(err)
	}
	if have, err = e.Inventory(t.Context()); err != nil || len(sandboxes(have.Sandboxes)) != 0 {
		t.Errorf("left %+v, %v", have.Sandboxes, err)
	}
}

// command runs the docker command, which must succeed.
func command(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("docker", args...).CombinedOutput(); err != nil {
		t.Errorf("docker %q: %v\n%s", args, err, out)
	}
}

// Under koda's confinement Chromium keeps its own sandbox, the memory of a child can be
// read, and nothing beyond.
func TestDockerConfined(t *testing.T) {
	e, _, image := built(t)
	const browser = `/usr/lib/chromium/chromium-headless-shell --disable-gpu --dump-dom 'data:text/html,<p id=p></p><script>p.textContent=6*7</script>'`
	if got := run(t, e, image.ID, browser); !strings.Contains(got, `<p id="p">42</p>`) {
		t.Errorf("the browser drew %q", got)
	}
	// The call reads "frame" out of the memory of the process that was forked.
	const read = `perl -e '
		my $text = "frame"; my $into = "." x 5; my %number = (x86_64 => 310, aarch64 => 270);
		my $at = sub { pack("QQ", unpack("Q", pack("p", $_[0])), 5) };
		my $child = fork; if (!$child) { sleep 60; exit }
		chomp(my $machine = qx(uname -m));
		my $n = syscall($number{$machine}, $child, $at->($into), 1, $at->($text), 1, 0);
		kill "KILL", $child; print "$n $into"'`
	if got := run(t, e, image.ID, read); got != "5 frame" {
		t.Errorf("process_vm_readv gave %q", got)
	}
	for what, line := range map[string]string{
		"an ordinary user":    "test $(id -u) = 1000",
		"no network":          "test \"$(ls /sys/class/net)\" = lo",
		"no capabilities":     "grep -q 'CapBnd:.0000000000000000' /proc/self/status",
		"no new privileges":   "grep -q 'NoNewPrivs:.1' /proc/self/status",
		"a filter":            "grep -q 'Seccomp:.2' /proc/self/status",
		"files to read":       "! touch /usr/x /node_modules/x 2>/dev/null",
		"files to write":      "touch /tmp/x /home/user/x",
		"no mounts":           "! unshare --user --mount true 2>/dev/null",
		"no keys of the host": "! test -e /var/run/docker.sock",
		"fonts":               "fc-match sans-serif:lang=ja | grep CJK && fc-match emoji | grep -i emoji && fc-list | grep -i liberation",
		"x264":                "ffmpeg -v error -f lavfi -i testsrc=s=64x64:d=0.1 -c:v libx264 -f mp4 -y /tmp/x.mp4 && ffprobe -v error /tmp/x.mp4",
		"Node.js":             "node -e 'if (parseInt(process.versions.node) < 22) throw process.version'",
		"npm, Bun":            "npm --version && bun --version",
	} {
		t.Run(what, func(t *testing.T) { run(t, e, image.ID, line) })
	}
}

// An image of the person is looked into before the first sandbox.
func TestDockerPrepare(t *testing.T) {
	_, c, image := built(t)
	none := func(s koda.BuildStep) { t.Errorf("step %+v of an image that is there", s) }
	for name, want := range map[string]koda.Code{
		needs.Docker(t):        koda.CodeTemplateNotFound,
		"koda/no-such-image:1": koda.CodeTemplateNotFound,
		image.Tag:              "",
		docker.Name:            "",
	} {
		cfg := config(t)
		cfg.Image = c
		cfg.Image.Name = name
		tell := none
		if name == "koda/no-such-image:1" {
			tell = func(koda.BuildStep) {}
		}
		err := docker.New(cfg).Prepare(t.Context(), tell)
		if koda.CodeOf(err) != want || (koda.HintOf(err) == "") != (want == "") {
			t.Errorf("%s: %v (%s)", name, err, koda.HintOf(err))
		}
		if name == needs.Docker(t) && !strings.Contains(err.Error(), "ffmpeg") {
			t.Errorf("what it lacks: %v", err)
		}
	}
}
