package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/koda-video/koda/internal/cli"
	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// fakeSandboxes keeps one image and two sandboxes.
type fakeSandboxes struct {
	have   sandbox.Inventory
	steps  []koda.BuildStep
	calls  []string
	err    error
	closed int
}

func (s *fakeSandboxes) call(format string, args ...any) error {
	s.calls = append(s.calls, fmt.Sprintf(format, args...))
	return s.err
}

func (s *fakeSandboxes) Build(_ context.Context, again bool, tell func(koda.BuildStep)) (sandbox.Image, error) {
	err := s.call("build again=%v", again)
	for _, step := range s.steps {
		tell(step)
	}
	return s.have.Images[0], err
}

func (s *fakeSandboxes) Inventory(context.Context) (sandbox.Inventory, error) {
	return s.have, s.call("inventory")
}

func (s *fakeSandboxes) Remove(_ context.Context, ref string) error { return s.call("remove %s", ref) }

func (s *fakeSandboxes) Prune(_ context.Context, dryRun bool, keep func(sandbox.Kept) bool) (sandbox.Inventory, error) {
	gone := slices.DeleteFunc(slices.Clone(s.have.Sandboxes), func(k sandbox.Kept) bool { return !k.Orphan || keep(k) })
	return sandbox.Inventory{Images: []sandbox.Image{}, Sandboxes: gone}, s.call("prune dryRun=%v", dryRun)
}

func (s *fakeSandboxes) Logs(_ context.Context, id string, follow bool, stdout, stderr io.Writer) error {
	fmt.Fprintln(stdout, "up")
	fmt.Fprintln(stderr, "a \x1b]2;title\x07complaint")
	return s.call("logs %s follow=%v", id, follow)
}

func newSandboxes(t *testing.T) (*face, *fakeSandboxes) {
	f := newFace(t)
	s := &fakeSandboxes{have: sandbox.Inventory{
		Images: []sandbox.Image{{Tag: "koda/animation-sandbox:1234", ID: "sha256:ab", Size: 1.7e9, Created: now.Add(-time.Hour), Current: true}},
		Sandboxes: []sandbox.Kept{
			{Meta: sandbox.Meta{ID: "docker-1", ProjectID: "p1", Created: now.Add(-2 * time.Minute)}, State: koda.SandboxReady, Status: "Up 2 minutes (healthy)"},
			{Meta: sandbox.Meta{ID: "docker-2", ProjectID: "p2", Created: now.Add(-48 * time.Hour), Orphan: true}, State: koda.SandboxDestroyed, Status: "Exited (137)"},
			{Meta: sandbox.Meta{ID: "docker-3", ProjectID: "p3", Created: now.Add(-2 * time.Minute), Orphan: true}, State: koda.SandboxReady, Status: "Up 2 minutes"},
			{Meta: sandbox.Meta{ID: "docker-4", ProjectID: "p4", Created: now.Add(-2 * time.Minute), Orphan: true}, State: koda.SandboxReady, Status: "Up 2 minutes"},
			{Meta: sandbox.Meta{ID: "draw-1", Created: now}, State: koda.SandboxReady, Status: "Up 2 seconds"},
			{Meta: sandbox.Meta{ID: "draw-2", Created: now, Orphan: true}, State: koda.SandboxCreating, Status: "Created"},
		},
	}}
	f.engine.housed = map[string]engine.Housed{"docker-1": {Project: koda.Project{Name: "ball"}, Busy: true}, "docker-3": {Project: koda.Project{Name: "bars"}}}
	f.deps.Sandboxes = func(context.Context) (cli.Sandboxes, func() error, error) {
		return s, func() error { s.closed++; return nil }, nil
	}
	return f, s
}

