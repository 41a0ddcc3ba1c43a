package engine_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/koda-video/koda/internal/engine"
	"github.com/koda-video/koda/internal/koda"
	"github.com/koda-video/koda/internal/sandbox"
)

// imaged are sandboxes of another kind, which are made of an image.
type imaged struct {
	sandbox.Provider
	down    error // why the engine does not answer
	unbuilt error // why the image cannot be built
	built   int
	dying   int // sandboxes that are gone before they are filled
}

func (p *imaged) Create(ctx context.Context, o sandbox.Options) (sandbox.Sandbox, error) {
	sb, err := p.Provider.Create(ctx, o)
	if p.dying--; err == nil && p.dying >= 0 {
		err = sb.Destroy(ctx)
	}
	return sb, err
}

func (p *imaged) Kind() sandbox.Kind         { return sandbox.Docker }
func (p *imaged) Ping(context.Context) error { return p.down }
func (p *imaged) All(context.Context) ([]sandbox.Meta, error) {
	return nil, p.down
}
func (p *imaged) Prepare(_ context.Context, tell func(koda.BuildStep)) error {
	if p.unbuilt == nil && p.built == 0 {
		tell(koda.BuildStep{Image: "an image", Step: 1, Steps: 2})
		tell(koda.BuildStep{Image: "an image", Step: 2, Steps: 2, Text: "install fonts"})
		p.built++
	}
	return p.unbuilt
}

func newImagedBench(t *testing.T) (*bench, *imaged) {
	t.Helper()
	b, p := newBench(t), &imaged{}
	b.tweak = func(cfg *engine.Config) {
		p.Provider = cfg.Sandboxes[sandbox.Local]
		cfg.Sandboxes[sandbox.Docker] = p
		cfg.Authors[engine.AuthorModel] = b.author
	}
	b.open()
	return b, p
}

// TestNew_sandbox: a kind of sandbox that was asked for must answer before anything is
// made. The code of a model lives in a container if an engine answers; all other code
// does not.
func TestNew_sandbox(t *testing.T) {
	t.Parallel()
	down := &koda.Error{Code: koda.CodeProviderError, Op: "no engine answers", Hint: "start it"}
	for _, test := range []struct {
		author, asked string
		down          error
		unguarded     string
		want          string
	}{
		{author: engine.AuthorRecipe, want: "local"},
		{author: engine.AuthorRecipe, asked: "docker", want: "docker"},
		{author: engine.AuthorRecipe, asked: "docker", down: down, want: "PROVIDER_ERROR"},
		{author: engine.AuthorRecipe, down: down, want: "local"},
		{author: engine.AuthorModel, want: "docker"},
		{author: engine.AuthorModel, asked: "local", want: "local"},
		{author: engine.AuthorModel, down: down, want: "local"},
		{author: engine.AuthorModel, unguarded: "you are root", want: "docker"},
		{author: engine.AuthorModel, down: down, unguarded: "you are root", want: "NEEDS_PERSON"},
		{author: engine.AuthorModel, asked: "local", unguarded: "you are root", want: "local"},
		{author: engine.AuthorRecipe, down: down, unguarded: "you are root", want: "local"},
		{author: engine.AuthorRecipe, asked: "moon", want: "USAGE"},
	} {
		t.Run(fmt.Sprintf("%s %s %t %s", test.author, test.asked, test.down != nil, test.unguarded), func(t *testing.T) {
			t.Parallel()
			b, p := newImagedBench(t)
			p.down = test.down
			tweak := b.tweak
			b.tweak = func(cfg *engine.Config) {
				tweak(cfg)
				cfg.Unguarded = func(context.Context) (string, error) { return test.unguarded, nil }
			}
			b.open()
			req := b.request("bouncing ball", false)
			req.Brief.Author, req.Sandbox = test.author, test.asked
			out, err := b.engine.New(t.Context(), req)
			got := out.Project.SandboxType
			if err != nil {
				got = string(koda.CodeOf(err))
				if made, err := os.ReadDir(b.parent); err != nil || len(made) != 0 {
					t.Errorf("made %v, %v", made, err)
				}
			}
			warned := slices.ContainsFunc(b.events(), func(ev koda.Event) bool {
				_, ok := ev.Payload.(koda.Warned)
				return ok
			})
			if want := test.author == engine.AuthorModel && test.asked == "local" && test.unguarded != ""; warned != want {
				t.Errorf("warned: %v", warned)
			}
			if got != test.want {
				t.Errorf("%s, want %s; %v", got, test.want, err)
			}
		})
	}
}

// TestPrepare: the image of sandboxes is built before the first sandbox, and each step
// passes by. If it cannot be built, the project is whole and can be resumed.
func TestPrepare(t *testing.T) {
	t.Parallel()
	b, p := newImagedBench(t)
	p.unbuilt = &koda.Error{Code: koda.CodeTemplateNotFound, Op: "the image lacks ffmpeg", Hint: "add it"}
	req := b.request("bouncing ball", true)
	req.Sandbox = "docker"
	out, err := b.engine.New(t.Context(), req)
	if koda.CodeOf(err) != koda.CodeTemplateNotFound || out.Waiting != engine.WaitingRetry {
		t.Fatalf("%v, waiting for %s", err, out.Waiting)
	}
	p.unbuilt = nil
	out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false))
	if out.State.Phase != koda.PhaseComplete || p.built != 1 {
		t.Errorf("phase %s, built %d times", out.State.Phase, p.built)
	}
	var steps []string
	for _, ev := range b.events() {
		switch p := ev.Payload.(type) {
		case koda.BuildStep:
			steps = append(steps, fmt.Sprintf("%d of %d", p.Step, p.Steps))
		case koda.Thinking:
			if len(steps) == 1 {
				steps = append(steps, p.Message)
			}
		}
	}
	want := []string{"1 of 2", "Building an image: step 2 of 2: install fonts", "2 of 2"}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

// TestSweep_unreached: a sweep says that it could not look at sandboxes, if there is a
// project whose sandboxes they may be.
func TestSweep_unreached(t *testing.T) {
	t.Parallel()
	b, p := newImagedBench(t)
	for i, kind := range []string{"local", "docker"} {
		p.down = nil
		req := b.request("bouncing ball", false)
		req.Sandbox = kind
		b.must(b.engine.New(t.Context(), req))
		p.down = &koda.Error{Code: koda.CodeProviderError, Op: "no engine answers"}
		if s := b.sweeps(); len(s.NotDone) != i || i > 0 && !strings.Contains(s.NotDone[0], "kind docker could not be looked at: no engine answers") {
			t.Errorf("after a project of kind %s: %q", kind, s.NotDone)
		}
	}
}

// TestSandbox_diesAtBirth: a sandbox that is gone before it is filled is replaced, once.
func TestSandbox_diesAtBirth(t *testing.T) {
	t.Parallel()
	for dying, want := range []koda.Code{"", "", koda.CodeSandboxNotFound} {
		b, p := newImagedBench(t)
		p.dying = dying
		req := b.request("bouncing ball", true)
		req.Sandbox = "docker"
		out, err := b.engine.New(t.Context(), req)
		if koda.CodeOf(err) != want {
			t.Fatalf("%d died: %v", dying, err)
		}
		if out = b.must(b.engine.Resume(t.Context(), out.Project.ID, false)); out.State.Phase != koda.PhaseComplete {
			t.Errorf("%d died: phase %s", dying, out.State.Phase)
		}
	}
}