func TestSandbox(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args     string
		calls    string
		out, err string // that are on the streams
	}{
		{"build", "build again=false", "koda/animation-sandbox:1234  1.7 GB\n", "is there already"},
		{"build --again", "build again=true", "koda/animation-sandbox:1234  1.7 GB\n", ""},
		{
			"ls", "inventory", "image    koda/animation-sandbox:1234  1.7 GB      1 hour ago     in use\n" +
				"sandbox  docker-1                     ball        2 minutes ago  busy: Up 2 minutes (healthy)\n" +
				"sandbox  docker-2                     project p2  2 days ago     destroyed: Exited (137), no koda works in it\n" +
				"sandbox  docker-3                     bars        2 minutes ago  ready: Up 2 minutes\n" +
				"sandbox  docker-4                     project p4  2 minutes ago  ready: Up 2 minutes, no koda works in it\n" +
				"sandbox  draw-1                       draws       just now       ready: Up 2 seconds\n" +
				"sandbox  draw-2                       draws       just now       creating: Created, no koda works in it\n", "",
		},
		{"rm docker-1 1234", "remove docker-1, remove 1234", "removed docker-1\nremoved 1234\n", ""},
		{
			"prune", "prune dryRun=false", "removed sandbox docker-2 (project p2)\nremoved sandbox draw-2 (draws)\n" +
				"kept sandbox docker-3: bars comes back to it\nkept sandbox docker-4: this koda does not know its project p4\n", "koda sandbox prune --all",
		},
		{
			"prune --dry-run --all", "prune dryRun=true",
			"would remove sandbox docker-2 (project p2)\nwould remove sandbox docker-3 (project p3)\nwould remove sandbox docker-4 (project p4)\nwould remove sandbox draw-2 (draws)\n", "",
		},
		{"logs docker-1", "logs docker-1 follow=false", "up\n", "complaint"},
		{"logs -f docker-1", "logs docker-1 follow=true", "up\n", ""},
	} {
		f, s := newSandboxes(t)
		status := f.run(append([]string{"sandbox"}, strings.Fields(c.args)...)...)
		if got := strings.Join(s.calls, ", "); status != 0 || got != c.calls || s.closed != 1 {
			t.Errorf("%s: status %d, called %s, closed %d times; %s", c.args, status, got, s.closed, f.err.String())
		}
		if f.out.String() != c.out || !strings.Contains(f.err.String(), c.err) || strings.Contains(f.err.String(), "\x1b]") {
			t.Errorf("%s said %q and %q", c.args, f.out.String(), f.err.String())
		}
		s.calls, s.err = nil, &koda.Error{Code: koda.CodeNotFound, Op: "no such thing"}
		if status := f.run(append([]string{"sandbox"}, strings.Fields(c.args)...)...); status != 10 || s.closed != 2 {
			t.Errorf("%s: status %d of an error, closed %d times", c.args, status, s.closed)
		}
	}
	f, s := newSandboxes(t)
	s.have.Images = []sandbox.Image{}
	if f.run("sandbox", "ls"); !strings.Contains(f.err.String(), "koda sandbox build") {
		t.Errorf("ls without an image: %q", f.err.String())
	}
	f.deps.Sandboxes = func(context.Context) (cli.Sandboxes, func() error, error) {
		return nil, nil, &koda.Error{Code: koda.CodeProviderError, Op: "reach the engine", Err: errors.New("nobody answers")}
	}
	if status := f.run("sandbox", "ls"); status != 5 {
		t.Errorf("no engine: status %d", status)
	}
}

// A build that takes long says so before it begins, and then its steps.
func TestSandboxBuild_steps(t *testing.T) {
	t.Parallel()
	f, s := newSandboxes(t)
	s.steps = []koda.BuildStep{{Image: "an image (some minutes)", Step: 1, Steps: 3}, {Image: "an image (some minutes)", Step: 2, Steps: 3, Text: "install fonts"}}
	f.run("sandbox", "build")
	length, step := strings.Index(f.err.String(), "minutes"), strings.Index(f.err.String(), "step 2 of 3: install fonts")
	if length < 0 || step < length || strings.Contains(f.err.String(), "step 1") || strings.Contains(f.err.String(), "already") {
		t.Errorf("said %q", f.err.String())
	}
	f.run("sandbox", "build", "--json")
	all := f.envelopes()
	if len(all) != 3 || all[0].Type != string(koda.EventBuild) || string(all[1].Payload) != `{"image":"an image (some minutes)","step":2,"steps":3,"text":"install fonts"}` {
		t.Errorf("wrote %s", f.out.String())
	}
	var got struct {
		OK, Built bool
		Image     sandbox.Image
	}
	if err := json.Unmarshal(all[len(all)-1].Payload, &got); err != nil || !got.OK || !got.Built || got.Image != s.have.Images[0] {
		t.Errorf("result %+v, %v", got, err)
	}
	for args, field := range map[string]string{
		"ls": `"orphan":true`, "prune": `"projectId":"p2"`, "rm docker-1": `"removed":["docker-1"]`, "logs docker-1": `"log":"up\na `,
	} {
		f.run(append([]string{"sandbox", "--json"}, strings.Fields(args)...)...)
		if !strings.Contains(f.out.String(), field) {
			t.Errorf("%s wrote %s, want %s", args, f.out.String(), field)
		}
	}
}
